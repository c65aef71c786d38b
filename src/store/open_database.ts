import { existsSync } from "node:fs";
import { type Client, createClient } from "@libsql/client";
import { createServerClient } from "./create_server_client.ts";
import { MaintenanceError } from "./maintenance_error.ts";
import type { StoreOptions } from "./open_store.ts";

/** Those who look after a database have no one waiting for them: they outlast any lock of a server's. */
const PATIENCE_MS = 5_000;
const DEADLINE_MS = 30_000;

/** A database as those see it who look after it. */
export interface Database {
  /** As messages name it. */
  readonly name: string;
  /** Of the file of an embedded database. */
  readonly path: string | undefined;
  readonly client: Client;
}

/** The file of a `file:` URL. */
export function databasePath(url: string): string | undefined {
  return url.startsWith("file:") ? url.slice("file:".length) : undefined;
}

/**
 * Opens what is there, on one connection, and changes nothing: no file is made, no journal mode set.
 * @throws {MaintenanceError} when there is no such file.
 */
export function openDatabase({ url, token }: Omit<StoreOptions, "migrations">): Database {
  const path = databasePath(url);
  const name = path === undefined ? `database "${new URL(url).host}"` : `database "${path}"`;
  if (path !== undefined && !existsSync(path)) {
    throw new MaintenanceError("missing", `Cannot open ${name}: there is no such file`);
  }
  const client =
    path === undefined
      ? createServerClient({ url, deadlineMs: DEADLINE_MS, ...(token === undefined ? {} : { token }) })
      : createClient({ url, timeout: PATIENCE_MS, concurrency: 1 });
  return { name, path, client };
}

import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";
import { EXIT, ExitError } from "./exit_codes.ts";

const SECRET_BYTES = 32;

/** What a secret may look like, whoever wrote it. */
const SECRET = /^[\x21-\x7e]{16,512}$/;

/**
 * The secret kept in the data directory as `secret`, made up on first use: 32 random bytes in base64url, readable by
 * its owner alone. Of several processes that start on one new directory all get the same.
 * @throws {ExitError} naming the file when it cannot be read or written, or holds no secret.
 */
export function readSecret(directory: string, log: Log): string {
  const path = join(directory, "secret");
  try {
    const known = readKept(path, log);
    if (known !== undefined) return known;
    create(directory, path);
    const kept = readKept(path, log);
    if (kept !== undefined) return kept;
    throw new Error("it vanished");
  } catch (error) {
    if (error instanceof ExitError) throw error;
    throw new ExitError(
      EXIT.cannotCreate,
      `Cannot keep a secret in "${path}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function readKept(path: string, log: Log): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return undefined;
  if ((file.mode & 0o077) !== 0) log("warn", "secret_readable_by_others", { path });
  const secret = readFileSync(path, "utf8").trim();
  if (SECRET.test(secret)) return secret;
  throw new ExitError(
    EXIT.config,
    `Cannot use the secret in "${path}": it is not 16 to 512 printable ASCII characters`,
  );
}

/** Written whole under another name first: whoever finds the file finds all of it, and the first link wins. */
function create(directory: string, path: string): void {
  const temporary = join(directory, `.secret.${crypto.randomUUID()}.tmp`);
  try {
    const handle = openSync(temporary, "wx", 0o600);
    try {
      const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
      writeSync(handle, `${secret.toString("base64url")}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkUnlessThere(temporary, path);
    syncFolder(directory);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

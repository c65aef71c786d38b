import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { MIGRATIONS, writeEmptyDatabase } from "#kit";
import { openStore, type Store } from "#store";
import { isMissed } from "../../src/store/open_mirror.ts";
import { makeReport } from "./make_report.ts";

const PAGE = 4096;

let folder: string;
let path: string;
let store: Store;
let client: Client;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "limpid-missed-"));
  path = join(folder, "a.db");
  await writeEmptyDatabase(path);
  store = await openStore({ url: `file:${path}`, migrations: MIGRATIONS });
  client = createClient({ url: `file:${path}`, concurrency: 1 });
});

afterEach(async () => {
  client.close();
  await store.close().catch(() => undefined);
  rmSync(folder, { recursive: true });
});

/** Overwrites most of every third page's worth of a file; in a log that is where no page begins. */
function spoil(file: string): void {
  if (!existsSync(file)) return;
  const handle = openSync(file, "r+");
  for (let at = PAGE; at < statSync(file).size; at += 3 * PAGE)
    writeSync(handle, Buffer.alloc(3000, 0x5a), 0, 3000, at);
  closeSync(handle);
}

describe("isMissed()", () => {
  test("is false for an address that is not stored: in an empty table, at its ends, in its middle", async () => {
    expect(await isMissed("192.0.2.5", client)).toBe(false);
    for (const address of ["192.0.2.5", "2001:db8::7", "198.51.100.9", "::ffff:5"])
      await store.save(makeReport(address, 5), "{}");
    for (const address of [
      "1.0.0.1",
      "192.0.2.4",
      "192.0.2.6",
      "2001:db8::6",
      "2001:db8::8",
      "::1",
      "::ffff:6",
    ])
      expect({ address, isMissed: await isMissed(address, client) }).toEqual({ address, isMissed: false });
  });

  test("is false for an address that is stored between the two queries, at any place", async () => {
    for (const address of ["192.0.2.5", "192.0.2.3", "192.0.2.7", "192.0.2.4"]) {
      await store.save(makeReport(address, 5), "{}");
      expect(await isMissed(address, client)).toBe(false);
    }
  });

  test("is true for every address that damaged pages hide, unless reading them fails", async () => {
    let hidden = 0;
    for (let count = 40; count < 240; count += 40) {
      const addresses = Array.from({ length: count }, (_, n) => `192.0.2.${n}`);
      for (const [n, address] of addresses.entries()) await store.save(makeReport(address, n), "{}");
      await client.execute("SELECT count(*) FROM sqlite_schema");
      for (const file of [path, `${path}-wal`]) spoil(file);
      for (const address of addresses) {
        const args = [address];
        const isFound = await client
          .execute({ sql: "SELECT live_heard FROM reports WHERE address = ?1", args })
          .then(({ rows }) => rows.length > 0)
          .catch(() => undefined);
        if (isFound !== false) continue;
        hidden += 1;
        expect({ count, address, isMissed: await isMissed(address, client).catch(() => true) }).toEqual({
          count,
          address,
          isMissed: true,
        });
      }
      client.close();
      await store.close().catch(() => undefined);
      for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
      await writeEmptyDatabase(path);
      store = await openStore({ url: `file:${path}`, migrations: MIGRATIONS });
      client = createClient({ url: `file:${path}`, concurrency: 1 });
    }
    expect(hidden).toBeGreaterThan(50);
  }, 60_000);
});

import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAdmissions } from "#app";
import { readConfig } from "#config";
import { openStore, type Store } from "#store";

const folders: string[] = [];
const stores: Store[] = [];

/** Opens the admissions of a configuration over a store on a file, and returns its warnings. */
async function open(env: Record<string, string>): Promise<{ folder: string; warnings: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-limits-"));
  folders.push(folder);
  const migrations = join(import.meta.dir, "../../drizzle");
  const store = await openStore({ url: `file:${folder}/limpid.db`, migrations });
  stores.push(store);
  const warnings: string[] = [];
  const config = readConfig({ LIMPID_DATA_DIR: folder, ...env }, { sources: [], readSecret: () => "" });
  openAdmissions(config, store, { now: () => 0, log: (_level, event) => warnings.push(event) });
  return { folder, warnings };
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test("openAdmissions() generates a secret for an embedded database without a warning", async () => {
  const { folder, warnings } = await open({});
  expect(warnings).toEqual([]);
  expect(existsSync(join(folder, "secret"))).toBe(true);
});

test("openAdmissions() warns when a process on a shared database has its own secret", async () => {
  const { warnings } = await open({ LIMPID_DATABASE_URL: "http://127.0.0.1:8081" });
  expect(warnings).toEqual(["secret_not_shared"]);
});

test("openAdmissions() does not write a configured secret to disk", async () => {
  const { folder, warnings } = await open({
    LIMPID_DATABASE_URL: "http://127.0.0.1:8081",
    LIMPID_SECRET: "a-secret-for-the-fleet",
  });
  expect(warnings).toEqual([]);
  expect(existsSync(join(folder, "secret"))).toBe(false);
});

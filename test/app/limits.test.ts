import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openAdmissions, openLimits } from "#app";
import { readConfig } from "#config";
import { closeAfterEach, createTemporaryFolder } from "#kit";
import { openStore } from "#store";
import { parseExposition, readValue } from "../metrics/parse_exposition.ts";
import { createTestMetrics } from "../metrics/test_metrics.ts";

const closeLater = closeAfterEach();

/** Opens the admissions of a configuration over a store on a file, and returns its warnings. */
async function open(env: Record<string, string>) {
  const folder = createTemporaryFolder("limpid-limits-");
  const migrations = join(import.meta.dir, "../../drizzle");
  const store = await openStore({ url: `file:${folder}/limpid.db`, migrations });
  closeLater(() => store.close());
  const warnings: string[] = [];
  const config = readConfig({ LIMPID_DATA_DIR: folder, ...env }, { sources: [], readSecret: () => "" });
  const metrics = createTestMetrics();
  const context = {
    now: () => 0,
    log: (_level: string, event: string) => void warnings.push(event),
    metrics,
  };
  const openSession = () => expect.unreachable("nobody outside is asked");
  const opened = openAdmissions(config, store, context);
  const limits = openLimits(config, { store, noteVotes: () => {}, openSession }, context, opened);
  return { folder, warnings, limits, read: async () => parseExposition(await metrics.write()) };
}

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

test("openLimits() tells the metrics of votes and verifications", async () => {
  const { limits, read } = await open({});
  const address = "192.0.2.1";
  await limits.votes.save({ address, scenario: "ai", voter: "v", day: 0, rating: 4 });
  expect(await limits.votes.read(address)).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
  expect(await limits.verification.verify({ address, action: "lookup" }, "{}")).toBe("failed");
  const shown = await read();
  expect(readValue(shown, "limpid_votes_total", {})).toBe(1);
  expect(readValue(shown, "limpid_verifications_total", { result: "failed" })).toBe(1);
});

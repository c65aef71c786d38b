import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, MIGRATIONS } from "#kit";
import { readDbArguments, runDb } from "../../src/cli/db.ts";
import { makeReport } from "../store/make_report.ts";
import { DAY, NOW, setUpDatabase } from "../store/three_reports.ts";

const { open, fill } = setUpDatabase();

const makeFolder = () => createTemporaryFolder("limpid-db-cli-");

/** The command in this process. */
async function run(folder: string, args: readonly string[], { retentionMs }: { retentionMs?: number } = {}) {
  const parts: string[] = [];
  const code = await runDb(
    { database: { url: `file:${join(folder, "limpid.db")}` }, retentionMs },
    readDbArguments(args),
    {
      paths: { migrations: MIGRATIONS, program: [] },
      now: () => NOW,
      write: async (text) => void parts.push(String(text)),
      abortOnSignal: () => new AbortController().signal,
    },
  );
  return { code, text: parts.join("") };
}

describe("readDbArguments()", () => {
  test("reads every action", () => {
    expect(readDbArguments(["backup", "a.db"])).toEqual({
      action: "backup",
      file: "a.db",
      force: false,
      json: false,
    });
    expect(readDbArguments(["backup", "--force", "a.db"])).toMatchObject({ force: true });
    expect(readDbArguments(["restore", "a.db"])).toMatchObject({ action: "restore", file: "a.db" });
    expect(readDbArguments(["stats", "--json"])).toMatchObject({ action: "stats", json: true });
    expect(readDbArguments(["prune", "--older-than", "30"])).toMatchObject({ olderThanDays: 30 });
  });
});

describe("runDb()", () => {
  test("backs up and says what it saved", async () => {
    const folder = await fill();
    const file = join(folder, "b.db");
    const { code, text } = await run(folder, ["backup", file]);
    expect(code).toBe(0);
    expect(text).toMatch(/^saved 3 reports as .*b\.db: [\d.]+ kB in 0\.0 s\n$/);
  });

  test("checks: exit code 0 or 1, the problems, and no control characters", async () => {
    const folder = await fill();
    expect(await run(folder, ["check"])).toMatchObject({
      code: 0,
      text: "structure   ok\nreports     3\nhistory     3\nproblems    0\n",
    });
    const other = makeFolder();
    await (await open(other)).save(makeReport("9.9.5.1", NOW), "{}");
    const address = "\u001b[2J";
    await (await open(other)).save({ ...makeReport("9.9.5.2", NOW), address }, "{}");
    const found = await run(other, ["check"]);
    expect(found.text).toContain('problem: report "?[2J": its address is not in canonical form\n');
    expect(found.code).toBe(1);
    const damaged = makeFolder();
    writeFileSync(join(damaged, "limpid.db"), "x".repeat(9000));
    const json = JSON.parse((await run(damaged, ["check", "--json"])).text);
    expect(json).toMatchObject({ isSound: false, structure: "damaged" });
  });

  test("prunes by --older-than, else by the retention, else not; votes stay", async () => {
    const folder = await fill();
    await expect(run(folder, ["prune"])).rejects.toThrow("prune needs --older-than DAYS");
    const first = await run(folder, ["prune", "--older-than", "1"], { retentionMs: 9 * DAY });
    expect(first).toMatchObject({ code: 0, text: "deleted 1 reports and 1 conclusions in 0.0 s\n" });
    const second = await run(folder, ["prune"], { retentionMs: DAY - 1 });
    expect(second.text).toStartWith("deleted 1 reports");
    const store = await open(folder);
    expect(await store.find("9.9.5.1")).toBeDefined();
    expect(await store.find("9.9.5.2")).toBeUndefined();
    expect(await store.ratings.read("9.9.5.2")).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
  });

  test("shows figures as a table or as JSON, without an address", async () => {
    const folder = await fill();
    const { text } = await run(folder, ["stats"]);
    const lines = text.split("\n");
    expect(lines).toContain("reports        3");
    expect(lines).toContain("newest survey  2026-09-21 14:13 UTC, 0s ago");
    expect(lines).toContain("oldest survey  2026-09-19 14:13 UTC, 2d ago");
    const json = JSON.parse((await run(folder, ["stats", "--json"])).text);
    expect(json).toMatchObject({ tables: { reports: 3 }, reports: { averageBytes: expect.any(Number) } });
    expect(text + JSON.stringify(json)).not.toContain("9.9.5");
  });
});

import { describe, expect, test } from "bun:test";
import type { Assessment } from "#report";
import { readBatchArguments } from "../../../src/cli/batch/batch.ts";
import { type Judged, judgeLines } from "../../../src/cli/batch/judge_lines.ts";
import { factsOfAnswer } from "../../../src/cli/batch/rows.ts";
import { assessmentOf } from "../../http/kit/open_app.ts";

function sourceOf(text: string) {
  return {
    size: text.length,
    bytesRead: () => text.length,
    async *lines() {
      yield* text.split("\n");
    },
  };
}

async function batch(text: string, args: readonly string[], judgeOne: (ip: string) => Judged, done = 0) {
  let written = "";
  const result = await judgeLines(readBatchArguments(["list", ...args]), {
    lines: sourceOf(text),
    judgeOne: async ({ text: ip }) => judgeOne(ip),
    write: (rows) => {
      written += rows;
    },
    done,
  });
  return { written, result, rows: written.trim().split("\n") };
}

describe("judgeLines", () => {
  const clean = (ip: string): Judged => ({
    ...factsOfAnswer({ assessment: assessmentOf(ip), heard: 1 }, true),
    purity: 85,
  });

  test("writes one row per line in the order of the input, whichever is judged first", async () => {
    const waits = new Map([
      ["192.0.2.1", 3],
      ["192.0.2.2", 1],
    ]);
    let written = "";
    await judgeLines(readBatchArguments(["list", "--parallel", "3"]), {
      lines: sourceOf("192.0.2.1\n192.0.2.2\n192.0.2.3\n"),
      async judgeOne({ text }) {
        for (let turn = waits.get(text) ?? 0; turn > 0; turn--) await Promise.resolve();
        return clean(text);
      },
      write: (rows) => {
        written += rows;
      },
      done: 0,
    });
    const inputs = written
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row).input);
    expect(inputs).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  });

  test("skips blank lines and comments, and writes a row for an invalid line", async () => {
    const { rows, result } = await batch("# list\n\n 192.0.2.1 \n192.0.2.300\n", [], clean);
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { input: "192.0.2.1", ip: "192.0.2.1", purity: 85, level: "clean" },
      { input: "192.0.2.300", error: "invalid_ip" },
    ]);
    expect(result).toMatchObject({ rows: 2, bad: 1, code: 2 });
  });

  test("returns the code of the worst result: no answer, invalid line, below the threshold, none", async () => {
    const judgeOne = (ip: string): Judged => (ip === "192.0.2.9" ? "unavailable" : clean(ip));
    const below = ["--fail-below", "86"];
    expect((await batch("192.0.2.1", [], judgeOne)).result.code).toBe(0);
    expect((await batch("192.0.2.1", ["--fail-below", "85"], judgeOne)).result.code).toBe(0);
    expect((await batch("192.0.2.1", below, judgeOne)).result.code).toBe(1);
    const unheard = (ip: string): Judged => ({
      ...factsOfAnswer({ assessment: assessmentOf(ip), heard: 0 }, true),
    });
    expect((await batch("192.0.2.1", ["--fail-below", "10"], unheard)).result.code).toBe(3);
    expect((await batch("192.0.2.1\nx", below, judgeOne)).result.code).toBe(2);
    expect((await batch("192.0.2.1\nx\n192.0.2.9", below, judgeOne)).result.code).toBe(3);
  });

  test("counts lists that could not be queried and sources that failed apart", async () => {
    const list = { zone: "a", label: "A", listed: false, benign: false };
    const failing = (ip: string): Judged => {
      const assessment: Assessment = {
        ...assessmentOf(ip),
        listings: [
          { ...list, unavailable: true },
          { ...list, zone: "b", unavailable: false },
        ],
        sources: ["a", "c", "d"].map((id) => ({ id, name: id, kind: "free", ms: 1, state: "failed" })),
      };
      return factsOfAnswer({ assessment, heard: 1 }, true);
    };
    const { rows } = await batch("192.0.2.1", [], failing);
    expect(JSON.parse(rows[0] ?? "")).toMatchObject({ listed: 0, unavailable: 1, failed: 3 });
  });

  test("quotes every cell of CSV and lets no cell be a formula", async () => {
    const hostile = (ip: string): Judged => ({
      ...factsOfAnswer({ assessment: assessmentOf(ip), heard: 1 }, true),
      asName: '=HYPERLINK("http://x")',
    });
    const { rows } = await batch("192.0.2.1\n=1+1\n", ["--format", "csv"], hostile);
    expect(rows[0]).toStartWith('"input","ip","purity"');
    expect(rows[1]).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(rows[2]).toStartWith(`"'=1+1"`);
    for (const row of rows) expect(row).toMatch(/^"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*$/);
  });
});

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExitError, factsOfAnswer, type Judged, readBatchArguments, runBatch } from "#cli";
import { runLimpid } from "#kit";
import { assessmentOf } from "../http/kit/open_app.ts";

const folder = mkdtempSync(join(tmpdir(), "limpid-batch-"));
const env = { LIMPID_DATA_DIR: join(folder, "data"), LIMPID_LIVE: "0", LIMPID_FEEDS: "0" };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sourceOf(text: string) {
  return {
    size: text.length,
    read: () => text.length,
    async *lines() {
      yield* text.split("\n");
    },
  };
}

async function batch(text: string, args: readonly string[], judgeOne: (ip: string) => Judged, done = 0) {
  let written = "";
  const result = await runBatch(readBatchArguments(["list", ...args]), {
    lines: sourceOf(text),
    judgeOne: async ({ text: ip }) => judgeOne(ip),
    write: (rows) => {
      written += rows;
    },
    done,
  });
  return { written, result, rows: written.trim().split("\n") };
}

describe("readBatchArguments", () => {
  test("takes the form of the rows from the name of the output, unless told", () => {
    expect(readBatchArguments(["a"]).format).toBe("ndjson");
    expect(readBatchArguments(["a", "--out", "b.csv"]).format).toBe("csv");
    expect(readBatchArguments(["a", "--out", "b.csv", "--format", "ndjson"]).format).toBe("ndjson");
  });

  test.each([
    [],
    ["a", "b"],
    ["a", "--parallel", "0"],
    ["a", "--parallel", "17"],
    ["a", "--parallel", "1e1"],
    ["a", "--format", "xml"],
    ["a", "--fail-below", "101"],
    ["a", "--fail-below", "-1"],
    ["a", "--nope"],
    ["a", "--out", "x", "--out", "y"],
  ])("refuses %p", (...args: string[]) => {
    expect(() => readBatchArguments(args)).toThrow(ExitError);
  });
});

describe("runBatch", () => {
  const clean = (ip: string): Judged => ({
    ...factsOfAnswer({ assessment: assessmentOf(ip), heard: 1 }, true),
    purity: 85,
  });

  test("writes one row a line in the order of the input, whoever is judged first", async () => {
    const waits = new Map([
      ["192.0.2.1", 3],
      ["192.0.2.2", 1],
    ]);
    let written = "";
    await runBatch(readBatchArguments(["list", "--parallel", "3"]), {
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

  test("passes over blank lines and remarks, and gives a row to what is no address", async () => {
    const { rows, result } = await batch("# list\n\n 192.0.2.1 \n192.0.2.300\n", [], clean);
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { input: "192.0.2.1", ip: "192.0.2.1", purity: 85, level: "clean" },
      { input: "192.0.2.300", error: "invalid_ip" },
    ]);
    expect(result).toMatchObject({ rows: 2, bad: 1, code: 2 });
  });

  test("ends with the worst that happened: nobody answered, no address, below the threshold, nothing", async () => {
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

describe("limpid batch", () => {
  const input = join(folder, "list.txt");
  const lines = Array.from({ length: 700 }, (_, at) => `8.8.${at % 250}.${1 + Math.floor(at / 250)}`);
  writeFileSync(input, `${lines.join("\n")}\n`);
  const withoutTime = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[^"]+Z/g, "");

  test("says by the tables what a survey without live sources says", async () => {
    const rows = (await runLimpid(["batch", input, "--tables-only"], env)).out.trim().split("\n");
    expect(rows).toHaveLength(700);
    for (const at of [0, 333, 699]) {
      const { out } = await runLimpid(["lookup", lines[at] ?? "", "--json", "--lang", "en"], env);
      const report = JSON.parse(out);
      expect(JSON.parse(rows[at] ?? "")).toMatchObject({
        ip: report.ip,
        purity: report.risk.purity,
        level: report.risk.level,
        confidence: report.risk.confidence,
        usageType: report.usageType,
        nativeType: report.nativeType,
        asn: report.asn.asn,
        country: report.geo.country,
      });
    }
  });

  test.each(["ndjson", "csv"])(
    "goes on where a killed run ended, a torn row cut off (%s)",
    async (format) => {
      const [whole, torn] = [join(folder, `whole.${format}`), join(folder, `torn.${format}`)];
      const args = ["batch", input, "--tables-only", "--format", format, "--out"];
      expect((await runLimpid([...args, whole], env)).code).toBe(0);
      const all = readFileSync(whole, "utf8");
      writeFileSync(torn, all);
      truncateSync(torn, 20_011);
      expect((await runLimpid([...args, torn], env)).code).toBe(0);
      expect(withoutTime(readFileSync(torn, "utf8"))).toBe(withoutTime(all));
      expect((await runLimpid([...args, torn], env)).code).toBe(0);
      expect(withoutTime(readFileSync(torn, "utf8"))).toBe(withoutTime(all));
    },
  );

  test("adds nothing to the output of another input", async () => {
    const out = join(folder, "other.ndjson");
    await runLimpid(["batch", input, "--tables-only", "--out", out], env);
    const before = readFileSync(out, "utf8");
    const other = join(folder, "other.txt");
    writeFileSync(other, `${[...lines].reverse().join("\n")}\n`);
    expect(await runLimpid(["batch", other, "--tables-only", "--out", out], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining("belong to another input"),
    });
    expect(readFileSync(out, "utf8")).toBe(before);
  });

  test("names a file that it cannot read, and an output that it cannot write", async () => {
    expect(await runLimpid(["batch", join(folder, "none")], env)).toMatchObject({ code: 2, out: "" });
    const nowhere = join(folder, "none/out.csv");
    expect(await runLimpid(["batch", input, "--tables-only", "--out", nowhere], env)).toMatchObject({
      code: 73,
    });
  });
});

import { describe, expect, test } from "bun:test";
import { ExitError } from "#app";
import { summarizeText } from "#network";
import { type Assessment, SCENARIOS } from "#report";
import { readItems } from "../../../src/cli/batch/items.ts";
import { type Judged, judgeItems } from "../../../src/cli/batch/judge_items.ts";
import { readLines } from "../../../src/cli/batch/read_lines.ts";
import { createRowWriter, factsOfAnswer } from "../../../src/cli/batch/rows.ts";
import { assessmentOf } from "../../http/kit/open_app.ts";
import { openNetworks, openSmall } from "../../network/small_networks.ts";

interface Given
  extends Partial<
    Pick<Parameters<typeof judgeItems>[0], "written" | "hasHead" | "failBelow" | "judgeNetwork">
  > {
  readonly format?: "ndjson" | "csv";
  readonly unique?: boolean;
  readonly parallel?: number;
}

async function batch(
  text: string,
  judgeOne: (ip: string) => Judged | Promise<Judged | undefined>,
  { format = "ndjson", unique = false, parallel = 4, ...ports }: Given = {},
) {
  let written = "";
  const lines = readLines(new Response(text).body ?? expect.unreachable());
  const result = await judgeItems({
    items: readItems(lines, { all: false, unique, networks: ports.judgeNetwork !== undefined }),
    writer: createRowWriter(format, unique),
    judgeOne: (address) => judgeOne(address.text),
    parallel,
    write(rows) {
      written += rows;
    },
    ...ports,
  });
  return { result, written, rows: written.split("\n").slice(0, -1) };
}

function judgementOf(assessment: Assessment, heard = 1) {
  return {
    facts: { ...factsOfAnswer({ assessment, liveAnswers: heard }, true), purity: 85 },
    surveyedAt: assessment.surveyedAt,
  };
}

const clean = (ip: string) => judgementOf(assessmentOf(ip));

describe("judgeItems", () => {
  test("writes the summary of a line that is a network, or why it has none", async () => {
    const networks = openNetworks(openSmall({ asn: [["81.2.69.0/24", 64500, "Example"]] }));
    const text = "192.0.2.1\n81.2.69.0/24\nAS64500\n81.2.69.0/24 more text\nAS64999\n10.0.0.0/8\n";
    const { result, rows } = await batch(text, clean, {
      async judgeNetwork(one) {
        const summary = await summarizeText(one, networks);
        return typeof summary === "string" ? summary : { network: summary };
      },
    });
    expect(result).toMatchObject({ rows: 6, bad: 2 });
    expect(rows.map((row) => JSON.parse(row) as unknown)).toMatchObject([
      { ip: "192.0.2.1" },
      { input: "81.2.69.0/24", network: { prefix: "81.2.69.0/24", asked: 256 } },
      { input: "AS64500", network: { asn: 64500 } },
      { ip: "81.2.69.0" },
      { input: "AS64999", error: "not_announced" },
      { input: "10.0.0.0/8", error: "special_space" },
    ]);
  });

  test("writes one row per line in the order of the input, whichever is judged first", async () => {
    const waits = new Map([
      ["192.0.2.1", 3],
      ["192.0.2.2", 1],
    ]);
    const { rows } = await batch(
      "192.0.2.1\n192.0.2.2\n192.0.2.3\n",
      async (ip) => {
        for (let turn = waits.get(ip) ?? 0; turn > 0; turn--) await Promise.resolve();
        return clean(ip);
      },
      { parallel: 3 },
    );
    expect(rows.map((row) => JSON.parse(row).input)).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  });

  test("runs at most as many surveys at once as it may", async () => {
    let running = 0;
    let most = 0;
    const text = Array.from({ length: 20 }, (_, at) => `192.0.2.${at}`).join("\n");
    const { rows } = await batch(
      text,
      async (ip) => {
        running += 1;
        most = Math.max(most, running);
        await Bun.sleep(1);
        running -= 1;
        return clean(ip);
      },
      { parallel: 3 },
    );
    expect(rows).toHaveLength(20);
    expect(most).toBe(3);
  });

  test("skips blank lines and comments, and writes a row for an invalid line", async () => {
    const { rows, result } = await batch("# list\n\n 192.0.2.1 \n192.0.2.300\n", clean);
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { input: "192.0.2.1", ip: "192.0.2.1", purity: 85, level: "clean" },
      { input: "192.0.2.300", error: "invalid_ip" },
    ]);
    expect(result).toMatchObject({ rows: 2, bad: 1 });
  });

  test("counts rows without an answer, and rows below the threshold", async () => {
    const judgeOne = (ip: string): Judged => (ip === "192.0.2.9" ? "unavailable" : clean(ip));
    expect((await batch("192.0.2.1\n192.0.2.9", judgeOne)).result).toMatchObject({
      unavailable: 1,
      below: 0,
    });
    expect((await batch("192.0.2.1", judgeOne, { failBelow: 85 })).result.below).toBe(0);
    expect((await batch("192.0.2.1", judgeOne, { failBelow: 86 })).result.below).toBe(1);
    const unheard = (ip: string) => judgementOf(assessmentOf(ip), 0);
    expect((await batch("192.0.2.1", unheard, { failBelow: 10 })).result.unavailable).toBe(1);
    expect((await batch("192.0.2.1", unheard)).result.unavailable).toBe(1);
  });

  test("writes the scores of the six use cases", async () => {
    const withScores = (scoreOf: (at: number) => number | null) => (ip: string) =>
      judgementOf({
        ...assessmentOf(ip),
        scenarios: SCENARIOS.map((id, at) => ({ id, score: scoreOf(at), level: "good", reasons: [] })),
      });
    const { rows } = await batch(
      "192.0.2.1",
      withScores((at) => 60 + at),
    );
    expect(JSON.parse(rows[0] ?? "")).toMatchObject({
      ai: 60,
      social: 61,
      streaming: 62,
      gaming: 63,
      ecommerce: 64,
      email: 65,
    });
    const none = withScores(() => null);
    expect(JSON.parse((await batch("192.0.2.1", none)).rows[0] ?? "")).toMatchObject({
      ai: null,
      email: null,
    });
    expect((await batch("192.0.2.1", none, { format: "csv" })).rows[1]).toEndWith('Z","","","","","","",""');
  });

  test("counts lists that could not be queried and sources that failed apart", async () => {
    const list = { zone: "a", label: "A", listed: false, benign: false };
    const failing = (ip: string): Judged =>
      judgementOf({
        ...assessmentOf(ip),
        listings: [
          { ...list, unavailable: true },
          { ...list, zone: "b", unavailable: false },
        ],
        sources: ["a", "c", "d"].map((id) => ({ id, name: id, kind: "free", ms: 1, state: "failed" })),
      });
    const { rows } = await batch("192.0.2.1", failing);
    expect(JSON.parse(rows[0] ?? "")).toMatchObject({ listed: 0, unavailable: 1, failed: 3 });
  });

  test("quotes every cell of CSV and lets no cell be a formula", async () => {
    const hostile = (ip: string): Judged => {
      const { facts, surveyedAt } = clean(ip);
      return { facts: { ...facts, asName: '=HYPERLINK("http://x")' }, surveyedAt };
    };
    const text = '192.0.2.1\n=1+1\n@192.0.2.300\n＝192.0.2.1\n-192.0.2.300 "x" 192.0.2.1\n';
    const { rows } = await batch(text, hostile, { format: "csv" });
    expect(rows[0]).toStartWith('"input","ip","purity"');
    expect(rows[1]).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(rows[2]).toStartWith(`"'=1+1"`);
    expect(rows[3]).toStartWith(`"'@192`);
    expect(rows[4]).toStartWith(`"'＝192`);
    expect(rows[5]).toStartWith(`"'-192.0.2.300 ""x"" 192.0.2.1","192.0.2.1",`);
    for (const row of rows) expect(row).toMatch(/^"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*$/);
  });

  describe("with the rows of an earlier run", () => {
    const hostile = `192.0.2.1\t"a"\n'192.0.2.2\n=192.0.2.3\u0000\n${"\ud83d\ude00".repeat(40)} 192.0.2.4\n192.0.2.1 z\n`;

    test.each(["ndjson", "csv"] as const)(
      "judges and writes only the others, whatever the lines are (%s)",
      async (format) => {
        for (const unique of [false, true]) {
          const whole = await batch(hostile, clean, { format, unique });
          const rows = whole.written.split("\n").slice(format === "csv" ? 1 : 0, -1);
          expect(rows).toHaveLength(unique ? 4 : 5);
          for (let done = 1; done <= rows.length; done++) {
            const judged: string[] = [];
            const judgeOne = (ip: string) => {
              judged.push(ip);
              return clean(ip);
            };
            const written = rows.slice(0, done);
            const rest = await batch(hostile, judgeOne, { format, unique, written, hasHead: true });
            expect(rest.rows).toEqual(rows.slice(done));
            expect(judged).toHaveLength(rows.length - done);
            expect(rest.result.rows).toBe(rows.length);
          }
        }
      },
    );

    test("refuses rows of other lines, more rows than lines, and counts that changed", async () => {
      const { rows } = await batch("192.0.2.1\n192.0.2.2\n192.0.2.1\n", clean);
      for (const other of ["192.0.2.2\n192.0.2.1\n", "192.0.2.1\n", "192.0.2.1\n192.0.2.20\n192.0.2.1\n"]) {
        await expect(batch(other, clean, { written: rows })).rejects.toThrow(ExitError);
      }
      const unique = await batch("192.0.2.1\n192.0.2.2\n192.0.2.1\n", clean, { unique: true });
      const more = "192.0.2.1\n192.0.2.2\n192.0.2.1\n192.0.2.1\n";
      await expect(batch(more, clean, { unique: true, written: unique.rows })).rejects.toThrow(
        /another input, as row 1 /,
      );
    });
  });

  test("ends the rows before a survey that the signal aborts", async () => {
    const judge = async (ip: string) => (ip === "192.0.2.2" ? undefined : clean(ip));
    expect((await batch("192.0.2.1\n192.0.2.2\n192.0.2.3\n", judge)).rows).toHaveLength(1);
  });

  test("stops when the signal aborts, and writes no count of a part of the input", async () => {
    const aborting = new AbortController();
    let lines = 0;
    let written = "";
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(1);
        controller.enqueue(new TextEncoder().encode("192.0.2.1\n"));
        if (lines++ === 5) aborting.abort();
      },
    });
    const result = await judgeItems({
      items: readItems(readLines(endless), { all: false, unique: true }),
      writer: createRowWriter("ndjson", true),
      judgeOne: ({ text }) => clean(text),
      parallel: 1,
      write(text) {
        written += text;
      },
      signal: aborting.signal,
    });
    expect({ rows: result.rows, written }).toEqual({ rows: 0, written: "" });
  });
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { createLog } from "#app";
import { listPatterns, type Pattern } from "./list_patterns.ts";

/** At 8 192 characters; what grows with the length alone takes a tenth of it. */
const MOST_MS = 25;

/** Slow on long texts, and never given one: by file and the beginning of the pattern, why. */
const BOUNDED: readonly (readonly [string, string, string])[] = [
  ["src/config.ts", "\\/+$", "reads what the operator sets"],
  ["src/limits/client.ts", "^[ \\t]+|[ \\t]+$", "a hop of more than 64 characters is not read"],
  ["src/sources/outcome.ts", "\\S*[\\\\/]", "reads what the program says of its own files"],
  ["src/cli/batch/batch.ts", "\\B(?=(\\d{3})+$)", "reads a number of the program's own"],
];

interface Worst {
  readonly ms: number;
  readonly attack: string;
}

/** In its own process, with a deadline. */
async function probe(patterns: readonly Pattern[], mostMs = 50_000): Promise<readonly Worst[]> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "probe_patterns.ts")], {
    stdin: new Blob([patterns.map((pattern) => JSON.stringify(pattern)).join("\n")]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const end = setTimeout(() => child.kill(), mostMs);
  const lines = (await new Response(child.stdout).text()).split("\n").filter((line) => line !== "");
  clearTimeout(end);
  const worst = lines.map((line) => JSON.parse(line) as Worst);
  const stuck = patterns[worst.length];
  if (stuck !== undefined)
    throw new Error(`Cannot end: /${stuck.source}/ in ${stuck.file}:${stuck.line} runs away`);
  return worst;
}

const isBounded = ({ file, source }: Pattern) =>
  BOUNDED.some(([where, start]) => where === file && source.startsWith(start));

test("no regular expression takes long on any text", async () => {
  const patterns = [...listPatterns("src"), ...listPatterns("static")];
  expect(patterns.length).toBeGreaterThan(200);
  for (const [file, start] of BOUNDED)
    expect(
      patterns.some((pattern) => pattern.file === file && pattern.source.startsWith(start)),
      `${file} ${start}`,
    ).toBe(true);
  const looked = patterns.filter((pattern) => !isBounded(pattern));
  const worst = await probe(looked);
  const slow = looked.flatMap(({ file, line, source }, at) =>
    (worst[at]?.ms ?? 0) > MOST_MS
      ? [`${file}:${line} /${source}/ ${worst[at]?.ms} ms on ${worst[at]?.attack}`]
      : [],
  );
  expect(slow).toEqual([]);
});

test("the probe finds a slow regular expression", async () => {
  const make = (source: string): Pattern => ({ file: "x", line: 1, source, flags: "" });
  const worst = await probe([make("\\s+$|x"), make("^[a-z]+$")]);
  expect(worst[0]?.ms ?? 0).toBeGreaterThan(MOST_MS);
  expect(worst[1]?.ms ?? 99).toBeLessThan(MOST_MS);
  await expect(probe([make("(.*)a(.*)b(.*)c(.*)d(.*)e")], 2_000)).rejects.toThrow("runs away");
});

test("a log line from outside takes no longer", () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug", readable: false, now: () => 0, write: (line) => lines.push(line) });
  const startedAt = performance.now();
  for (const piece of [":", "1.", "a:", "%3a", "0.", "::1.", "f", "1.1.1.1.", "\u202e", '"\\'])
    for (let turn = 0; turn < 20; turn++) log("debug", "attack", { text: piece.repeat(100_000) });
  expect(lines).toHaveLength(200);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(20_000);
  expect((performance.now() - startedAt) / 200).toBeLessThan(20);
});

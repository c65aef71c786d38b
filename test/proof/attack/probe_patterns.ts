/**
 * Reads patterns as JSON lines and writes a line for each: the longest time of an attack on it in milliseconds, and
 * the attack. It is its own process, because a slow pattern cannot be stopped in any other way.
 */
import fc from "fast-check";
import PIECES from "../../fixtures/attacks/pieces.json";

/** Four times the longest URL that is read; what grows with the square of it shows. */
const LENGTH = 8_192;
/** Exponential patterns are detected before they run forever. */
const SHORT = 26;
const ENOUGH_MS = 200;

function timeOf(pattern: RegExp, text: string): number {
  const startedAt = performance.now();
  pattern.lastIndex = 0;
  text.replace(pattern, "");
  return performance.now() - startedAt;
}

function* makeAttacks(pattern: RegExp, length: number): Generator<string> {
  const literal =
    pattern.source
      .replace(/^\^/, "")
      .match(/^(?:[A-Za-z0-9 :@_-]|\\[/.])*/)?.[0]
      ?.replaceAll("\\", "") ?? "";
  for (const piece of PIECES) {
    const body = piece.repeat(Math.ceil(length / piece.length));
    for (const head of new Set(["", literal]))
      for (const tail of ["", "\u0001", "!"]) yield head + body + tail;
  }
  for (const sample of samplesOf(pattern)) {
    for (let from = 0; from < Math.min(sample.length, 24); from++) {
      for (const width of [1, 2, 3]) {
        const piece = sample.slice(from, from + width);
        if (piece === "") continue;
        const pumped = piece.repeat(Math.ceil(length / piece.length));
        for (const tail of ["\u0001", ""])
          yield sample.slice(0, from) + pumped + sample.slice(from + width) + tail;
      }
    }
  }
}

const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

/**
 * Texts that match; none for patterns that the generator does not know how to read. It draws printable ASCII, so it would
 * search forever for a class that has none of it.
 */
function samplesOf(pattern: RegExp): readonly string[] {
  const classes = pattern.source.match(/\[\^(?:\\.|[^\]\\])*\]/g) ?? [];
  if (classes.some((one) => !PRINTABLE.some((character) => new RegExp(one, pattern.flags).test(character))))
    return [];
  try {
    return fc.sample(fc.stringMatching(pattern), { numRuns: 3, seed: 7 });
  } catch {
    return [];
  }
}

for (const line of (await Bun.stdin.text()).split("\n").filter((text) => text !== "")) {
  const { source, flags } = JSON.parse(line) as { source: string; flags: string };
  const pattern = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  let worst = { ms: 0, attack: "" };
  search: for (const length of [SHORT, LENGTH]) {
    for (const attack of makeAttacks(pattern, length)) {
      // The best of three, because of pauses of the machine.
      const first = timeOf(pattern, attack);
      const ms = first < 10 ? first : Math.min(first, timeOf(pattern, attack), timeOf(pattern, attack));
      if (ms > worst.ms) worst = { ms, attack: `${attack.slice(0, 40)}… (${attack.length})` };
      if (ms > ENOUGH_MS) break search;
    }
  }
  process.stdout.write(`${JSON.stringify(worst)}\n`);
}

import { describe, expect, test } from "bun:test";
import { FEEDS, fuzzFeed } from "./fuzz_feeds.ts";
import type { Fuzzed } from "./fuzz_reader.ts";
import { fuzzSource, READERS } from "./fuzz_sources.ts";
import { stretchSources } from "./stretch_sources.ts";

/** `PROOF=full` for the long form. */
const RUNS = Bun.env.PROOF === "full" ? 100_000 : 300;
const STRETCHED = Bun.env.PROOF === "full" ? 1_048_576 : 32_768;
const MOST_STRETCHED_MS = Bun.env.PROOF === "full" ? 250 : 20;
const SEED = Number(Bun.env.PROOF_SEED ?? 7);
const MOST_P99_MS = 5;
/** A download of 64 kB is read whole, and each row is checked. */
const MOST_DOWNLOAD_P99_MS = 40;
const MOST_MS = 100;
const MOST_CHARACTERS = 65_536;

function judge(
  { runs, refused, taken, p99Ms, mostMs, mostCharacters }: Fuzzed,
  id: string,
  mostP99Ms: number,
): void {
  if (RUNS > 1_000) {
    console.log(
      `${id}: ${runs} answers, ${refused} refused, p99 ${p99Ms.toFixed(2)} ms, most ${mostMs.toFixed(1)} ms, ${mostCharacters} characters`,
    );
  }
  expect(refused + taken).toBe(RUNS);
  expect(refused).toBeGreaterThan(0);
  expect(p99Ms).toBeLessThan(mostP99Ms);
  expect(mostMs).toBeLessThan(MOST_MS);
  expect(mostCharacters).toBeLessThan(MOST_CHARACTERS);
}

describe("a reader of answers, for long", () => {
  test.each(READERS.map((source, at) => [source.id, source, at] as const))(
    "refuses hostile ones or says something bounded: %s",
    (id, source, at) => judge(fuzzSource(source, RUNS, SEED * 1_000 + at), id, MOST_P99_MS),
    600_000,
  );
});

describe("a reader of answers, with long texts", () => {
  test("takes time in proportion to the length of any text in any place", () => {
    const slowest = stretchSources(STRETCHED);
    expect(slowest.map(({ source }) => source)).toEqual(READERS.map(({ id }) => id));
    // A backtracking expression takes seconds for this; reading it through takes a fraction of a millisecond.
    expect(slowest.filter(({ wholeMs }) => wholeMs > MOST_STRETCHED_MS)).toEqual([]);
  }, 600_000);
});

describe("a reader of downloads, for long", () => {
  test.each(FEEDS.map((feed, at) => [feed.id, feed, at] as const))(
    "refuses hostile ones or takes rows: %s",
    (id, feed, at) => judge(fuzzFeed(feed, RUNS, SEED * 2_000 + at), id, MOST_DOWNLOAD_P99_MS),
    600_000,
  );
});

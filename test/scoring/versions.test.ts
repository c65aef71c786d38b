import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { describeMethod, RANGE_POINTS, SCORING_VERSION, SCORING_VERSIONS } from "#scoring";
import { isRenewing } from "../kit/golden.ts";

/** The digest of the tables of each version. `bun run golden` adds the digest of a version that has none. */
const DIGESTS = join(import.meta.dir, "../fixtures/golden/scoring_versions.json");

/** Digest of every number that scores: weights, caps, shares, thresholds, ranges, tables of use cases and regions. */
function digestTables(): string {
  const { version, versions, sources, accuracy, ...tables } = describeMethod([]);
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify({ ...tables, range: RANGE_POINTS }))
    .digest("hex");
}

describe("the scoring version", () => {
  test("is raised when a number of the score changes", async () => {
    const recorded: Record<string, string> = await Bun.file(DIGESTS).json();
    if (recorded[SCORING_VERSION] === undefined && isRenewing) {
      recorded[SCORING_VERSION] = digestTables();
      await Bun.write(DIGESTS, `${JSON.stringify(recorded, null, 2)}\n`);
    }
    expect(recorded[SCORING_VERSION], describeMissingDigest()).toBeDefined();
    expect(digestTables(), describeChangedDigest()).toBe(recorded[SCORING_VERSION] ?? "");
  });

  test("has a date and a line in the list of changes", () => {
    expect<readonly number[]>(SCORING_VERSIONS.map(({ version }) => version)).toEqual(
      Array.from({ length: SCORING_VERSION }, (_, index) => SCORING_VERSION - index),
    );
    for (const { date, changes } of SCORING_VERSIONS) {
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(changes.length).toBeGreaterThan(0);
    }
    const ids = SCORING_VERSIONS.flatMap(({ changes }) => changes.map((id) => id as string));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

function describeMissingDigest(): string {
  return `Scoring version ${SCORING_VERSION} has no recorded digest: run \`bun run golden scoring\``;
}

function describeChangedDigest(): string {
  return [
    `A number of the score changed, but the scoring version is still ${SCORING_VERSION}.`,
    "In src/scoring/versions.json add a version with its change.",
    "Then run `bun run golden scoring`.",
    `If version ${SCORING_VERSION} is not released yet, delete its line in test/fixtures/golden/scoring_versions.json first.`,
  ].join(" ");
}

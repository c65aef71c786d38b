import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { mergeEvidence } from "#evidence";
import { score } from "#scoring";
import { ARCHETYPES, type ArchetypeId, TITLES } from "./archetypes.ts";
import { summarise } from "./summarise.ts";

const GOLDEN = join(import.meta.dir, "../fixtures/golden/archetypes");
const NAMES = Object.keys(ARCHETYPES) as ArchetypeId[];

describe("score() believably assesses (UPDATE_GOLDEN=1 writes the golden files)", () => {
  for (const name of NAMES) {
    test(TITLES[name], async () => {
      const evidence = mergeEvidence(ARCHETYPES[name]);
      const summary = summarise(evidence, score(evidence));
      const file = join(GOLDEN, `${name}.json`);
      if (process.env.UPDATE_GOLDEN === "1") await Bun.write(file, `${JSON.stringify(summary, null, 2)}\n`);
      expect(summary).toEqual(await Bun.file(file).json());
    });
  }

  test("kinds of which none has lost its survey", () => {
    const known = existsSync(GOLDEN) ? readdirSync(GOLDEN) : [];
    expect(known.toSorted()).toEqual(NAMES.map((name) => `${name}.json`).toSorted());
  });
});

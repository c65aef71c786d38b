import { describe, expect, test } from "bun:test";
import { reportTextsOf } from "#locale";
import { readSourceFixtures } from "../../sources/fixture.ts";

const zh = reportTextsOf("zh");
const en = reportTextsOf("en");

/** Every kind of attack that a recorded answer of any source was made into. */
const kinds = [...readSourceFixtures().values()].flatMap((cases) =>
  [...cases.values()].flatMap(({ expect: expected }) => {
    // Fixtures are read as they are; an observation without attacks has none to name.
    const observation = expected.observation as { abuse?: { attacks?: Record<string, number> } } | undefined;
    return Object.keys(observation?.abuse?.attacks ?? {});
  }),
);

describe("attacks", () => {
  test("of every source have a name in both languages", () => {
    expect(kinds.length).toBeGreaterThan(0);
    for (const { attacks } of [zh, en]) {
      expect([...new Set(kinds)].filter((kind) => !Object.hasOwn(attacks, kind))).toEqual([]);
    }
  });
});

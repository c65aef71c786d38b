import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatasets } from "#datasets";
import { FEEDS, openFeeds, openSnapshot } from "#feeds";
import { readAddress } from "#kit";
import { createTableClassifier, judgeSurvey } from "#lookup";
import { createTableSurvey, NO_SETTINGS, SOURCES } from "#sources";

const SEED = join(import.meta.dir, "../../seed");
const START = Date.parse("2026-08-30T00:00:00Z");
let nowMs = START;
const now = () => nowMs;

/** The tables and lists that ship with the program. `test/slow/lookup` has every edge of tables made by the test. */
function openShippedTables() {
  const feeds = openFeeds({ directory: join(SEED, "none"), feeds: FEEDS, snapshot: openSnapshot(SEED), now });
  const datasets = openDatasets({ directory: SEED, feeds });
  return createTableSurvey(SOURCES, { datasets, settings: NO_SETTINGS, now });
}

describe("createTableClassifier()", () => {
  test("gives addresses with the same evidence one object, and remembers an address", () => {
    const classifier = createTableClassifier(openShippedTables());
    const facts = classifier.classify(readAddress("185.0.0.1"));
    expect(classifier.classify(readAddress("185.0.0.2"))).toBe(facts);
    const classified = classifier.classifyText("185.0.0.3");
    expect(classified).toMatchObject({ ip: "185.0.0.3" });
    expect(classified?.facts).toBe(facts);
    expect(classifier.classifyText("185.0.0.3")).toBe(classified ?? expect.unreachable());
  });

  test("reads addresses as the rest of the program does", () => {
    const classifier = createTableClassifier(openShippedTables());
    expect(classifier.classifyText("[2A01:4F8::1]")?.ip).toBe("2a01:4f8::1");
    expect(classifier.classifyText("::ffff:8.8.8.8")?.ip).toBe("8.8.8.8");
    for (const text of ["", "8.8.8.08", "8.8.8.8 ", "8.8.8.8/32", "fe80::1%eth0", "x".repeat(10_000)])
      expect(classifier.classifyText(text)).toBeUndefined();
  });

  test("says what a special-purpose address is for", () => {
    const classifier = createTableClassifier(openShippedTables());
    expect(classifier.classify(readAddress("10.1.2.3"))).toMatchObject({
      purity: 50,
      confidence: "low",
      purpose: "private_use",
      flags: { isBogon: true },
    });
  });

  test("answers like a survey, also after a year without an update", () => {
    const tables = openShippedTables();
    const classifier = createTableClassifier(tables);
    const texts = ["1.1.1.1", "8.8.8.9", "8.8.8.10", "45.83.220.10", "2a01:4f8::1", "192.0.2.1", "3.5.140.1"];
    for (const day of [0, 400]) {
      nowMs = START + day * 86_400_000;
      for (const text of [...texts, ...texts])
        expect(classifier.classifyText(text)?.facts).toEqual(judgeSurvey(tables.survey(readAddress(text))));
    }
    nowMs = START;
  });
});

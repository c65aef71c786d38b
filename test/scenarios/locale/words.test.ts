import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nameFamily, reportTextsOf } from "#locale";
import { HOME, SERVER } from "../../fixtures/assessments.ts";
import TEXTS from "../../fixtures/locale.json";
// Words that readers of the trade do not use or do not understand, with the words in their place.
import RETIRED from "../../fixtures/retired_words.json";
import { reportOf } from "../../render/full_reports.ts";

const LOCALE = join(import.meta.dir, "../../../src/locale");

describe.each(["zh", "en"] as const)("texts in %s", (language) => {
  test("have none of the retired words", () => {
    for (const file of readdirSync(join(LOCALE, language))) {
      const text = readFileSync(join(LOCALE, language, file), "utf8");
      for (const [word, instead] of Object.entries(RETIRED[language]))
        expect(text.includes(word), `${language}/${file}: ${word} (write: ${instead})`).toBe(false);
    }
  });
});

describe("names", () => {
  test("of source families are names and not ids", () => {
    expect(nameFamily("proxycheck", "zh")).toBe("proxycheck.io");
    expect(nameFamily("as_class", "zh")).toBe("AS 类型库");
    expect(nameFamily("as_class", "en")).toBe("AS type table");
    for (const unknown of ["retired_family", "constructor", "__proto__"])
      expect(nameFamily(unknown, "zh")).toBe(unknown);
    const hosting = reportOf(SERVER, "zh").risk.factors.find(({ id }) => id === "hosting");
    expect(hosting?.detail).toContain("proxycheck.io、AS 表、X4BNet（3 家数据方）");
  });

  test("of cities and provinces are Chinese in Chinese where the table has them", () => {
    const placed = (country: string, region: string, city: string, language: "zh" | "en" = "zh") =>
      reportOf({ ...HOME, geo: { country, region, city } }, language).geo;
    expect(placed("DE", "Hesse", "Frankfurt am Main")).toMatchObject({ region: "黑森州", city: "法兰克福" });
    expect(placed("CN", "Guangdong", "Shenzhen")).toMatchObject({ region: "广东", city: "深圳" });
    expect(placed("BR", "São Paulo", "São Paulo")).toMatchObject({ city: "圣保罗" });
    expect(placed("JP", "Tokyo", "Tokyo (Chiyoda)")).toMatchObject({ region: "东京", city: "东京" });
    expect(placed("GB", "Nowhere", "constructor")).toMatchObject({ region: "Nowhere", city: "constructor" });
    expect(placed("DE", "Hesse", "Frankfurt am Main", "en")).toMatchObject({ city: "Frankfurt am Main" });
  });
});

describe("details of sources", () => {
  const say = (detail: string, language: "zh" | "en") =>
    reportOf(
      {
        ...SERVER,
        sources: [{ id: "x", name: "X", kind: "free", state: "failed", ms: 1, error: "unavailable", detail }],
      },
      language,
    ).sources[0]?.error;

  test.each(TEXTS.details as [string, string][])("are Chinese in Chinese: %s", (detail, text) => {
    expect(say(detail, "zh")).toBe(text);
  });

  test("stay as they are in English", () => {
    expect(say("connection refused", "en")).toBe("the query did not succeed (connection refused)");
    expect(say("not downloaded yet", "en")).toBe(reportTextsOf("en").sourceDetails["not downloaded yet"]);
  });
});

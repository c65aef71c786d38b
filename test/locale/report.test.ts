import { describe, expect, test } from "bun:test";
import { problemTextsOf, type ReportTexts, reportTextsOf, type Sentence } from "#locale";
import { type Data, LANGUAGES, type Language } from "#report";
import { VERDICT_IDS } from "#scoring";
import names from "../../src/locale/names.json" with { type: "json" };
import facts from "../fixtures/facts.json";

/** Every fact that a sentence may use, each with a different number or name. */
const FACTS: Data = facts;
const NAMES = ["Operator Q", "alpha", "beta", "List One", "Source Two", "Vendor Two"];
const BROKEN = /undefined|null|NaN|\[object|[{}]| {2}/;
/** Ambiguous width in Unicode Standard Annex #11: a CJK terminal may draw them two cells wide. */
const AMBIGUOUS = /[\u2010-\u2026\u00b0-\u00b7\u00d7\u2190-\u21ff\u2500-\u27bf]/u;

type Said =
  | Sentence
  | {
      readonly label?: string;
      readonly detail?: Sentence;
      readonly error?: Sentence;
      readonly hint?: Sentence;
    };

/** Every sentence of a language by its key, made of the given facts. */
function sayAll(language: Language, known: Data): ReadonlyMap<string, string> {
  const { factors, unknowns, reasons, verdicts, notes, otherVerdict } = reportTextsOf(language);
  const told = new Map([["otherVerdict", otherVerdict(known)]]);
  const tables = { factors, unknowns, problems: problemTextsOf(language), reasons, verdicts, notes };
  for (const [group, table] of Object.entries<Readonly<Record<string, Said>>>(tables)) {
    for (const [id, said] of Object.entries(table)) {
      const parts = Object.entries(typeof said === "function" ? { said } : said);
      for (const [part, text] of parts)
        told.set(`${group}.${id}.${part}`, typeof text === "string" ? text : text(known));
    }
  }
  return told;
}

const figures = (text: string) => (text.match(/\d+/g) ?? []).sort();

describe.each([...LANGUAGES])("sentences in %s", (language) => {
  const texts = reportTextsOf(language);

  test("name every purpose of a block and every role of a service", () => {
    const ids = Object.keys(names.purposes);
    const purposes = [...ids, "unknown to this build"].map((purpose) =>
      texts.notes.bogon({ block: "x", purpose }),
    );
    expect(new Set(purposes).size).toBe(ids.length + 1);
    const roles = ["public_dns_resolver", "root_server", "crawler", "unknown to this build"];
    expect(new Set(roles.map((role) => texts.notes.infrastructure({ operator: "x", role }))).size).toBe(4);
  });

  test("are complete with sample facts, and without any fact", () => {
    const said = sayAll(language, FACTS);
    expect(said.size).toBeGreaterThan(120);
    for (const [where, text] of said) {
      expect(text, where).not.toBe("");
      expect(text, where).not.toMatch(BROKEN);
      expect(text, where).not.toMatch(AMBIGUOUS);
      expect(text, where).not.toContain("?");
      expect(text, where).toBe(text.trim());
      const isSentence = !/^reasons|\.label$/.test(where);
      if (isSentence) expect(text, where).toEndWith(texts.period);
      if (isSentence && language === "zh") expect(text, where).toMatch(/\p{Script=Han}/u);
    }
    for (const [where, text] of sayAll(language, {})) {
      expect(text, where).not.toBe("");
      expect(text, where).not.toMatch(BROKEN);
    }
  });

  test("never promise safety", () => {
    for (const id of VERDICT_IDS)
      expect(texts.verdicts[id](FACTS)).not.toMatch(/\bsafe|secure|trustworthy|安全|放心|可信/i);
  });

  test("count the sources that answered where there is no signal, and prove nothing", () => {
    const verdict = texts.verdicts.no_signals(FACTS);
    expect(figures(verdict.replaceAll(",", ""))).toEqual(["1031", "929"]);
    expect(verdict).toMatch(/no proof|不等于绝对干净/);
  });
});

test("sentences of both languages contain the same numbers and names", () => {
  const english = sayAll("en", FACTS);
  for (const [where, text] of sayAll("zh", FACTS)) {
    // The Chinese name of this line has no number.
    if (where === "factors.bounds.label") continue;
    const other = english.get(where) ?? "";
    expect(figures(other), where).toEqual(figures(text));
    for (const name of NAMES) expect(other.includes(name), `${where}: ${name}`).toBe(text.includes(name));
  }
});

test("sentences name countries in the language", () => {
  const broadcast = (texts: ReportTexts) => texts.factors.broadcast.detail(FACTS);
  expect(broadcast(reportTextsOf("zh"))).toContain("塞舌尔");
  expect(broadcast(reportTextsOf("en"))).toContain("Seychelles");
  expect(reportTextsOf("zh").reasons.restricted(FACTS)).toContain("古巴");
});

test("joinReasons makes one sentence of any number of clauses", () => {
  const [zh, en] = [reportTextsOf("zh"), reportTextsOf("en")];
  expect(en.joinReasons([])).toBe("No single fact stands out.");
  expect(en.joinReasons(["one"])).toBe("One.");
  expect(en.joinReasons(["one", "two"])).toBe("One and two.");
  expect(en.joinReasons(["one", "two", "three"])).toBe("One, two, and three.");
  expect(zh.joinReasons([])).toBe("没有特别突出的因素。");
  expect(zh.joinReasons(["一", "二", "三"])).toBe("一，二，三。");
});

/** Other words for the states of a source. A source that runs out of time "did not answer in time". */
const OTHER_WORDS = {
  en: /\bskipped\b|(?<!get )\bno answer\b|not used here|did not answer(?! in time)/i,
  zh: /跳过|(没有|无|未)应答(的来源|，|（|"|$)|未被查询|未启用这/,
} as const;

test.each([...LANGUAGES])("a state of a source has one word on every face in %s", async (language) => {
  const { sourceStates, sourceCount } = reportTextsOf(language);
  const words = [sourceStates.failed, sourceStates.skipped].map((word) => word.toLowerCase());
  for (const word of words)
    expect(
      sourceCount({ found: 1, foundNothing: 0, answered: 1, failed: 2, pending: 0, absent: 0, skipped: 3 }),
    ).toContain(word);
  for await (const file of new Bun.Glob(`src/locale/${language}/*.{json,txt}`).scan()) {
    if (/interface|source_details/.test(file)) continue;
    const lines = (await Bun.file(file).text()).replaceAll(/`[^`]*`|\{\w+\}/g, "").split("\n");
    // The names of fields are JSON keys.
    const texts = lines.map((line) => line.replace(/^ *"\w+": /, ""));
    expect(texts.filter((line) => OTHER_WORDS[language].test(line))).toEqual([]);
  }
});

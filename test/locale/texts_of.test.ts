import { describe, expect, test } from "bun:test";
import { PURPOSE_IDS } from "#address";
import { type Phrase, problemTextsOf, type ReportTexts, reportTextsOf, type Sentence } from "#locale";
import {
  BANDS,
  CONFIDENCES,
  type Data,
  FLAGS,
  LANGUAGES,
  NATIVE_TYPES,
  PROBLEM_CODES,
  RUN_ERRORS,
  SCENARIO_LEVELS,
  SCENARIOS,
  SKIP_REASONS,
  SOURCE_KINDS,
  TIERS,
  USAGE_TYPES,
} from "#report";
import {
  ADJUSTMENT_IDS,
  FACTOR_CATEGORIES,
  FACTOR_IDS,
  NOTE_IDS,
  REASON_IDS,
  UNKNOWN_IDS,
  VERDICT_IDS,
} from "#scoring";

const zh = { ...reportTextsOf("zh"), problems: problemTextsOf("zh") };
const en = { ...reportTextsOf("en"), problems: problemTextsOf("en") };

type Texts = ReportTexts & Pick<typeof zh, "problems">;
const TEXTS: Readonly<Record<(typeof LANGUAGES)[number], Texts>> = { zh, en };

/** Every fact that a sentence may use, each with a different number or name. */
const FACTS: Data = {
  block: "198.51.100.0/24",
  purpose: "documentation",
  reporters: ["alpha", "beta"],
  agreement: 1,
  operator: "Operator Q",
  registered: "SC",
  located: "NL",
  lists: ["List One", "List Two"],
  listed: 313,
  answered: 717,
  sources: ["Source One", "Source Two"],
  since: "2026-11-01",
  days: 7,
  kind: "lists",
  obtained: 43,
  without: 88,
  score: 419,
  total: 5023,
  count: 611,
  ports: ["1080", "3128"],
  address: 8191,
  cap: 253,
  over: 127,
  role: "root_server",
  sourcesAnswered: 929,
  sourcesAsked: 1031,
  usage: "business",
  country: "CU",
  countries: ["NL", "SC"],
  asOf: "2026-01-31",
  vendors: ["Vendor One", "Vendor Two"],
  input: "1.2.3.400",
  parameter: "refresh",
  value: "yes",
  allowed: ["GET", "HEAD"],
  limit: 4001,
  retryAfterSeconds: 977,
  requestId: "req-55",
};
const NAMES = [
  "Operator Q",
  "alpha",
  "beta",
  "List One",
  "Source Two",
  "Vendor Two",
  "Netherlands",
  "Seychelles",
  "Cuba",
];
const CHINESE = /\p{Script=Han}/u;
const BROKEN = /undefined|null|NaN|\[object|\$\{| {2}/;
/** Ambiguous width in Unicode Standard Annex #11: a CJK terminal may draw them two cells wide. */
const AMBIGUOUS = /[\u2010-\u2026\u00b0-\u00b7\u00d7\u2190-\u21ff\u2500-\u27bf]/u;

/** Every sentence of a language by its key, rendered with the given facts. */
function renderAll(texts: Texts, facts: Data): Map<string, string> {
  const told = new Map<string, string>();
  const keep = (where: string, value: string | Sentence) =>
    told.set(where, typeof value === "string" ? value : value(facts));
  const phrases = { factors: texts.factors, unknowns: texts.unknowns };
  for (const [group, table] of Object.entries<Readonly<Record<string, Phrase>>>(phrases)) {
    for (const [id, phrase] of Object.entries(table)) {
      keep(`${group}.${id}.label`, phrase.label);
      keep(`${group}.${id}.detail`, phrase.detail);
    }
  }
  const tells = { reasons: texts.reasons, verdicts: texts.verdicts, notes: texts.notes };
  for (const [group, table] of Object.entries<Readonly<Record<string, Sentence>>>(tells)) {
    for (const [id, tell] of Object.entries(table)) keep(`${group}.${id}`, tell);
  }
  for (const [id, problem] of Object.entries(texts.problems)) {
    keep(`problems.${id}.error`, problem.error);
    keep(`problems.${id}.hint`, problem.hint);
  }
  const words = { ...texts, otherVerdict: "", withDetail: "", labels: "" };
  for (const [group, table] of Object.entries(words)) {
    if (
      typeof table !== "object" ||
      group === "factors" ||
      group === "unknowns" ||
      group in tells ||
      group === "problems"
    )
      continue;
    for (const [id, word] of Object.entries(table)) keep(`${group}.${id}`, word);
  }
  for (const [id, word] of Object.entries(texts.labels)) keep(`labels.${id}`, word);
  keep("otherVerdict", texts.otherVerdict);
  keep("otherNote", texts.otherNote);
  keep("noRecord", texts.noRecord);
  return told;
}

const figures = (text: string) => (text.match(/\d+/g) ?? []).sort();

describe.each([...LANGUAGES])("texts in %s", (language) => {
  const texts = TEXTS[language];

  test.each([
    ["factors", [...FACTOR_IDS, ...ADJUSTMENT_IDS]],
    ["categories", FACTOR_CATEGORIES],
    ["verdicts", VERDICT_IDS],
    ["reasons", REASON_IDS],
    ["notes", NOTE_IDS],
    ["unknowns", UNKNOWN_IDS],
    ["bands", BANDS],
    ["usages", USAGE_TYPES],
    ["natives", NATIVE_TYPES],
    ["flags", FLAGS],
    ["confidences", CONFIDENCES],
    ["scenarios", SCENARIOS],
    ["levels", SCENARIO_LEVELS],
    ["tiers", TIERS],
    ["kinds", SOURCE_KINDS],
    ["runErrors", RUN_ERRORS],
    ["skips", SKIP_REASONS],
    ["problems", PROBLEM_CODES],
  ] as const)("%s cover exactly their ids", (group, ids) => {
    expect(Object.keys(texts[group]).sort()).toEqual([...ids].sort());
  });

  test("every purpose of a block and every role of a service has words of its own", () => {
    const tellPurpose = (purpose: string) => texts.notes.bogon({ block: "x", purpose });
    const purposes = [...PURPOSE_IDS, "unknown to this build"].map(tellPurpose);
    expect(new Set(purposes).size).toBe(PURPOSE_IDS.length + 1);
    const roles = ["public_dns_resolver", "root_server", "crawler", "unknown to this build"];
    expect(new Set(roles.map((role) => texts.notes.infrastructure({ operator: "x", role }))).size).toBe(4);
  });

  test("every text renders with sample facts", () => {
    for (const [where, text] of renderAll(texts, FACTS)) {
      expect(text, where).not.toBe("");
      expect(text, where).not.toMatch(BROKEN);
      expect(text, where).not.toMatch(AMBIGUOUS);
      expect(text, where).not.toContain("?");
      expect(text, where).toBe(text.trim());
    }
  });

  test("every text renders without any fact", () => {
    for (const [where, text] of renderAll(texts, {})) {
      expect(text, where).not.toBe("");
      expect(text, where).not.toMatch(BROKEN);
    }
  });

  test("sentences end with a period", () => {
    const stop = language === "zh" ? /。$/ : /\.$/;
    for (const [where, text] of renderAll(texts, FACTS)) {
      if (/\.detail$|^verdicts|^notes|^problems|^other(Verdict|Note)/.test(where))
        expect(text, where).toMatch(stop);
    }
  });

  test("verdicts never promise safety", () => {
    for (const id of VERDICT_IDS)
      expect(texts.verdicts[id](FACTS)).not.toMatch(/\bsafe|secure|trustworthy|安全|放心|可信/i);
  });

  test("the verdict without signals counts the sources that answered and proves nothing", () => {
    const verdict = texts.verdicts.no_signals(FACTS);
    expect(figures(verdict)).toEqual(["1031", "929"]);
    expect(verdict).toMatch(/does not prove|不等于绝对干净/);
  });
});

describe("texts of both languages", () => {
  const chinese = renderAll(zh, FACTS);
  const english = renderAll(en, FACTS);

  test("have the same keys", () => {
    expect([...english.keys()].sort()).toEqual([...chinese.keys()].sort());
  });

  test("contain the same numbers and names", () => {
    for (const [where, text] of chinese) {
      // The Chinese name of this line has no number.
      if (where === "factors.bounds.label") continue;
      const other = english.get(where) ?? "";
      expect(figures(other), where).toEqual(figures(text));
      for (const name of NAMES.filter((each) => !/^(Netherlands|Seychelles|Cuba)$/.test(each))) {
        expect(other.includes(name), `${where}: ${name}`).toBe(text.includes(name));
      }
    }
  });

  test("Chinese is Chinese with full-width punctuation, English has no Chinese", () => {
    for (const [where, text] of chinese) {
      if (/\.detail$|^verdicts|^notes|^reasons|^problems/.test(where)) {
        expect(text, where).toMatch(CHINESE);
        expect(text, where).not.toMatch(/\p{Script=Han}[,;:!?()]|[,;:!?()]\p{Script=Han}/u);
      }
    }
    for (const [where, text] of english) {
      if (where !== "labels.otherLanguage")
        expect(text, where).not.toMatch(/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u);
    }
  });

  test("name countries in the language", () => {
    expect(chinese.get("factors.broadcast.detail")).toContain("塞舌尔");
    expect(english.get("factors.broadcast.detail")).toContain("Seychelles");
    expect(chinese.get("reasons.restricted")).toContain("古巴");
  });
});

test("joinReasons makes one sentence of any number of clauses", () => {
  expect(en.joinReasons([])).toBe("No single fact stands out.");
  expect(en.joinReasons(["one"])).toBe("One.");
  expect(en.joinReasons(["one", "two"])).toBe("One and two.");
  expect(en.joinReasons(["one", "two", "three"])).toBe("One, two, and three.");
  expect(zh.joinReasons([])).toBe("没有特别突出的因素。");
  expect(zh.joinReasons(["一", "二", "三"])).toBe("一，二，三。");
});

import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { averageRatings, reportTextsOf } from "#locale";
import {
  type Assessment,
  AssessmentSchema,
  CONFIDENCES,
  LANGUAGES,
  type Language,
  type Report,
  ReportSchema,
} from "#report";
import { ASSESSMENTS, BOGON, FOREIGN, HOME, SERVER } from "../fixtures/assessments.ts";
import { reportOf } from "../render/full_reports.ts";

const HOSTILE = `</script><img src=x onerror=alert(1)>\u001b[31m\u202e\u0000\u2028"'&`;

function report(assessment: Assessment, language: Language): Report {
  return reportOf(assessment, language, {
    tier: "store",
    stale: true,
    reportUrl: "https://limpid.example/ip/x",
  });
}

/** Paths of keys whose value is undefined. */
function findUndefined(value: unknown, path = "$"): string[] {
  if (value === undefined) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => findUndefined(inner, `${path}.${key}`));
}

/** The document without the strings that differ by language. */
function bare(document: Report): unknown {
  const { lang: _lang, untranslated: _untranslated, scenarioNote: _note, ...rest } = document;
  return {
    ...rest,
    geo: { ...rest.geo, countryName: undefined, region: undefined, city: undefined },
    risk: {
      ...rest.risk,
      label: "",
      verdict: "",
      factors: rest.risk.factors.map(({ label: _label, detail: _detail, reporters, ...factor }) => ({
        ...factor,
        reporters: reporters?.length,
      })),
    },
    scenarios: rest.scenarios.map(({ id, score, level }) => ({ id, score, level })),
    sources: rest.sources.map(({ name, kind, ok, ms, ...more }) => ({
      name,
      kind,
      ok,
      ms,
      has: Object.keys(more),
    })),
    unknowns: rest.unknowns.map(({ id }) => id),
  };
}

describe.each(Object.entries(ASSESSMENTS))("localize on %s", (_name, assessment) => {
  test("starts from a valid assessment", () => {
    expect(v.parse(AssessmentSchema, assessment)).toEqual(assessment);
  });

  test.each([...LANGUAGES])("makes exactly the public document in %s", (language) => {
    const document = report(assessment, language);
    const json: unknown = JSON.parse(JSON.stringify(document));
    // The schema drops keys it does not know, so equality means there are none.
    expect(json).toEqual(v.parse(ReportSchema, json));
    expect(findUndefined(document)).toEqual([]);
    expect(Object.hasOwn(document, "lang")).toBe(language === "en");
    expect(Object.hasOwn(document, "untranslated")).toBe(language === "en");
  });

  test("carries the same data in both languages", () => {
    expect(bare(report(assessment, "en"))).toEqual(bare(report(assessment, "zh")));
  });

  test("does not change the assessment", () => {
    const before = structuredClone(assessment);
    report(assessment, "zh");
    expect(assessment).toEqual(before);
  });
});

describe("localize", () => {
  test.each(LANGUAGES)(
    "lowers the confidence of a stale report by one step, in %s, and nothing else",
    (language) => {
      const say = (confidence: Assessment["confidence"], stale: boolean) =>
        reportOf({ ...HOME, confidence }, language, { tier: "store", stale });
      expect(say("high", true).risk.confidence).toBe("medium");
      expect(say("medium", true).risk.confidence).toBe("low");
      expect(say("low", true).risk.confidence).toBe("low");
      for (const confidence of CONFIDENCES) expect(say(confidence, false).risk.confidence).toBe(confidence);
      expect(say("high", true)).toEqual({ ...say("medium", false), stale: true });
    },
  );

  test("maps what a survey found", () => {
    const document = report(SERVER, "en");
    expect(document).toMatchObject({
      ip: "203.0.113.45",
      version: 4,
      queriedAt: "2026-03-04T05:06:07.890Z",
      source: "store",
      stale: true,
      flagAgreement: { isVpn: 1, isHosting: 3 },
      geo: { country: "NL", countryName: "Netherlands", city: "Amsterdam" },
      scenarioApplicable: true,
      exposure: { observed: true },
      lang: "en",
      untranslated: [],
    });
    expect(document.vpnOperator).toEqual(SERVER.vpn ?? null);
    expect(document.blocklists[0]).toEqual({
      zone: "dnsbl.example",
      label: "DroneBL",
      listed: true,
      benign: false,
      unavailable: false,
    });
    expect(Object.hasOwn(document, "scenarioNote")).toBe(false);
    expect(document.risk.factors.map(({ points }) => points)).toEqual([
      ...SERVER.factors.map(({ points }) => points),
      -0.5,
    ]);
  });

  test("writes null for a nullable field without a value", () => {
    const document = report(BOGON, "zh");
    expect([document.vpnOperator, document.exposure, document.sharing]).toEqual([null, null, null]);
    expect(document.scenarioApplicable).toBe(false);
    expect(document.scenarioNote).toContain("192.0.2.0/24");
    expect(document.risk.factors[0]?.floor).toBe(50);
  });

  test("distinguishes the states of sources", () => {
    const [table, , keyless, , tor, , rdap, , zen] = report(SERVER, "en").sources;
    expect(table).toEqual({ name: "AS table", kind: "free", ok: true, ms: 0, detail: "data of 2026-02-28" });
    expect(keyless?.detail).toBe("keyless");
    expect(tor).toEqual({
      name: "Tor DNSEL",
      kind: "free",
      ok: true,
      ms: 24,
      detail: "no record of this address",
    });
    expect(rdap).toEqual({
      name: "RDAP",
      kind: "free",
      ok: false,
      ms: 96,
      error: "answered with an error status (503)",
    });
    expect(zen).toEqual({
      name: "Spamhaus ZEN",
      kind: "free",
      ok: false,
      ms: 0,
      skipped: reportTextsOf("en").skips.noncommercial,
    });
  });

  test("shows ids it has no text for, and lists deductions among them in English", () => {
    const document = report(FOREIGN, "en");
    expect(document.untranslated).toEqual(["retired_rule", "constructor"]);
    expect(document.risk.factors[0]).toEqual({
      id: "retired_rule",
      label: "retired_rule",
      category: "old_category",
      points: 3,
      detail: "seen: 7; by: one, two",
    });
    expect(document.risk.verdict).toMatch(/^1 of 1 source asked has answered; the deductions show /);
    expect(document.scenarioNote).toBe(reportTextsOf("en").otherNote);
    expect(document.scenarios[0]?.reason).toBe("Newer_reason.");
    expect(document.unknowns).toEqual([
      { id: "hasOwnProperty", label: "hasOwnProperty", detail: "what: is this" },
    ]);
    expect(report(FOREIGN, "zh").risk.factors[0]?.label).toBe("retired_rule");
    expect(report(FOREIGN, "zh").scenarioNote).toBe(reportTextsOf("zh").otherNote);
  });

  test("lists a factor without text as untranslated in English only", () => {
    expect(report(HOME, "en").untranslated).toEqual([]);
    expect("untranslated" in report(FOREIGN, "zh")).toBe(false);
  });

  const source = { id: "x", kind: "free", state: "answered", ms: 0 } as const;
  const factorsFrom = (sources: Assessment["sources"], data: Partial<Assessment> = {}) =>
    reportOf({ ...HOME, ...data, sources }, "en").risk.factors;
  const hosting = {
    id: "hosting",
    category: "network",
    points: 11,
    data: { families: ["one"], agreement: 1 },
  };

  test("dates a list that ships with the program where it costs points, and keeps its name for programs", () => {
    const said = { name: "One", dataDate: "2026-08-22", answer: { flags: { isHosting: true } } } as const;
    for (const detail of ["list_snapshot", "list_snapshot_refused"]) {
      const [factor] = factorsFrom([{ ...source, ...said, detail }], { factors: [hosting] });
      expect(factor?.detail).toContain("Reported by: One (data of 2026-08-22).");
      expect(factor?.reporters).toEqual(["One"]);
    }
    const [factor] = factorsFrom([{ ...source, ...said }], { factors: [hosting] });
    expect(factor?.detail).toContain("Reported by: One.");
  });

  test("says who denies a flag, and how many sources support a place that others deny", () => {
    const data = { registered: "DE", located: "US" };
    const [flag, place] = factorsFrom(
      [
        { ...source, name: "One", answer: { flags: { isHosting: true } } },
        { ...source, name: "Two", answer: { flags: { isHosting: false } } },
        { ...source, name: "Three", answer: { flags: { isTor: false } } },
      ],
      {
        countries: [
          { country: "US", sources: ["One", "Two"] },
          { country: "DE", sources: ["Three"] },
        ],
        factors: [hosting, { id: "broadcast", category: "location", points: 6, data }],
      },
    );
    expect(flag?.detail).toContain("Contradicted by Two.");
    expect(place?.detail).toBe("Registered in Germany; 2 of 3 sources place it in the United States.");
  });

  test("passes strings from outside through unchanged", () => {
    const hostile: Assessment = {
      ...SERVER,
      geo: { country: HOSTILE, city: HOSTILE },
      asn: { name: HOSTILE },
      registry: { netName: HOSTILE },
      factors: [{ id: "hosting", category: HOSTILE, points: 1, data: { families: [HOSTILE], agreement: 2 } }],
      sources: [
        { id: "x", name: HOSTILE, kind: "free", state: "failed", ms: 1, error: "shape", detail: HOSTILE },
      ],
    };
    for (const language of LANGUAGES) {
      const document = report(hostile, language);
      const back: Report = v.parse(ReportSchema, JSON.parse(JSON.stringify(document)));
      expect(back.geo).toEqual({ country: HOSTILE, countryName: HOSTILE, city: HOSTILE });
      expect(back.asn?.name).toBe(HOSTILE);
      expect(back.registry?.netName).toBe(HOSTILE);
      expect(back.risk.factors[0]?.category).toBe(HOSTILE);
      expect(back.risk.factors[0]?.detail).toContain(HOSTILE);
      expect(back.sources[0]?.name).toBe(HOSTILE);
      expect(back.sources[0]?.error).toContain(HOSTILE);
    }
  });
});

describe("a source that was not asked, in Chinese", () => {
  test("has no English in brackets", () => {
    const skip = (skipped: "zone_retired" | "turned_off", detail: string) => {
      const source = { id: "x", name: "X", kind: "free", state: "skipped", ms: 0, skipped, detail } as const;
      return report({ ...HOME, sources: [source] }, "zh").sources[0]?.skipped;
    };
    expect(skip("zone_retired", "failed")).toBe("未通过 RFC 5782 规定的自检，暂不采信（失败）");
    expect(skip("turned_off", "example_dqs is asked instead")).toBe("本站未启用（改为查询 example_dqs）");
  });
});

describe("averageRatings()", () => {
  test("is undefined if every use has fewer than three ratings", () => {
    expect(averageRatings([])).toBeUndefined();
    expect(averageRatings([{ scenario: "ai", count: 2, sum: 10 }])).toBeUndefined();
  });

  test("gives count and average, rounded to two decimals, of each use with three", () => {
    expect(
      averageRatings([
        { scenario: "email", count: 7, sum: 20 },
        { scenario: "ai", count: 3, sum: 14 },
        { scenario: "gaming", count: 2, sum: 2 },
      ]),
    ).toEqual({ ai: { count: 3, average: 4.67 }, email: { count: 7, average: 2.86 } });
  });

  test("ignores use cases that a report does not have", () => {
    const votes = ["__proto__", "constructor", "retired"].map((scenario) => ({ scenario, count: 9, sum: 9 }));
    expect(averageRatings(votes)).toBeUndefined();
  });
});

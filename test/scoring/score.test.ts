import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Listing, mergeEvidence, type Observation, type SourceRun, type Survey } from "#evidence";
import type { Factor, ScenarioId } from "#report";
import { computePurity, FACTOR_IDS, RULES, score, USE_REGIONS, WEIGHTS } from "#scoring";
import { roundPoints } from "../../src/scoring/rule.ts";
import CASES from "../fixtures/scoring/cases.json";
import { runs } from "../kit/runs.ts";
import { arbitrarySurvey } from "./arbitrary_survey.ts";
import { ARCHETYPES, type ArchetypeId } from "./archetypes.ts";
import { MANIFESTS, type ManifestId, makeRun, makeSurvey, type Outcome, SURVEYED_AT } from "./surveys.ts";

const ADDRESS = "81.2.69.10";

function judge(lines: Partial<Record<ManifestId, Outcome>>, rest: Outcome = "empty") {
  return score(mergeEvidence(makeSurvey(ADDRESS, lines, rest)));
}

/** A survey of these sources only, each of its own family. */
function surveyOf(...observations: readonly Observation[]): Survey {
  const runs = observations.map(
    (observation, index): SourceRun => ({
      ...makeRun(MANIFESTS.proxycheck, observation),
      id: `s${index}`,
      family: `f${index}`,
    }),
  );
  return { address: ADDRESS, version: 4, surveyedAt: SURVEYED_AT, runs };
}

/** The factors of what these sources say; what nobody was asked is another test's subject. */
function breakdownOf(...observations: readonly Observation[]): readonly Factor[] {
  return score(mergeEvidence(surveyOf(...observations))).factors.filter(({ id }) => id !== "not_obtained");
}

/** An observation, or an answer of lists: their zones, separated by blanks, and the fields of each listing. */
type Said = Observation | ({ readonly on: string } & Pick<Listing, "meanings">);

function readSaid(said: Said): Observation {
  if (!("on" in said)) return said;
  const { on, ...more } = said;
  return { listings: on.split(" ").map((zone) => ({ zone, label: zone, listed: true, codes: [], ...more })) };
}

interface FactorCase {
  readonly said: readonly Said[];
  /** The points of factors; null = there is no such factor. */
  readonly points?: Readonly<Record<string, number | null>>;
  /** Fields of the factor with this id, and what it does not have. */
  readonly factor?: Partial<Factor>;
  readonly lacks?: readonly string[];
  /** All factors. */
  readonly ids?: readonly string[];
  readonly purity?: number;
}

interface ScenarioCase {
  readonly said: readonly Said[];
  readonly use: ScenarioId;
  readonly is?: object;
  readonly equals?: object;
  readonly lacks?: readonly string[];
}

// Our own file: its fields are those of the interfaces.
const { factors: FACTORS, scenarios: SCENARIOS } = CASES as unknown as {
  readonly factors: Readonly<Record<string, readonly FactorCase[]>>;
  readonly scenarios: Readonly<Record<string, readonly ScenarioCase[]>>;
};

test.each(Object.entries(FACTORS))("score() %s", (_, cases) => {
  for (const { said, points = {}, factor, lacks = [], ids, purity } of cases) {
    const factors = breakdownOf(...said.map(readSaid));
    const find = (id: string | undefined) => factors.find((one) => one.id === id);
    const about = JSON.stringify(said);
    for (const [id, wanted] of Object.entries(points)) expect(find(id)?.points ?? null, about).toBe(wanted);
    if (factor !== undefined) expect(find(factor.id), about).toMatchObject(factor);
    for (const field of lacks) expect(find(factor?.id), about).not.toHaveProperty(field);
    if (ids !== undefined)
      expect(
        factors.map(({ id }) => id),
        about,
      ).toEqual([...ids]);
    if (purity !== undefined) expect(computePurity(factors), about).toBe(purity);
  }
});

test.each(Object.entries(SCENARIOS))("the regions of a use: %s", (_, cases) => {
  for (const { said, use, is = {}, equals, lacks = [] } of cases) {
    const scenario = scenarioOf(use, ...said.map(readSaid));
    expect(scenario).toMatchObject(is);
    if (equals !== undefined) expect<unknown>(scenario).toEqual(equals);
    for (const field of lacks) expect(scenario).not.toHaveProperty(field);
  }
});

function scenarioOf(id: ScenarioId, ...observations: readonly Observation[]) {
  return score(mergeEvidence(surveyOf(...observations))).scenarios.find((scenario) => scenario.id === id);
}

describe("WEIGHTS", () => {
  test("has a weight and a rule for every factor", () => {
    expect(Object.keys(WEIGHTS).toSorted()).toEqual([...FACTOR_IDS].toSorted());
    expect(RULES.map((rule) => rule.id).toSorted()).toEqual([...FACTOR_IDS].toSorted());
  });
});

describe("computePurity()", () => {
  test("limits the sum, then applies the highest floor", () => {
    expect(computePurity([])).toBe(100);
    expect(computePurity([{ points: -5 }])).toBe(100);
    expect(computePurity([{ points: 12.5 }])).toBe(88);
    expect(computePurity([{ points: 70 }, { points: 60 }])).toBe(0);
    expect(computePurity([{ points: 10, floor: 60 }, { points: -10 }, { points: 1, floor: 80 }])).toBe(20);
  });
});

describe("score()", () => {
  test("deducts nothing for a source without an answer", () => {
    expect(judge({}, "failed").factors.map(({ id }) => id)).toEqual(["not_obtained"]);
    expect(judge({}, "empty").factors).toEqual([]);
  });

  test("says that residential proxies are not measured unless a source that sees them answered", () => {
    const ids = (survey: Survey) => score(mergeEvidence(survey)).unknowns.map(({ id }) => id);
    expect(ids(surveyOf({ flags: { isProxy: false } }))).toContain("residential_proxies");
    expect(ids(surveyOf({ residentialProxy: false }))).not.toContain("residential_proxies");
    expect(ids(surveyOf({ residentialProxy: true }))).not.toContain("residential_proxies");
    expect(ids({ ...surveyOf(), address: "10.0.0.1" })).not.toContain("residential_proxies");
  });

  test("gives back at most what was deducted, with the purity as without this limit", () => {
    const check = (survey: Survey) => {
      const evidence = mergeEvidence(survey);
      const { factors, purity } = score(evidence);
      let deducted = 0;
      for (const { points } of factors) {
        deducted += points;
        expect(deducted).toBeGreaterThanOrEqual(0);
      }
      if (evidence.special !== undefined) return;
      const unlimited: Factor[] = [];
      for (const { id, category, judge } of RULES) {
        const finding = judge(evidence, unlimited);
        if (finding !== undefined)
          unlimited.push({ id, category, ...finding, points: roundPoints(finding.points) });
      }
      expect(purity).toBe(computePurity(unlimited));
    };
    fc.assert(fc.property(arbitrarySurvey, check), { numRuns: runs(500) });
    for (const survey of Object.values(ARCHETYPES)) check(survey);
  });

  test("never rates a Tor exit that one source reports as clean, or a data centre as pristine", () => {
    expect(computePurity(breakdownOf({ flags: { isTor: true } }))).toBeLessThan(70);
    expect(computePurity(breakdownOf({ flags: { isHosting: true }, usage: "hosting" }))).toBeLessThan(90);
  });

  test("needs every core category for high confidence, and a live source for medium", () => {
    const home = { flags: { isProxy: false } } as const;
    expect(judge({ proxycheck: home }).confidence).toBe("high");
    expect(judge({ proxycheck: "failed" }).confidence).toBe("low");
    expect(judge({ proxycheck: home, ...unlisted("failed") }).confidence).toBe("medium");
    // The only list is a download: enough weight and every category, but no live list.
    const downloaded = makeRun({ ...MANIFESTS.netblock_feed, zone: { id: "a", label: "A" } }, "empty");
    const live = makeRun({ ...MANIFESTS.dronebl }, "empty");
    const vendor = makeRun(MANIFESTS.proxycheck, home);
    const confidence = (...runs: SourceRun[]) =>
      score(mergeEvidence({ address: "81.2.69.10", version: 4, surveyedAt: SURVEYED_AT, runs })).confidence;
    expect(confidence(vendor, downloaded)).toBe("medium");
    expect(confidence(vendor, downloaded, live)).toBe("high");
    // Sources that the operator turned off are usable: without most of one kind of evidence there is no certainty.
    const off = { state: "skipped", skipped: "turned_off" } as const;
    const listed = (weight: number) => ({
      ...makeRun({ ...MANIFESTS.netblock_feed, weight }, "empty"),
      ...off,
    });
    expect(confidence(vendor, live, listed(0.3))).toBe("high");
    expect(confidence(vendor, live, listed(0.4))).toBe("medium");
    expect(judge({}, "failed").confidence).toBe("low");
    expect(judge({}, "live_off").confidence).toBe("low");
  });

  test("keeps e-mail below excellent when lists fail, and everything below good without core answers", () => {
    const levels = (lines: Partial<Record<ManifestId, Outcome>>) =>
      Object.fromEntries(judge(lines).scenarios.map((scenario) => [scenario.id, scenario.score]));
    const office: Outcome = { flags: { isHosting: false }, usage: "business" };
    const named: Outcome = { reverse: { names: ["mail.example.net"] } };
    const known = { proxycheck: office, reverse_dns: named };
    expect(levels(known)).toMatchObject({ gaming: 100, email: 100 });
    expect(levels({ ...known, ...unlisted("failed") })).toMatchObject({ gaming: 100, email: 84 });
    expect(levels({ ...known, proxycheck: "failed", ...unlisted("failed") })).toMatchObject({
      gaming: 69,
      email: 69,
    });
    // Reverse DNS that failed costs nothing: it is unknown whether the address has a name.
    expect(levels({ ...known, reverse_dns: "failed" })).toMatchObject({ gaming: 100, email: 100 });
    expect(levels({ ...known, reverse_dns: "empty" })).toMatchObject({ gaming: 100, email: 45 });
  });

  test("gives the low end of a use case, which falls with missing data", () => {
    const office: Outcome = { flags: { isHosting: false }, usage: "business" };
    const named: Outcome = { reverse: { names: ["mail.example.net"] } };
    const lows = (lines: Partial<Record<ManifestId, Outcome>>) =>
      Object.fromEntries(judge(lines).scenarios.map(({ id, low }) => [id, low ?? Number.NaN]));
    const known = { proxycheck: office, reverse_dns: named };
    const all = lows(known);
    expect(all).toMatchObject({ gaming: 100, email: 100 });
    const unheard = lows({ ...known, ...unlisted("failed") });
    for (const [id, low] of Object.entries(unheard)) expect(low, id).toBeLessThan(all[id] ?? 0);
    // It is unknown whether the address has a name, so the low end has the points of an address without one.
    const nameless = lows({ ...known, reverse_dns: "failed" });
    expect(nameless.email).toBeLessThanOrEqual(45);
    expect(nameless.gaming).toBeGreaterThan(80);
  });

  test("names the points of every use case, which add up to its score", () => {
    let limited = 0;
    for (const [name, survey] of Object.entries(ARCHETYPES)) {
      for (const { id, score: reached, low, reasons } of score(mergeEvidence(survey)).scenarios) {
        const sum = reasons.reduce((total, { points = 0 }) => total + points, 0);
        if (reached === null) {
          expect([low, sum], `${name} ${id}`).toEqual([undefined, 0]);
          continue;
        }
        expect(reached, `${name} ${id}`).toBe(Math.round(Math.max(100 - sum, 0)));
        expect(low, `${name} ${id}`).toBeLessThanOrEqual(reached);
        if (reasons.some((reason) => reason.id === "thin_evidence" && (reason.points ?? 0) > 0)) limited += 1;
      }
    }
    expect(limited).toBeGreaterThan(0);
  });

  test("deducts half for a hosting network that one source reports, as the purity does", () => {
    const hosting: Observation = { flags: { isHosting: true }, usage: "hosting" };
    const gaming = (...said: Observation[]) =>
      score(mergeEvidence(surveyOf(...said))).scenarios.find(({ id }) => id === "gaming")?.score ?? 0;
    const plain = gaming({ usage: "business" }, {});
    expect(plain - gaming(hosting, {})).toBe((plain - gaming(hosting, hosting)) / 2);
  });

  test("deducts for a policy listing from e-mail only", () => {
    const policy = readSaid({ on: "spamhaus_zen", meanings: ["policy"] });
    const before = score(mergeEvidence(surveyOf({ usage: "business" }, {})));
    const after = score(mergeEvidence(surveyOf({ usage: "business" }, policy)));
    const changed = after.scenarios.filter((scenario, at) => scenario.score !== before.scenarios[at]?.score);
    expect(changed.map((scenario) => scenario.id)).toEqual(["email"]);
    expect(after.purity).toBe(before.purity);
  });
});

describe("restricted", () => {
  test("applies only where none of the three vendors offers its service", () => {
    const named = [...new Set((USE_REGIONS.ai ?? []).flatMap((vendor) => [...vendor.unsupported]))];
    const restricted = named.filter(
      (country) => scenarioOf("ai", { geo: { country } })?.level === "restricted",
    );
    expect(restricted.toSorted()).toEqual(["BY", "CN", "CU", "HK", "IR", "KP", "MO", "RU", "SY"]);
  });
});

/** The same outcome for all lists. */
function unlisted(line: Outcome): Partial<Record<ManifestId, Outcome>> {
  const ids = (Object.keys(MANIFESTS) as ManifestId[]).filter((id) => "zone" in MANIFESTS[id]);
  return Object.fromEntries(ids.map((id) => [id, line]));
}

describe("the reasons of a use case", () => {
  const reasonsOf = (name: ArchetypeId, id: ScenarioId) => {
    const { scenarios } = score(mergeEvidence(ARCHETYPES[name]));
    const scenario = scenarios.find((it) => it.id === id);
    return { level: scenario?.level, reasons: scenario?.reasons.map((reason) => reason.id) };
  };

  test("begin with what carries a high level, and name what it costs after that", () => {
    expect(reasonsOf("home_listed_once", "ai")).toEqual({
      level: "excellent",
      reasons: ["usage", "native", "listed"],
    });
  });

  test("begin with what costs most where the level is low", () => {
    expect(reasonsOf("cloud_spammer", "email")).toEqual({
      level: "unusable",
      reasons: ["listed", "nameless", "hosting"],
    });
  });
});

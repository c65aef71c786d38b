import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Listing, mergeEvidence, type Observation, type SourceRun, type Survey } from "#evidence";
import type { Factor, ScenarioId } from "#report";
import {
  BAND_THRESHOLDS,
  computePurity,
  FACTOR_IDS,
  LEVEL_THRESHOLDS,
  RULES,
  score,
  USE_REGIONS,
  WEIGHTS,
} from "#scoring";
import { roundPoints } from "../../src/scoring/rule.ts";
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

/** What a list says of an address that it lists. */
function listedOn(zone: string, ...meanings: Listing["meanings"]): { readonly listings: readonly Listing[] } {
  return { listings: [{ zone, label: zone, listed: true, codes: [], meanings }] };
}

function withListing({ listings }: ReturnType<typeof listedOn>, more: Partial<Listing>): Observation {
  return { listings: listings.map((listing) => ({ ...listing, ...more })) };
}

/** The factors of what these sources say; what nobody was asked is another test's subject. */
function breakdownOf(...observations: readonly Observation[]): readonly Factor[] {
  return score(mergeEvidence(surveyOf(...observations))).factors.filter(({ id }) => id !== "not_obtained");
}

function pointsOf(factors: readonly Factor[], id: string): number | undefined {
  return factors.find((factor) => factor.id === id)?.points;
}

function scenarioOf(id: ScenarioId, ...observations: readonly Observation[]) {
  return score(mergeEvidence(surveyOf(...observations))).scenarios.find((scenario) => scenario.id === id);
}

describe("WEIGHTS", () => {
  test("has a weight and a rule for every factor", () => {
    expect(Object.keys(WEIGHTS).toSorted()).toEqual([...FACTOR_IDS].toSorted());
    expect(RULES.map((rule) => rule.id).toSorted()).toEqual([...FACTOR_IDS].toSorted());
  });
});

describe("bands", () => {
  test("begin at 90, 70, 50, 30 and 10", () => {
    expect(BAND_THRESHOLDS.map(([, from]) => from)).toEqual([90, 70, 50, 30, 10, 0]);
    expect(LEVEL_THRESHOLDS.map(([, from]) => from)).toEqual([85, 70, 50, 25, 0]);
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
  test("counts a flag half for one family, in full for two families or an authority", () => {
    const vpn = { flags: { isVpn: true } };
    expect(pointsOf(breakdownOf(vpn), "vpn")).toBe(16);
    expect(pointsOf(breakdownOf(vpn, { flags: { isVpn: false } }), "vpn")).toBe(16);
    expect(pointsOf(breakdownOf(vpn, vpn), "vpn")).toBe(32);
    expect(pointsOf(breakdownOf({ ...vpn, authority: ["isVpn"] }), "vpn")).toBe(32);
  });

  test("counts evidence about the /64 half and reports that, and it never reduces the weight of exact evidence", () => {
    const near: Observation = { flags: { isVpn: true }, authority: ["isVpn"], subnetFlags: ["isVpn"] };
    const vpn: Observation = { flags: { isVpn: true } };
    expect(breakdownOf(near)[0]).toMatchObject({ points: 16, data: { subnet: true } });
    expect(breakdownOf({ ...near, authority: [] })[0]).toMatchObject({ points: 8, data: { subnet: true } });
    expect(breakdownOf(near, vpn)[0]?.points).toBe(16);
    expect(breakdownOf(near, vpn, vpn)[0]?.points).toBe(32);
    const tor: Observation = { flags: { isTor: true }, authority: ["isTor"], subnetFlags: ["isTor"] };
    expect(breakdownOf(tor)[0]?.floor).toBeUndefined();
    const list = listedOn("a", "abuse");
    expect(breakdownOf(withListing(list, { subnet: true }))[0]).toMatchObject({
      id: "blocklists",
      points: 11,
      data: { near: ["a"] },
    });
    expect(breakdownOf(list)[0]).toMatchObject({ id: "blocklists", points: 16 });
    expect(breakdownOf({ abuse: { score: 80, subnet: true } })[0]).toMatchObject({
      points: 15,
      data: { full: 30, subnet: true },
    });
  });

  test("counts a critical listing in full for an authority, and half without the floor for another single list", () => {
    const drop = listedOn("a", "severe");
    expect(breakdownOf(withListing(drop, { authoritative: true }))[0]).toMatchObject({
      points: 35,
      floor: 70,
      data: { authoritative: true },
    });
    expect(breakdownOf(drop)[0]).toMatchObject({ points: 17.5, data: { lone: true } });
    expect(breakdownOf(drop)[0]?.floor).toBeUndefined();
  });

  test("deducts nothing from a public resolver for hosting, listings or anonymity", () => {
    const factors = breakdownOf(
      { infrastructure: { role: "public_dns_resolver", operator: "Google" } },
      { flags: { isHosting: true, isProxy: true }, usage: "hosting", abuse: { score: 90 } },
      listedOn("a", "abuse"),
    );
    expect(computePurity(factors)).toBe(100);
    expect(pointsOf(factors, "public_infrastructure")).toBe(-85);
  });

  test("reports the age and the full points of an old record", () => {
    expect(breakdownOf({ abuse: { score: 80, lastSeen: "2026-10-11T12:00:00Z" } })[0]).toMatchObject({
      points: 15,
      data: { full: 30, ageDays: 21 },
    });
    expect(breakdownOf({ abuse: { score: 80 } })[0]?.data).not.toHaveProperty("full");
  });

  test("applies the floor of a Tor exit only with two families or an authority", () => {
    const tor = { flags: { isTor: true } };
    expect(breakdownOf(tor)[0]).toMatchObject({ id: "tor_exit", points: 31 });
    expect(breakdownOf(tor)[0]?.floor).toBeUndefined();
    expect(breakdownOf({ ...tor, authority: ["isTor"] })[0]).toMatchObject({ points: 62, floor: 60 });
  });

  test("limits the points for anonymity and shows the cap as a factor", () => {
    const all = { flags: { isProxy: true, isVpn: true, isTor: true } };
    const factors = breakdownOf(all, all);
    expect(factors.find((factor) => factor.id === "anonymity_cap")).toMatchObject({
      points: -88,
      category: "relief",
      data: { cap: 62, over: 88 },
    });
    expect(computePurity(factors)).toBe(38);
  });

  test("counts blocklists by family, undocumented codes, policy and plain records not at all", () => {
    expect(pointsOf(breakdownOf(listedOn("a", "abuse")), "blocklists")).toBe(16);
    expect(pointsOf(breakdownOf(listedOn("a", "abuse"), listedOn("b", "abuse")), "blocklists")).toBe(24);
    const many = (count: number) =>
      ["a", "b", "c", "d", "e", "f"].slice(0, count).map((it) => listedOn(it, "abuse"));
    for (const [count, points] of [
      [3, 32],
      [4, 42],
      [5, 51],
      [6, 51],
    ] as const) {
      expect(pointsOf(breakdownOf(...many(count)), "blocklists")).toBe(points);
    }
    expect(breakdownOf(listedOn("a", "unclassified"))).toEqual([]);
    expect(breakdownOf(listedOn("spamhaus_zen", "policy"))).toEqual([]);
    expect(breakdownOf(listedOn("a", "info"))).toEqual([]);
    const twice: Observation = {
      listings: [...listedOn("a", "abuse").listings, ...listedOn("b", "abuse").listings],
    };
    expect(pointsOf(breakdownOf(twice), "blocklists")).toBe(18);
    const eight: Observation = {
      listings: ["a", "b", "c", "d", "e", "f", "g", "h"].flatMap((it) => listedOn(it, "abuse").listings),
    };
    expect(pointsOf(breakdownOf(eight), "blocklists")).toBe(24);
  });

  test("counts a list that counts other lists as that many voices, and does not add the lists that were heard", () => {
    const list = (zone: string, voices?: number) =>
      withListing(listedOn(zone, "abuse"), voices === undefined ? {} : { voices });
    expect(pointsOf(breakdownOf(list("a", 0.75)), "blocklists")).toBe(12);
    expect(pointsOf(breakdownOf(list("a", 3)), "blocklists")).toBe(32);
    expect(pointsOf(breakdownOf(list("a", 3), list("b"), list("c")), "blocklists")).toBe(32);
    expect(pointsOf(breakdownOf(list("a", 2), list("b"), list("c")), "blocklists")).toBe(32);
    expect(pointsOf(breakdownOf(list("a", 0.75), list("b")), "blocklists")).toBe(24);
  });

  test("halves abuse every 21 days and drops it after 90", () => {
    const scored = (lastSeen?: string) =>
      pointsOf(
        breakdownOf({ abuse: { score: 80, ...(lastSeen === undefined ? {} : { lastSeen }) } }),
        "abuse_score",
      );
    expect(scored()).toBe(30);
    expect(scored(SURVEYED_AT)).toBe(30);
    expect(scored("2026-10-11T12:00:00Z")).toBe(15);
    expect(scored("2026-08-03T11:00:00Z")).toBeUndefined();
    expect(scored("not a date")).toBe(30);
  });

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

  test("deducts for an unknown use only when a source that can tell it answered", () => {
    expect(pointsOf(breakdownOf({ flags: { isHosting: false } }), "usage_unknown")).toBe(3);
    expect(breakdownOf({ asn: { asn: 64500, name: "Example Ltd" } })).toEqual([]);
  });

  test("halves lists and abuse on a mobile line, but not on a server with a mobile name", () => {
    const mobile: Observation = { flags: { isMobile: true }, usage: "mobile", abuse: { score: 80 } };
    expect(pointsOf(breakdownOf(mobile), "shared_line_relief")).toBe(-15);
    expect(
      pointsOf(breakdownOf(mobile, { flags: { isHosting: true } }), "shared_line_relief"),
    ).toBeUndefined();
    expect(
      pointsOf(
        breakdownOf({ asn: { name: "T-Mobile USA, Inc." } }, { abuse: { score: 80 } }),
        "shared_line_relief",
      ),
    ).toBeUndefined();
  });

  test("credits a home line only when families agree, one states it, and none classifies it as an exit", () => {
    const home: Observation = { usage: "residential", abuse: { score: 50 } };
    expect(pointsOf(breakdownOf(home), "residential_agreement")).toBeUndefined();
    expect(pointsOf(breakdownOf(home, home), "residential_agreement")).toBe(-5);
    expect(pointsOf(breakdownOf(home, { asn: { name: "Chinanet" } }), "residential_agreement")).toBe(-5);
    expect(
      pointsOf(breakdownOf(home, home, { flags: { isProxy: true } }), "residential_agreement"),
    ).toBeUndefined();
  });

  test("gives back at most what was deducted, with the purity as without this limit", () => {
    const home: Observation = { usage: "residential" };
    expect(pointsOf(breakdownOf(home, home), "residential_agreement")).toBeUndefined();
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

  test("gives nothing back to a home line that a list accuses", () => {
    const home: Observation = { usage: "residential" };
    const reported: Observation = { abuse: { score: 50 } };
    const credit = (...more: readonly Observation[]) =>
      pointsOf(breakdownOf(home, home, ...more), "residential_agreement");
    expect(credit(listedOn("a", "abuse"))).toBeUndefined();
    expect(credit(listedOn("a", "policy"), reported)).toBe(-5);
  });

  test("never rates a Tor exit that one source reports as clean, or a data centre as pristine", () => {
    expect(computePurity(breakdownOf({ flags: { isTor: true } }))).toBeLessThan(70);
    expect(computePurity(breakdownOf({ flags: { isHosting: true }, usage: "hosting" }))).toBeLessThan(90);
  });

  test("gives the same score breakdown for every country", () => {
    const at = (country: string) =>
      breakdownOf({ usage: "business", geo: { country }, registry: { country } });
    for (const country of ["CN", "RU", "US", "NG", "KP"]) expect(at(country)).toEqual([]);
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
    expect(judge({}, "failed").confidence).toBe("low");
    expect(judge({}, "live_off").confidence).toBe("low");
  });

  test("keeps e-mail below excellent when lists fail, and everything below good without core answers", () => {
    const levels = (lines: Partial<Record<ManifestId, Outcome>>) =>
      Object.fromEntries(judge(lines).scenarios.map((scenario) => [scenario.id, scenario.score]));
    const office: Outcome = { flags: { isHosting: false }, usage: "business" };
    expect(levels({ proxycheck: office })).toMatchObject({ gaming: 100, email: 100 });
    expect(levels({ proxycheck: office, ...unlisted("failed") })).toMatchObject({ gaming: 100, email: 84 });
    expect(levels({ proxycheck: "failed", ...unlisted("failed") })).toMatchObject({ gaming: 69, email: 69 });
  });

  test("deducts for a policy listing from e-mail only", () => {
    const policy = listedOn("spamhaus_zen", "policy");
    const before = score(mergeEvidence(surveyOf({ usage: "business" }, {})));
    const after = score(mergeEvidence(surveyOf({ usage: "business" }, policy)));
    const changed = after.scenarios.filter((scenario, at) => scenario.score !== before.scenarios[at]?.score);
    expect(changed.map((scenario) => scenario.id)).toEqual(["email"]);
    expect(after.purity).toBe(before.purity);
  });
});

describe("restricted", () => {
  test("applies only where none of the three vendors offers its service", () => {
    const named = [...new Set((USE_REGIONS.get("ai") ?? []).flatMap((vendor) => [...vendor.unsupported]))];
    const restricted = named.filter(
      (country) => scenarioOf("ai", { geo: { country } })?.level === "restricted",
    );
    expect(restricted.toSorted()).toEqual(["BY", "CN", "CU", "HK", "IR", "KP", "MO", "RU", "SY"]);
    expect(scenarioOf("streaming", { geo: { country: "CN" } })).toMatchObject({
      level: "restricted",
      score: null,
    });
    expect(scenarioOf("gaming", { geo: { country: "CN" } })?.level).not.toBe("restricted");
  });

  test("needs two services: one alone is named and limits the score", () => {
    expect(scenarioOf("social", { geo: { country: "CN" } })).toMatchObject({
      score: 69,
      reasons: [
        { id: "region_partial", data: { country: "CN", vendors: ["LinkedIn"], asOf: "2021-10-14" } },
        {},
      ],
    });
    expect(scenarioOf("streaming", { geo: { country: "CU" } })).toMatchObject({
      reasons: [{ id: "region_partial", data: { country: "CU", vendors: ["Spotify"] } }, {}],
    });
  });

  test("does not apply to Taiwan", () => {
    expect(scenarioOf("ai", { geo: { country: "TW" } })?.level).not.toBe("restricted");
  });

  test("names the country, the vendors and the date, and gives no score", () => {
    expect(scenarioOf("ai", { geo: { country: "HK" } })).toEqual({
      id: "ai",
      score: null,
      level: "restricted",
      reasons: [
        {
          id: "restricted",
          data: { country: "HK", asOf: "2026-11-21", vendors: ["OpenAI", "Anthropic", "Gemini API"] },
        },
      ],
      regions: {
        asOf: "2026-11-21",
        vendors: { OpenAI: "unsupported", Anthropic: "unsupported", "Gemini API": "unsupported" },
      },
    });
  });

  test("tells for each vendor whether it offers its service, and for none where the country is unknown", () => {
    const statesOf = (observation: Parameters<typeof scenarioOf>[1]) =>
      Object.values(scenarioOf("ai", observation)?.regions?.vendors ?? {});
    expect(statesOf({ geo: { country: "GB" } })).toEqual(["supported", "supported", "supported"]);
    expect(statesOf({ geo: { country: "VE" } })).toEqual(["unsupported", "unsupported", "supported"]);
    expect(statesOf({ geo: { country: "NI" } })).toEqual(["supported", "unclear", "supported"]);
    expect(statesOf({ usage: "residential" })).toEqual([]);
    expect(scenarioOf("social", { geo: { country: "GB" } })?.regions).toBeUndefined();
  });

  test("does not apply where some vendors are present, or where a vendor is unclear", () => {
    expect(scenarioOf("ai", { geo: { country: "VE" } })).toMatchObject({
      score: 69,
      reasons: [{ id: "region_partial", data: { country: "VE", vendors: ["OpenAI", "Anthropic"] } }, {}],
    });
    expect(scenarioOf("ai", { geo: { country: "NI" } })).toMatchObject({
      score: 84,
      reasons: [{ id: "region_unclear", data: { vendors: ["Anthropic"] } }, {}],
    });
  });

  test("does not apply when sources disagree about the country, and a reason reports the disagreement", () => {
    const disputed = scenarioOf(
      "ai",
      { geo: { country: "CN" } },
      { geo: { country: "CN" } },
      { geo: { country: "JP" } },
    );
    expect(disputed?.level).toBe("fair");
    expect(disputed?.reasons[0]).toMatchObject({ id: "region_uncertain", data: { countries: ["CN", "JP"] } });
    const both = scenarioOf("ai", { geo: { country: "CN" } }, { geo: { country: "HK" } });
    expect(both?.level).toBe("restricted");
  });
});

/** The same outcome for all lists. */
function unlisted(line: Outcome): Partial<Record<ManifestId, Outcome>> {
  const ids = (Object.keys(MANIFESTS) as ManifestId[]).filter((id) => "zone" in MANIFESTS[id]);
  return Object.fromEntries(ids.map((id) => [id, line]));
}

describe("open ports", () => {
  const portsOf = (usage: "residential" | "hosting", ports: readonly number[]) =>
    breakdownOf({ usage, exposure: { observed: true, ports: [...ports], vulns: [] } }).find(
      ({ id }) => id === "open_ports",
    )?.data.ports;

  test("include those of remote access where no server is expected", () => {
    expect(portsOf("residential", [22, 80, 443, 3389, 5900])).toEqual(["22", "3389", "5900"]);
    expect(portsOf("hosting", [22, 80, 443, 3389])).toBeUndefined();
  });

  test("include those of proxies and VPNs everywhere", () => {
    expect(portsOf("hosting", [22, 3128])).toEqual(["3128"]);
    expect(portsOf("residential", [1194])).toEqual(["1194"]);
  });
});

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
      reasons: ["listed", "hosting"],
    });
  });
});

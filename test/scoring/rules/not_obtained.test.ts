import { describe, expect, test } from "bun:test";
import { mergeEvidence, type Observation } from "#evidence";
import { findBand, score } from "#scoring";
import { ARCHETYPES } from "../archetypes.ts";
import { listed, MANIFESTS, type ManifestId, makeSurvey, type Outcome } from "../surveys.ts";

const ADDRESS = "81.2.69.10";
const IDS = Object.keys(MANIFESTS) as ManifestId[];

function judge(lines: Partial<Record<ManifestId, Outcome>>, rest: Outcome = "empty") {
  return score(mergeEvidence(makeSurvey(ADDRESS, lines, rest)));
}

function kind(usage: NonNullable<Observation["usage"]>, flags: Observation["flags"] = {}): Outcome {
  return { usage, flags };
}

describe("what was not obtained", () => {
  test("is neutral: nothing obtained and no accusation is at most 69", () => {
    for (const rest of ["failed", "live_off"] as const) {
      const { purity, band, confidence, factors } = judge({}, rest);
      expect({ band, confidence }).toEqual({ band: "neutral", confidence: "low" });
      expect(purity).toBe(63);
      expect(factors.at(-1)).toMatchObject({
        id: "not_obtained",
        points: 37,
        data: { without: 100, obtained: 0 },
      });
    }
  });

  test("changes nothing where 60 % of all, of anonymity and of lists was obtained", () => {
    expect(score(mergeEvidence(ARCHETYPES.home)).factors.map(({ id }) => id)).not.toContain("not_obtained");
  });

  test("is never pristine when half of the sources failed", () => {
    for (const part of [0, 1]) {
      const failed = IDS.filter((_, index) => index % 2 === part).map((id) => [id, "failed"] as const);
      const { purity, coverage } = judge(Object.fromEntries(failed));
      expect(Math.min(coverage.total, coverage.anonymity, coverage.lists)).toBeLessThan(0.6);
      expect(findBand(purity)).not.toBe("pristine");
    }
  });

  test("keeps the order of home, hosting, VPN and Tor when only tables answer", () => {
    const purities = [
      judge({ asn_table: kind("residential") }, "live_off"),
      judge({ asn_table: kind("hosting") }, "live_off"),
      judge({ asn_table: kind("residential", { isVpn: true }) }, "live_off"),
      judge({ asn_table: { flags: { isTor: true }, authority: ["isTor"] } }, "live_off"),
    ].map(({ purity }) => purity);
    expect(purities).toEqual(purities.toSorted((a, b) => b - a));
    expect(new Set(purities).size).toBe(4);
  });

  test("leaves 50 points and fewer as they are", () => {
    const tor: Outcome = { flags: { isTor: true }, authority: ["isTor"] };
    expect(judge({ tor_dnsel: tor }, "failed").purity).toBe(38);
  });
});

test("a listed address is never pristine, also on a shared mobile line", () => {
  const mobile: Outcome = { usage: "mobile", flags: { isMobile: true } };
  const { factors, purity } = judge({ proxycheck: mobile, blocklist_de: listed("blocklist_de", "abuse") });
  expect(factors.map(({ id }) => id)).toContain("shared_line_relief");
  expect(purity).toBe(89);
});

test("one source alone does not make a data centre of a network where two others report another use", () => {
  const hosting: Outcome = { flags: { isHosting: true } };
  const home: Outcome = { usage: "residential" };
  const usageOf = (lines: Partial<Record<ManifestId, Outcome>>) =>
    mergeEvidence(makeSurvey(ADDRESS, lines, "empty")).usage.type;
  expect(usageOf({ proxycheck: hosting })).toBe("hosting");
  expect(usageOf({ proxycheck: hosting, team_cymru: home })).toBe("hosting");
  expect(usageOf({ proxycheck: hosting, team_cymru: home, internetdb: home })).toBe("residential");
  expect(usageOf({ proxycheck: hosting, team_cymru: home, internetdb: home, rdap: hosting })).toBe("hosting");
});

import { describe, expect, test } from "bun:test";
import { mergeEvidence } from "#evidence";
import { COVERED_KINDS, USAGE_TYPES } from "#report";
import { RANGE_POINTS, score } from "#scoring";
import { ARCHETYPES } from "./archetypes.ts";
import { MANIFESTS, type ManifestId, makeSurvey, network, type Outcome } from "./surveys.ts";

const ADDRESS = "81.2.69.10";
const NET = network(20712, "Example Broadband Ltd", "GB");

function judge(lines: Partial<Record<ManifestId, Outcome>>, rest: Outcome = "empty") {
  return score(mergeEvidence(makeSurvey(ADDRESS, lines, rest)));
}

describe("the range of purity", () => {
  test("is the purity alone when everything was heard", () => {
    const { purity, range, coverage } = score(mergeEvidence(ARCHETYPES.home));
    expect(coverage).toEqual({ total: 1, network: 1, anonymity: 1, lists: 1, abuse: 1, exposure: 1 });
    expect(range).toEqual({ low: purity, high: purity });
  });

  test("is wide when only tables were heard, and the verdict says so", () => {
    const { asn_table, registration, geo_country } = NET;
    const tables = { asn_table, registration, geo_country } as Partial<Record<ManifestId, Outcome>>;
    const { purity, range, coverage, verdict } = judge(tables, "live_off");
    expect(purity).toBe(63);
    expect(coverage).toMatchObject({ anonymity: 0, abuse: 0, exposure: 0 });
    expect(coverage.total).toBeLessThan(0.3);
    expect(range.high).toBe(100);
    expect(range.low).toBeLessThan(70);
    expect(verdict.data).toMatchObject({ purity, ...range, percent: Math.floor(coverage.total * 100) });
  });

  test("gets narrower with every kind of evidence that is heard", () => {
    const names = Object.keys(MANIFESTS) as ManifestId[];
    const vendor: Outcome = { flags: { isVpn: false }, usage: "residential" };
    const steps: readonly Partial<Record<ManifestId, Outcome>>[] = [
      {},
      { proxycheck: vendor },
      { proxycheck: vendor, ...Object.fromEntries(names.map((id) => [id, "empty"])) },
    ];
    const widths = steps.map((lines) => {
      const { low, high } = judge(
        { ...NET, ...lines, ...(lines.proxycheck && { proxycheck: vendor }) },
        "failed",
      ).range;
      return high - low;
    });
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    expect(new Set(widths).size).toBe(3);
    expect(widths.at(-1)).toBe(0);
  });

  test("never counts more than the cap of a kind of evidence leaves", () => {
    const tor: Outcome = { flags: { isTor: true }, authority: ["isTor"] };
    const { purity, range } = judge({ tor_dnsel: tor }, "failed");
    const { total, anonymity, ...kinds } = RANGE_POINTS.purity.unknown;
    const others = Object.values(kinds).reduce((sum, points) => sum + points, 0);
    expect(purity - range.low).toBeLessThanOrEqual(others);
  });

  test("never gets wider when the kind of network becomes known", () => {
    for (const type of USAGE_TYPES) {
      for (const column of ["total", ...COVERED_KINDS] as const)
        expect(RANGE_POINTS.purity[type][column], `${type} ${column}`).toBeLessThanOrEqual(
          RANGE_POINTS.purity.unknown[column],
        );
    }
  });

  test("is closed for special-purpose space, which needs no evidence", () => {
    const { range, coverage, verdict } = score(mergeEvidence(ARCHETYPES.bogon));
    expect(range).toEqual({ low: 50, high: 50 });
    expect(coverage.total).toBe(1);
    expect(verdict.data).not.toHaveProperty("percent");
  });
});

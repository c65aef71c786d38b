import { describe, expect, test } from "bun:test";
import { CARRIED_DAYS, carryForward, mergeEvidence, type SourceRun, type Survey } from "#evidence";
import { makeSurvey, type Outcome } from "../scoring/surveys.ts";

const ADDRESS = "81.2.69.10";
const DAY_MS = 86_400_000;
const START = Date.parse("2026-11-01T12:00:00.000Z");

function at(day: number, vendor: Outcome): Survey {
  return {
    ...makeSurvey(ADDRESS, { proxycheck: vendor }),
    surveyedAt: new Date(START + day * DAY_MS).toISOString(),
  };
}

const ACCUSING: Outcome = { flags: { isVpn: true, isTor: false, isMobile: true }, geo: { country: "GB" } };

function vendorOf({ runs }: Survey): SourceRun {
  return runs.find(({ id }) => id === "proxycheck") ?? expect.unreachable();
}

describe("carryForward()", () => {
  test("keeps only what the lost source said against the address, and leaves its state as it is", () => {
    const later = carryForward(at(0, ACCUSING), at(1, "failed"));
    expect(vendorOf(later)).toMatchObject({ state: "failed", error: "timeout" });
    expect(vendorOf(later).carried).toEqual({
      observation: { flags: { isVpn: true } },
      heardAt: "2026-11-01T12:00:00.000Z",
      lostAt: "2026-11-02T12:00:00.000Z",
    });
    const { flags, geo, coverage, carried } = mergeEvidence(later);
    expect(flags.isVpn).toMatchObject({ value: true, yes: ["proxycheck"], agreement: 1 });
    expect(flags.isMobile.value).toBe(false);
    expect(geo).toBeUndefined();
    expect(coverage.obtained.anonymity).toBe(0);
    expect(coverage.unanswered).toContain("proxycheck");
    expect(carried).toMatchObject({ sources: [{ name: "proxycheck", heardOn: "2026-11-01" }], lostDays: 0 });
  });

  test("keeps the first date over several refreshes, and ends after the last day", () => {
    const first = carryForward(at(0, ACCUSING), at(1, "failed"));
    const second = carryForward(first, at(CARRIED_DAYS + 1, "failed"));
    expect(vendorOf(second).carried).toEqual(vendorOf(first).carried);
    expect(mergeEvidence(second).carried?.lostDays).toBe(CARRIED_DAYS);
    expect(vendorOf(carryForward(second, at(CARRIED_DAYS + 2, "failed"))).carried).toBeUndefined();
  });

  test("ends when the source answers without it, and carries nothing of a source without an accusation", () => {
    const lost = carryForward(at(0, ACCUSING), at(1, "failed"));
    expect(vendorOf(carryForward(lost, at(2, "empty"))).carried).toBeUndefined();
    expect(vendorOf(carryForward(lost, at(2, { flags: { isVpn: false } }))).carried).toBeUndefined();
    const clean = carryForward(at(0, { flags: { isVpn: false }, usage: "residential" }), at(1, "failed"));
    expect(vendorOf(clean).carried).toBeUndefined();
  });

  test("carries nothing of a source that the operator turned off", () => {
    const off = carryForward(at(0, ACCUSING), at(1, "live_off"));
    expect(vendorOf(off).carried).toBeUndefined();
  });
});

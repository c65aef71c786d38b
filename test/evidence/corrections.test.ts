import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import {
  type Corrections,
  correctSurvey,
  indexCorrections,
  mergeEvidence,
  NO_CORRECTIONS,
  parseCorrections,
} from "#evidence";
import { assess } from "#lookup";
import CORRECTIONS from "../fixtures/evidence/corrections.json";
import { makeSurvey } from "../scoring/surveys.ts";

const ADDRESS = "81.2.69.10";
const NET = { asn: { asn: 64500 } };

/** Corrections that apply at any time. */
function open(text: string): Corrections {
  return { ...NO_CORRECTIONS, version: () => "1", find: indexCorrections(parseCorrections(text)) };
}

function find(text: string, ip: string, asn?: number) {
  const address = parseAddress(ip) ?? expect.unreachable();
  return open(text)
    .find(address, asn)
    .map(({ reason }) => reason);
}

describe("parseCorrections()", () => {
  test("reads prefixes, addresses and AS numbers, kinds and flags, and reasons with commas", () => {
    const text =
      "\uFEFF# comment\r\n\n81.2.69.0/24, vpn=no ,2027-01-31, our office, floor 3\r\nAS64500,residential,2027-02-28,x\n";
    expect(parseCorrections(text.slice(1))).toMatchObject([
      {
        block: { text: "81.2.69.0/24" },
        claim: { flag: "isVpn", value: false },
        until: "2027-01-31",
        reason: "our office, floor 3",
      },
      { block: 64500, claim: "residential", until: "2027-02-28", reason: "x" },
    ]);
  });

  test.each([
    ...(CORRECTIONS.refused as [string, string][]),
    [`81.2.69.0/24,vpn=no,2027-01-31,${"x".repeat(201)}`, "row 2: expected a reason"] as const,
  ])("refuses %j with its row", (row, message) => {
    expect(() => parseCorrections(`192.0.2.1/32,vpn=no,2027-01-31,x\n${row}`)).toThrow(message);
  });

  test("reads the example of the document", async () => {
    const page = await Bun.file(`${import.meta.dir}/../../docs/operators/corrections.md`).text();
    expect(parseCorrections(/```\n(.*?)```/s.exec(page)?.[1] ?? "")).toHaveLength(3);
  });

  test("refuses the 10 001st row", () => {
    const row = (at: number) => `AS${at + 1},vpn=no,2027-01-31,x\n`;
    const rows = Array.from({ length: 10_001 }, (_, at) => row(at));
    expect(parseCorrections(rows.slice(1).join(""))).toHaveLength(10_000);
    expect(() => parseCorrections(rows.join(""))).toThrow("row 10001: more than 10000 rows");
  });
});

test("finds the rows of an address and its AS, the most specific first, and none for special-purpose space", () => {
  const text = [
    "AS64500,vpn=no,2027-01-31,AS",
    "81.2.0.0/16,vpn=no,2027-01-31,wide",
    "81.2.69.10,vpn=no,2027-01-31,one",
    "2a01:4f8::/32,residential,2027-01-31,six",
    "10.0.0.0/8,vpn=yes,2027-01-31,private",
    "0.0.0.0/0,tor=no,2027-01-31,all",
  ].join("\n");
  expect(find(text, ADDRESS, 64500)).toEqual(["one", "wide", "all", "AS"]);
  expect(find(text, "81.2.70.1")).toEqual(["wide", "all"]);
  expect(find(text, "2a01:4f8::7", 64500)).toEqual(["six", "AS"]);
  expect(find(text, "2a01:4f9::7")).toEqual([]);
  expect(find(text, "10.0.0.1", 64500)).toEqual([]);
});

describe("a corrected survey", () => {
  const lists = { vpn_feed: { flags: { isVpn: true, isHosting: true }, ...NET } } as const;
  const heard = makeSurvey(ADDRESS, lists);
  const local = { ...heard, runs: heard.runs.map((run) => ({ ...run, local: true })) };

  test("denies what lists and tables report, and the correction is a source with its reason", () => {
    expect(assess(local).flags).toMatchObject({ isVpn: true, isHosting: true });
    const corrected = assess(
      local,
      open("AS64500,residential,2027-01-31,a home line\n81.2.69.0/24,vpn=no,2027-01-31,no tunnel"),
    );
    expect(corrected).toMatchObject({ usage: "residential", flags: { isVpn: false, isHosting: false } });
    expect(corrected.factors.map(({ id }) => id)).not.toContain("vpn");
    expect(corrected.purity).toBeGreaterThan(assess(local).purity);
    expect(corrected.sources.at(-1)).toMatchObject({
      id: "operator_correction",
      state: "answered",
      detail: "no tunnel; a home line",
    });
    expect(corrected.unknowns.map(({ id }) => id)).not.toContain("correction_disputed");
  });

  test("keeps what live sources report with its points, and says that they disagree", () => {
    const survey = makeSurvey(ADDRESS, { ...lists, proxycheck: { flags: { isVpn: true } } });
    const mixed = { ...survey, runs: survey.runs.map((run) => ({ ...run, local: run.id !== "proxycheck" })) };
    const corrected = assess(mixed, open("81.2.69.10,vpn=no,2027-01-31,no tunnel"));
    expect(corrected.flags.isVpn).toBe(true);
    expect(corrected.factors.find(({ id }) => id === "vpn")?.points).toBeGreaterThan(0);
    expect(corrected.unknowns.find(({ id }) => id === "correction_disputed")?.data).toEqual({
      flags: ["isVpn"],
      sources: ["proxycheck"],
    });
  });

  test("outweighs lists with yes: the operator alone counts in full", () => {
    const quiet = makeSurvey(ADDRESS, { asn_table: NET });
    const corrected = correctSurvey(quiet, open("AS64500,tor=yes,2027-01-31,our exit"));
    expect(mergeEvidence(corrected).flags.isTor).toMatchObject({
      value: true,
      agreement: 2,
      yes: ["operator"],
    });
    expect(correctSurvey(quiet, open("AS64501,tor=yes,2027-01-31,other"))).toBe(quiet);
  });
});

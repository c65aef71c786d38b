import { describe, expect, test } from "bun:test";
import { reportTextsOf } from "#locale";
import type { Report } from "#report";
import { describeNetwork, listCredits } from "../../src/render/report_fields.ts";

function makeReport(sources: readonly [string, boolean][], geo: boolean): Report {
  return {
    ...(geo ? { geo: { country: "DE" } } : {}),
    sources: sources.map(([name, ok]) => ({ name, ok, kind: "free", ms: 1 })),
  } as unknown as Report; // nothing else is read
}

describe("listCredits()", () => {
  test("credits DB-IP when a place or a network is shown", () => {
    expect(listCredits(makeReport([], true), "by DB-IP")).toEqual([
      { text: "by DB-IP", url: "https://db-ip.com" },
    ]);
    expect(listCredits(makeReport([], false), "by DB-IP")).toEqual([]);
  });

  test("credits each publisher whose terms require it, once, and only when its source answered", () => {
    const urls = (report: Report) => listCredits(report, "").map((credit) => credit.url);
    expect(urls(makeReport([["IPinfo Lite", true]], false))).toEqual(["https://ipinfo.io"]);
    expect(urls(makeReport([["IPinfo Lite", false]], false))).toEqual([]);
    const drop = makeReport(
      [
        ["Spamhaus DROP", true],
        ["Spamhaus ASN-DROP", true],
      ],
      false,
    );
    expect(urls(drop)).toEqual(["https://www.spamhaus.org/drop/"]);
  });
});

test.each([
  ["en", "Abuse contact"],
  ["zh", "滥用投诉邮箱"],
] as const)("the network names its abuse contact: %s", (language, label) => {
  const report = { ...makeReport([], false), registry: { abuseContact: "abuse@example.net" } };
  expect(describeNetwork(report, reportTextsOf(language), language)).toContainEqual([
    label,
    "abuse@example.net",
  ]);
});

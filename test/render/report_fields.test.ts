import { describe, expect, test } from "bun:test";
import { reportTextsOf } from "#locale";
import type { Report } from "#report";
import type { ReportContext } from "../../src/render/report_context.ts";
import { describeNetwork, listCredits } from "../../src/render/report_fields.ts";

function makeContext(sources: readonly [string, boolean][], geo: boolean): ReportContext {
  const report = {
    ...(geo ? { geo: { country: "DE" } } : {}),
    sources: sources.map(([name, ok]) => ({ name, ok, kind: "free", ms: 1 })),
  } as unknown as Report;
  return { report, texts: { labels: { credit: "by DB-IP" } } } as ReportContext; // nothing else is read
}

describe("listCredits()", () => {
  test("credits DB-IP when a place or a network is shown", () => {
    expect(listCredits(makeContext([], true))).toEqual([{ text: "by DB-IP", url: "https://db-ip.com" }]);
    expect(listCredits(makeContext([], false))).toEqual([]);
  });

  test("credits each publisher whose terms require it, once, and only when its source answered", () => {
    const urls = (context: ReportContext) => listCredits(context).map((credit) => credit.url);
    expect(urls(makeContext([["IPinfo Lite", true]], false))).toEqual(["https://ipinfo.io"]);
    expect(urls(makeContext([["IPinfo Lite", false]], false))).toEqual([]);
    const drop = makeContext(
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
  const report = { registry: { abuseContact: "abuse@example.net" } };
  const context = { report, texts: reportTextsOf(language), language } as ReportContext;
  expect(describeNetwork(context)).toContainEqual([label, "abuse@example.net"]);
});

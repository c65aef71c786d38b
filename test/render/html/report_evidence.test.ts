import { expect, test } from "bun:test";
import { renderReportPage } from "#render";
import { DELIST_URLS, SOURCES, ZONES } from "#sources";
import { storedReport } from "../pages.ts";

/** The link beside a blocklist that lists the address. */
function linkTo(zone: string, ip: string): string | undefined {
  const entry = { zone, label: "x", listed: true, benign: false, unavailable: false };
  const report = { ...storedReport("en"), ip, blocklists: [entry], vpnOperator: null };
  const page = renderReportPage(report, { delistUrls: DELIST_URLS });
  return /<li><span>.*?<\/span> <a href="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
}

test.each(ZONES.map(({ id, delistUrl }) => [id, delistUrl] as const))(
  "an entry of %s links to the page that the zone names",
  (id, delistUrl) => {
    expect(linkTo(id, "203.0.113.45")).toBe(delistUrl.replace("{ip}", "203.0.113.45"));
    expect(linkTo(id, "2001:db8::7")).toBe(delistUrl.replace("{ip}", "2001%3Adb8%3A%3A7"));
  },
);

test.each([
  "spamhaus_drop",
  "blocklist_de_list",
  "stopforumspam",
  "stopforumspam_list",
  "greensnow",
  "feodo",
])("an entry of %s, which is not a DNS zone, has a link", (id) => {
  expect(SOURCES.some((source) => source.id === id)).toBe(true);
  expect(linkTo(id, "203.0.113.45")).toStartWith("https://");
});

test("an entry of a list without a page has no link", () => {
  for (const zone of ["unheard_of", "constructor", "__proto__"])
    expect(linkTo(zone, "203.0.113.45")).toBeUndefined();
});

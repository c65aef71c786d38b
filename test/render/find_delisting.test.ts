import { expect, test } from "bun:test";
import { renderPage } from "#render";
import { SOURCES, ZONES } from "#sources";
import { storedReport } from "./pages.ts";

function linkTo(zone: string, ip: string): string | undefined {
  const entry = { zone, label: "x", listed: true, benign: false, unavailable: false };
  const page = renderPage({ ...storedReport("en"), ip, blocklists: [entry], vpnOperator: null });
  return /<li><span>.*?<\/span> <a href="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
}

test.each(ZONES.map(({ id, delistUrl }) => [id, delistUrl] as const))(
  "findDelisting() sends those on %s where the zone says",
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
])("findDelisting() knows the page of %s, which is no zone", (id) => {
  expect(SOURCES.some((source) => source.id === id)).toBe(true);
  expect(linkTo(id, "203.0.113.45")).toStartWith("https://");
});

test("findDelisting() knows no page of a list that is not in its table", () => {
  for (const zone of ["unheard_of", "constructor", "__proto__"])
    expect(linkTo(zone, "203.0.113.45")).toBeUndefined();
});

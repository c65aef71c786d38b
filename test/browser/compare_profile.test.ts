import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { describeCountry } from "#locale";
import PROFILES from "../fixtures/profiles.json";

type Match = "fits" | "differs" | "unknown";
interface Row {
  readonly match: Match;
  readonly browser: string[];
  readonly address: string[];
}
interface Place {
  readonly surveyedAt: string;
  readonly country?: string;
  readonly timeZone?: string;
  readonly timeZones: readonly string[];
  readonly languages: readonly string[];
}
interface Settings {
  readonly timeZone: string;
  readonly languages: readonly string[];
  readonly nowMs: number;
  readonly clockMinutes: number;
}
interface ProfileScript {
  compareProfile(
    place: Place,
    settings: Settings,
    wording: { language: string; spread: (values: string) => string; comma: string; behind: string },
  ): Readonly<Record<"timeZone" | "clock" | "languages", Row>>;
}
// A script of the page is no part of the typed program; scripts.test.ts checks its own types.
const { compareProfile } = (await import(
  join(import.meta.dir, "../../static/compare_profile.js")
)) as ProfileScript;

/** A Sunday in winter, 13:00 UTC. */
const WINTER = Date.UTC(2026, 10, 22, 13);
const SUMMER = Date.UTC(2026, 6, 19, 13);

function placeIn(country: string, timeZone?: string): Place {
  return {
    surveyedAt: "2026-07-01T00:00:00.000Z",
    country,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...describeCountry(country),
  };
}

const NOWHERE: Place = { surveyedAt: "2026-07-01T00:00:00.000Z", timeZones: [], languages: [] };

function compare(place: Place, settings: Partial<Settings> = {}) {
  return compareProfile(
    place,
    { timeZone: "Asia/Shanghai", languages: ["zh-CN", "en"], nowMs: WINTER, clockMinutes: 480, ...settings },
    { language: "en", spread: (values) => `${place.country}: ${values}`, comma: ", ", behind: "wrong" },
  );
}

describe("the time zone", () => {
  // Zones with one offset are one zone; any zone of the country is enough; what a source names counts even if nothing is
  // known of the country; a zone that the browser does not know is no match and no difference.
  test.each(PROFILES.timeZones)("$timeZone at an address in $country, $city: $match", (row) => {
    const { timeZone, country, city, match } = row;
    const place = placeIn(country, city === "" ? undefined : city);
    expect(compare(place, { timeZone }).timeZone.match).toBe(match as Match);
  });

  test("is compared by the offset of now", () => {
    const arizona = { timeZone: "America/Phoenix" };
    const california = { ...NOWHERE, timeZone: "America/Los_Angeles" };
    expect(compare(california, { ...arizona, nowMs: SUMMER }).timeZone.match).toBe("fits");
    expect(compare(california, { ...arizona, nowMs: WINTER }).timeZone.match).toBe("differs");
  });

  test("is named with its offset; a country with several has all its offsets", () => {
    const lines = (country: string, city?: string) => compare(placeIn(country, city)).timeZone.address;
    expect(compare(placeIn("IN")).timeZone.browser).toEqual(["Asia/Shanghai (UTC+8)"]);
    expect(lines("IN")).toEqual(["Asia/Calcutta (UTC+5:30)"]);
    expect(lines("CN")).toEqual(["CN: UTC+6, UTC+8"]);
    expect(lines("US")).toEqual(["US: UTC\u221210 \u2013 UTC\u22125"]);
    expect(lines("US", "America/Chicago")).toEqual([
      "America/Chicago (UTC\u22126)",
      "US: UTC\u221210 \u2013 UTC\u22125",
    ]);
    expect(lines("US", "no zone")).toEqual(lines("US"));
    expect(lines("GB", "Europe/London")).toEqual(["Europe/London (UTC+0)"]);
  });
});

describe("the clock", () => {
  test("shows the time of the device and the time at the address", () => {
    const { clock } = compare(placeIn("US", "America/Chicago"));
    expect(clock).toEqual({
      match: "differs",
      browser: ["Sun 21:00 (UTC+8)"],
      address: ["Sun 07:00", "US: Sun 03:00 \u2013 Sun 08:00"],
    });
    expect(compare(placeIn("NZ", "Pacific/Auckland")).clock.address[0]).toBe("Mon 02:00");
    expect(compare(placeIn("SG")).clock.match).toBe("fits");
  });

  test("may differ from the time zone that the same browser names", () => {
    const { timeZone, clock } = compare(placeIn("JP"), { timeZone: "Asia/Tokyo", clockMinutes: 480 });
    expect([timeZone.match, clock.match]).toEqual(["fits", "differs"]);
  });

  test("is wrong if it shows a time before the survey", () => {
    const place = { ...placeIn("CN"), surveyedAt: new Date(WINTER + 90_000).toISOString() };
    expect(compare(place).clock).toMatchObject({ match: "differs", browser: [expect.any(String), "wrong"] });
    const near = { ...place, surveyedAt: new Date(WINTER + 30_000).toISOString() };
    expect(compare(near).clock).toMatchObject({ match: "fits", browser: ["Sun 21:00 (UTC+8)"] });
  });
});

describe("the languages", () => {
  // The script of Chinese tells where it is written; the first that is a language counts.
  test.each(PROFILES.languages)("$languages at an address in $country: $match", (row) => {
    const { languages, country, match } = row;
    expect(compare(placeIn(country), { languages }).languages.match).toBe(match as Match);
  });

  test("are named in the language of the page, a few of them, with the one that fits first", () => {
    const { languages } = compare(placeIn("IN"), { languages: ["te", "hi", "*", "en", "fr", "de"] });
    expect(languages.browser).toEqual(["Telugu, Hindi, English, French \u2026"]);
    expect(languages.address).toEqual(["Telugu, Hindi, English, Bangla \u2026"]);
  });
});

test("nothing fits an address without a place", () => {
  const rows = compare(NOWHERE);
  for (const row of Object.values(rows)) expect(row).toMatchObject({ match: "unknown", address: [] });
});

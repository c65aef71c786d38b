import { describe, expect, test } from "bun:test";
import { describeCountry } from "#locale";
import LOCALE from "../fixtures/locale.json";

describe("describeCountry", () => {
  test.each(LOCALE.timeZones as [string, string[]][])("knows the time zones of %s", (country, zones) => {
    expect(describeCountry(country).timeZones).toEqual(expect.arrayContaining(zones));
  });

  test.each(LOCALE.languages as [string, string[]][])(
    "knows the widely used languages of %s",
    (country, languages) => {
      expect(describeCountry(country).languages).toEqual(languages);
    },
  );

  test("knows a time zone and a language of nearly every country that has a name", () => {
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    const named = codes.filter((code) => names.of(code) !== undefined);
    const unknown = named.filter((code) => describeCountry(code).timeZones.length === 0);
    expect(named.length).toBeGreaterThan(250);
    // Two uninhabited islands, Kosovo, former countries, groups of countries, and codes for tests.
    expect(unknown).toEqual(expect.arrayContaining(["BV", "HM", "XK", "SU", "EU", "XA"]));
    expect(unknown.length).toBeLessThan(35);
    for (const code of named) {
      const { timeZones, languages } = describeCountry(code);
      for (const timeZone of timeZones)
        expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
      for (const language of languages) expect(Intl.getCanonicalLocales(language)).toEqual([language]);
      if (timeZones.length > 0) expect(languages.length, code).toBeGreaterThan(0);
    }
  });

  test.each(["ZZ", "EU", "QQ", "", "us", "USA", "U", "<b>", "../x"])("knows nothing of %p", (code) => {
    expect(describeCountry(code)).toEqual({ timeZones: [], languages: [] });
  });
});

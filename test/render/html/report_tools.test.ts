import { describe, expect, test } from "bun:test";
import { checkTextsOf, reportPageTextsOf } from "#locale";
import { renderReportPage } from "#render";
import { LANGUAGES, type Report, SCENARIOS } from "#report";
import { SERVER } from "../../fixtures/assessments.ts";
import { reportOf } from "../full_reports.ts";
import { hostileReport } from "../hostile_report.ts";
import { storedReport, writePage } from "../pages.ts";
import { decodeEntities, readPage } from "../read_page.ts";

async function readProfile(page: string) {
  const { elements } = await readPage(page);
  const scripts = elements.flatMap(({ attributes }) => attributes.get("src") ?? []);
  const found = elements.find(({ attributes }) => attributes.get("id") === "own-profile");
  const data = (name: string) => JSON.parse(decodeEntities(found?.attributes.get(name) ?? "null"));
  return {
    scripts,
    isHidden: found?.attributes.has("hidden"),
    place: data("data-place"),
    words: data("data-words"),
  };
}

describe.each(LANGUAGES)("the comparison with the browser: %s", (language) => {
  test("is an empty hidden element with the facts of the country, only on the page of the own address", async () => {
    const document: Report = {
      ...storedReport(language),
      geo: {
        country: "CH",
        countryName: language === "en" ? "Switzerland" : "瑞士",
        timezone: "Europe/Zurich",
      },
    };
    const page = renderReportPage(document, { own: true });
    expect(await readProfile(page)).toEqual({
      scripts: ["/static/theme.js", "/static/report.js", "/static/own_profile.js"],
      isHidden: true,
      place: {
        surveyedAt: document.queriedAt,
        country: document.geo?.countryName,
        timeZones: ["Europe/Zurich"],
        languages: ["de", "en", "fr", "it", "rm"],
        timeZone: "Europe/Zurich",
      },
      words: { ...reportPageTextsOf(language).profile },
    });
    expect(page).toMatch(/<div id="own-profile" hidden [^>]*><\/div>/);
    const other = await readProfile(renderReportPage(document));
    expect(other).toMatchObject({ scripts: ["/static/theme.js", "/static/report.js"], place: null });
  });

  test("knows no place of an address without a country, nor of a special-purpose address", async () => {
    const { geo: _geo, ...placeless } = storedReport(language);
    const unknown = await readProfile(renderReportPage(placeless, { own: true }));
    expect(unknown.place).toEqual({ surveyedAt: placeless.queriedAt, timeZones: [], languages: [] });
    expect(writePage("report_bogon", language)).not.toContain("own-profile");
    const bogon: Report = { ...placeless, flags: { ...placeless.flags, isBogon: true } };
    expect(renderReportPage(bogon, { own: true })).not.toMatch(/own.profile/);
  });

  test("shows on a mirror too, without the rating form", () => {
    const page = renderReportPage(storedReport(language), { own: true, takesRatings: false });
    expect(page).toContain('id="own-profile"');
    expect(page).not.toContain('id="feedback-form"');
  });

  test("holds hostile names as data only", async () => {
    const page = renderReportPage(hostileReport(language), { own: true });
    const { place } = await readProfile(page);
    expect(place).toMatchObject({ timeZones: [], languages: [] });
  });
});

describe("the form for ratings", () => {
  test.each(LANGUAGES)(
    "offers every use and the five meanings, disabled until its script runs: %s",
    (language) => {
      const report = reportOf(SERVER, language);
      const form = renderReportPage(report, { own: true });
      const { rating } = checkTextsOf(language);
      expect([...form.matchAll(/<option value="(\w+)">/g)].map((match) => match[1])).toEqual([...SCENARIOS]);
      expect([...form.matchAll(/name="rating" value="(\d)"/g)].map((match) => match[1])).toEqual([
        "5",
        "4",
        "3",
        "2",
        "1",
      ]);
      for (const meaning of Object.values(rating.meanings)) expect(form).toContain(meaning);
      expect(form).toContain("<fieldset disabled>");
      expect(form).toContain(`<noscript><p class="note">${rating.needsScript}</p></noscript>`);
      expect(form).toContain(`data-ip="${report.ip}"`);
      expect(form).toContain(
        `data-refresh-path="${language === "en" ? "/en" : ""}/ip/${report.ip}?refresh=1"`,
      );
    },
  );
});

import { describe, expect, test } from "bun:test";
import { checkTextsOf } from "#locale";
import { renderReportPage } from "#render";
import { LANGUAGES, SCENARIOS } from "#report";
import { SERVER } from "../../fixtures/assessments.ts";
import { reportOf } from "../full_reports.ts";

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

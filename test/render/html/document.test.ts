import { expect, test } from "bun:test";
import { reportTextsOf } from "#locale";
import { prefixOf } from "#render";
import { LANGUAGES, PROBLEM_CODES } from "#report";
import { PAGE_NAMES, writePage } from "../pages.ts";

test.each([...PAGE_NAMES])(
  "%s has one search field, the main links twice, and a disclaimer where sources conclude",
  (name) => {
    for (const language of LANGUAGES) {
      const page = writePage(name, language);
      expect(page.match(/<input[^>]* name="ip"/g)).toHaveLength(1);
      const [, header = "", footer = ""] = /<header(.*)<main.*<footer>(.*)/s.exec(page) ?? [];
      for (const place of ["compare", "method", "docs"])
        for (const part of [header, footer])
          expect(part).toContain(`<a href="${prefixOf(language)}/${place}"`);
      expect(page.split(reportTextsOf(language).labels.disclaimer)).toHaveLength(
        name === "report_bogon" || PROBLEM_CODES.some((code) => code === name) ? 1 : 2,
      );
    }
  },
);

import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "#report";
import { type PageName, writePage } from "../../render/pages.ts";

const NAMES: readonly PageName[] = [
  "report_own",
  "report_bogon",
  "home",
  "home_known",
  "compare_empty",
  "compare",
  "invalid_ip",
  "not_found",
  "rate_limited",
  "internal",
  "not_in_mirror",
  "check_lookup",
  "check_refresh",
  "check_feedback",
  "docs",
  "method_small",
];

describe("pages equal their golden files", () => {
  for (const name of NAMES) {
    test.each([...LANGUAGES])(`${name} in %s`, async (language) => {
      const page = writePage(name, language);
      const golden = Bun.file(
        new URL(`../../fixtures/golden/pages/${name}.${language}.html.txt`, import.meta.url),
      );
      if (process.env.UPDATE_GOLDEN === "1") await Bun.write(golden, page);
      expect(page).toBe(await golden.text());
    });
  }
});

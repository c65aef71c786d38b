import { describe, test } from "bun:test";
import { LANGUAGES } from "#report";
import { matchGolden } from "../../kit/golden.ts";
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
    test.each([...LANGUAGES])(`${name} in %s`, (language) => {
      matchGolden(`test/fixtures/golden/pages/${name}.${language}.html.txt`, writePage(name, language));
    });
  }
});

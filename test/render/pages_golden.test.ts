import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "#report";
import { type PageName, writePage } from "./pages.ts";

const NAMES: readonly PageName[] = [
  "report_own",
  "report_bogon",
  "home_known",
  "compare",
  "invalid_ip",
  "rate_limited",
];

describe("pages are as their golden files have them (UPDATE_GOLDEN=1 writes them)", () => {
  for (const name of NAMES) {
    test.each([...LANGUAGES])(`${name} in %s`, async (language) => {
      const page = writePage(name, language);
      const golden = Bun.file(
        new URL(`../fixtures/golden/pages/${name}.${language}.html.txt`, import.meta.url),
      );
      if (process.env.UPDATE_GOLDEN === "1") await Bun.write(golden, page);
      expect(page).toBe(await golden.text());
    });
  }
});

import { describe, test } from "bun:test";
import { LANGUAGES } from "#report";
import { matchGolden } from "../../kit/golden.ts";
import { PAGE_NAMES, writePage } from "../../render/pages.ts";

/** Large pages whose parts are in other golden files, and one without contents of its own. */
const LEFT_OUT = /^(?:report(?!_own|_bogon)|compare_hostile|overloaded|survey|method$)/;

describe("pages equal their golden files", () => {
  for (const name of PAGE_NAMES.filter((one) => !LEFT_OUT.test(one))) {
    test.each([...LANGUAGES])(`${name} in %s`, (language) => {
      matchGolden(`test/fixtures/golden/pages/${name}.${language}.html.txt`, writePage(name, language));
    });
  }
});

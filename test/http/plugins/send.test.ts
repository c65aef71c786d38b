import { describe, expect, test } from "bun:test";
import { languagePaths } from "../../../src/http/plugins/send.ts";
import VALUES from "../../fixtures/http/values.json";

const ask = (path: string, query = "") => languagePaths({ path, query: new URLSearchParams(query) });

describe("languagePaths()", () => {
  test.each(VALUES.paths as [string, string, string, string][])(
    "leads from one language to the other: %s?%s",
    (path, query, zh, en) => {
      expect(ask(path, query)).toEqual({ zh, en });
    },
  );

  test.each(VALUES.elsewhere)("makes no link of what may lead elsewhere (%#)", (path) => {
    expect(ask(path)).toBeUndefined();
  });
});

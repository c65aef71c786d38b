import { describe, expect, test } from "bun:test";
import { HtmlValidate } from "html-validate";
import { LANGUAGES } from "#report";
import { PAGE_NAMES, writePage } from "../../render/pages.ts";

const validator = new HtmlValidate({ root: true, extends: ["html-validate:recommended"] });

describe.each([...LANGUAGES])("every page in %s", (language) => {
  test.each([...PAGE_NAMES])("is valid HTML: %s", async (name) => {
    const report = await validator.validateString(writePage(name, language));
    // A hostile name can make a title of any length.
    const known = name.includes("hostile") ? ["long-title"] : [];
    const found = report.results.flatMap(({ messages }) =>
      messages
        .filter(({ ruleId }) => !known.includes(ruleId))
        .map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
    );
    expect(found).toEqual([]);
  });
});

test("the validator detects invalid HTML", async () => {
  const report = await validator.validateString('<p id="a"><div id="a" style="color:red"></p>');
  expect(report.errorCount).toBeGreaterThan(2);
});

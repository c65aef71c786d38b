import { expect, test } from "bun:test";
import { HtmlValidate } from "html-validate";
import { openApp } from "../../http/kit/open_app.ts";

test.each(["/docs", "/en/docs"])("%s is valid and small HTML", async (path) => {
  const page = await (await openApp().ask(path)).text();
  const validator = new HtmlValidate({ root: true, extends: ["html-validate:recommended"] });
  const { results } = await validator.validateString(page);
  expect(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
  ).toEqual([]);
  expect(Bun.gzipSync(page).length).toBeLessThan(60_000);
});

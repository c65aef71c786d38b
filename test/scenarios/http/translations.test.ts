import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeInterface } from "#locale";
import { document } from "../../http/kit/open_app.ts";

/** The descriptions, summaries and tag names of a document, also the summary of an example, but not its value. */
function listTexts(value: unknown, key = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listTexts(item, key));
  if (typeof value !== "object" || value === null) return [];
  if (key === "info" || key === "value" || key === "example") return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isText = name === "description" || name === "summary" || (name === "name" && key === "tags");
    return isText && typeof member === "string" ? [member] : listTexts(member, name);
  });
}

const texts = new Set(listTexts(document));
const table: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dir, "../../../src/locale/zh/interface.json"), "utf8"),
);

test("every description of the interface has a Chinese text in src/locale/zh/interface.json", () => {
  expect(texts.size).toBeGreaterThan(150);
  const missing = [...texts].filter((text) => describeInterface(text, "zh") === undefined);
  expect(missing).toEqual([]);
  for (const text of texts) {
    expect(describeInterface(text, "en")).toBe(text);
    // Names of standards stay as they are.
    if (!/^(?:OpenAPI|RFC|ISO|IANA)/.test(text))
      expect(describeInterface(text, "zh")).toMatch(/\p{Script=Han}/u);
  }
});

test("no Chinese text is left over", () => {
  const keys = Object.keys(table);
  expect(keys.length).toBeGreaterThan(150);
  expect(keys.filter((key) => !texts.has(key))).toEqual([]);
});

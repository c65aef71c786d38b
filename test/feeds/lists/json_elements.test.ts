import { describe, expect, test } from "bun:test";
import { FeedContent } from "../../../src/feeds/feed_content.ts";
import { readJsonElements } from "../../../src/feeds/lists/json_elements.ts";

const read = (text: string) => [
  ...readJsonElements(
    new FeedContent({ url: "https://lists.example/", index: 0, bytes: new TextEncoder().encode(text) }),
  ),
];

describe("readJsonElements()", () => {
  test("reads objects one after the other, whatever their texts contain", () => {
    const elements = [{ a: '}],{"' }, { b: [{ c: "\\" }, "数据中心"] }, {}];
    expect(read(JSON.stringify(elements))).toEqual(elements);
    expect(read(JSON.stringify(elements, null, 2))).toEqual(elements);
    expect(read("[]")).toEqual([]);
  });

  test.each([
    ['{"message":"Not Found"}', "it is not a JSON array"],
    ['[{"a":1},{"b":', "it is cut short"],
    ['[{"a":"', "it is cut short"],
    ["[{a:1}]", "an element is not JSON"],
  ])("refuses %p", (text, problem) => {
    expect(() => read(text)).toThrow(problem);
  });

  test("refuses an element that is too long", () => {
    expect(() => read(`[{"a":"${"x".repeat(70_000)}"}]`)).toThrow("an element is too long");
  });
});

import { describe, expect, test } from "bun:test";
import { renderProgress } from "#render";

describe("renderProgress", () => {
  test("is an empty, hidden element with its texts and its style sheet", () => {
    expect(renderProgress("en").toString()).toMatch(
      /^<link rel="stylesheet" href="\/static\/check.css">\n<div id="progress" hidden data-words="[^"<>]+"><\/div>$/,
    );
  });
});

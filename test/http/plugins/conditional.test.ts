import { describe, expect, test } from "bun:test";
import { isCurrent, notModified } from "../../../src/http/plugins/conditional.ts";

describe("isCurrent()", () => {
  test.each([
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"b", "a"', '"a"', true],
    ["*", '"a"', true],
    ['"b"', '"a"', false],
    ['"a', '"a"', false],
    ["", '"a"', false],
    ['"a"', 'W/"a"', true],
    ['W/"a"', 'W/"a"', true],
    ['W/"b"', 'W/"a"', false],
  ])("compares %s with %s", (ifNoneMatch, etag, current) => {
    expect(isCurrent(new Headers({ "if-none-match": ifNoneMatch }), new Headers({ etag }))).toBe(current);
  });

  test("is false without a header, or without a tag", () => {
    expect(isCurrent(new Headers(), new Headers({ etag: '"a"' }))).toBe(false);
    expect(isCurrent(new Headers({ "if-none-match": "*" }), new Headers())).toBe(false);
  });

  const MODIFIED = "Tue, 03 Feb 2026 04:05:06 GMT";
  test.each([
    [MODIFIED, true],
    ["Tue, 03 Feb 2026 04:05:07 GMT", true],
    ["Tue, 03 Feb 2026 04:05:05 GMT", false],
    ["2026-02-04", false],
    ["tomorrow", false],
    ["", false],
  ])("compares If-Modified-Since: %s with Last-Modified", (since, current) => {
    const asked = new Headers({ "if-modified-since": since });
    expect(isCurrent(asked, new Headers({ "last-modified": MODIFIED }))).toBe(current);
    expect(isCurrent(asked, new Headers())).toBe(false);
    // If-None-Match decides alone where it is sent.
    asked.set("if-none-match", '"b"');
    expect(isCurrent(asked, new Headers({ "last-modified": MODIFIED, etag: '"a"' }))).toBe(false);
  });
});

test("notModified() drops only the headers of the body, and does not change its argument", () => {
  const head = new Headers({
    etag: '"a"',
    vary: "Accept",
    "content-type": "text/plain",
    "content-length": "3",
  });
  const response = notModified(head);
  expect(response.status).toBe(304);
  expect(response.headers.toJSON()).toEqual({ etag: '"a"', vary: "Accept" });
  expect(head.get("content-length")).toBe("3");
});

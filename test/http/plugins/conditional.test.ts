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
  ])("compares %s with %s", (ifNoneMatch, etag, current) => {
    expect(isCurrent(ifNoneMatch, etag)).toBe(current);
  });

  test("is false without a header, or without a tag", () => {
    expect(isCurrent(null, '"a"')).toBe(false);
    expect(isCurrent("*", null)).toBe(false);
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

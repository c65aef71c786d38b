import { describe, expect, test } from "bun:test";
import { languagePaths } from "../../../src/http/plugins/send.ts";

const ask = (path: string, query = "") => languagePaths({ path, query: new URLSearchParams(query) });

describe("languagePaths()", () => {
  test.each([
    ["/", "", "/", "/en"],
    ["/en", "", "/", "/en"],
    ["/ip/203.0.113.7", "refresh=1&lang=en", "/ip/203.0.113.7?refresh=1", "/en/ip/203.0.113.7?refresh=1"],
    ["/en/ip/2001:db8::7", "", "/ip/2001:db8::7", "/en/ip/2001:db8::7"],
    ["/english", "", "/english", "/en/english"],
    ["/en/compare", "ips=<b>", "/compare?ips=%3Cb%3E", "/en/compare?ips=%3Cb%3E"],
  ])("leads from one language to the other: %s?%s", (path, query, zh, en) => {
    expect(ask(path, query)).toEqual({ zh, en });
  });

  test.each([
    "//evil.example",
    "/en//evil.example",
    "/\\evil.example",
    "/en/\\evil.example",
    "",
    "http:",
    "/a//b",
    `/${"a".repeat(2000)}`,
  ])("makes no link of what may lead elsewhere (%#)", (path) => {
    expect(ask(path)).toBeUndefined();
  });
});

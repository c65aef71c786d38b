import { describe, expect, test } from "bun:test";
import { maskAddress, pagePathOf, reportPathOf, reportUrlOf } from "#render";

describe("reportPathOf()", () => {
  test("keeps the colons of an IPv6 address", () => {
    expect(reportPathOf("203.0.113.7", "zh")).toBe("/ip/203.0.113.7");
    expect(reportPathOf("2001:db8::7", "en")).toBe("/en/ip/2001:db8::7");
    expect(reportPathOf("2001:db8::7", "en", ".json")).toBe("/en/ip/2001:db8::7.json");
  });

  test("escapes everything that could leave the path segment", () => {
    expect(reportPathOf("a/b?c#d%e f", "zh")).toBe("/ip/a%2Fb%3Fc%23d%25e%20f");
  });
});

test("maskAddress() keeps the first half of IPv4 and two groups of IPv6", () => {
  const masked = ["203.0.113.7", "2001:db8:1:2::7", "2001::7", "::1"].map(maskAddress);
  expect(masked).toEqual(["203.0.*.*", "2001:db8:*", "2001:0:*", "0:0:*"]);
});

test("reportUrlOf() puts the path on the public origin", () => {
  expect(reportUrlOf("https://limpid.example", "2001:db8::7", "zh")).toBe(
    "https://limpid.example/ip/2001:db8::7",
  );
});

test("the Chinese pages have no prefix", () => {
  expect([pagePathOf("compare", "zh"), pagePathOf("compare", "en")]).toEqual(["/compare", "/en/compare"]);
  expect([pagePathOf("method", "zh"), pagePathOf("method", "en")]).toEqual(["/method", "/en/method"]);
});

import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { isMobileBlock } from "../../src/evidence/mobile_blocks.ts";

describe("isMobileBlock()", () => {
  const isMobile = (text: string, asn: number) => {
    const address = parseAddress(text);
    return address !== undefined && isMobileBlock(address, asn);
  };

  test("knows blocks of phones only in the network of their operator", () => {
    expect(isMobile("31.94.0.1", 2856)).toBe(true);
    expect(isMobile("31.94.0.1", 8075)).toBe(false);
    expect(isMobile("86.128.0.1", 2856)).toBe(false);
    expect(isMobile("2001:db8::1", 2856)).toBe(false);
  });
});

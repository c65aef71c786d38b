import { describe, expect, test } from "bun:test";
import { findSpecialPurpose, parseAddress, parsePrefix } from "#address";
import { CLOUD_BLOCKS, findCloudBlock } from "../../src/evidence/cloud_blocks.ts";

function find(text: string): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse "${text}"`);
  return findCloudBlock(address);
}

describe("findCloudBlock()", () => {
  test("finds the operator for the first and last address of a block, and not for the addresses beside them", () => {
    expect(find("44.192.0.0")).toBe("Amazon Web Services");
    expect(find("44.255.255.255")).toBe("Amazon Web Services");
    expect(find("44.191.255.255")).toBeUndefined();
    expect(find("45.0.0.0")).toBeUndefined();
    expect(find("2001:41d0::")).toBe("OVHcloud");
    expect(find("2001:41d0:ffff:ffff:ffff:ffff:ffff:ffff")).toBe("OVHcloud");
    expect(find("2001:41d1::")).toBeUndefined();
  });

  test("does not confuse IPv4 and IPv6 blocks that begin with the same bits", () => {
    expect(find("34.64.0.1")).toBe("Google");
    expect(find("2240:1::1")).toBeUndefined();
  });

  test("has only public prefixes, and none inside another", () => {
    const prefixes = CLOUD_BLOCKS.flatMap(([, texts]) => texts.split(/\s+/)).map((text) => {
      const prefix = parsePrefix(text);
      if (prefix === undefined) throw new Error(`Cannot parse "${text}"`);
      return prefix;
    });
    for (const { address, text } of prefixes) {
      expect(findSpecialPurpose(address)).toBeUndefined();
      const inside = prefixes.filter(
        (other) =>
          other.text !== text && other.address.version === address.version && covers(other, { address }),
      );
      expect(inside.map((other) => `${text} in ${other.text}`)).toEqual([]);
    }
    expect(new Set(prefixes.map(({ text }) => text)).size).toBe(prefixes.length);
  });
});

function covers(
  outer: { readonly address: { readonly words: readonly number[] }; readonly bits: number },
  inner: { readonly address: { readonly words: readonly number[] } },
): boolean {
  return outer.address.words.every((word, index) => {
    const bits = Math.min(Math.max(outer.bits - index * 32, 0), 32);
    if (bits === 0) return true;
    const size = 2 ** (32 - bits);
    return Math.floor(word / size) === Math.floor((inner.address.words[index] ?? 0) / size);
  });
}

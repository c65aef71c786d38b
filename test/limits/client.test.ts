import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isWithin, type Prefix, parseAddress, parsePrefix } from "#address";
import { type ClientRules, readClient } from "#limits";
import HOPS from "../fixtures/forwarded.json";
import { runs } from "../kit/runs.ts";

function prefixes(...texts: string[]): Prefix[] {
  return texts.map((text) => {
    const prefix = parsePrefix(text);
    if (prefix === undefined) throw new Error(`Cannot parse prefix "${text}"`);
    return prefix;
  });
}

const NOBODY: ClientRules = { trustedProxies: [], exempt: [] };
const PROXIES: ClientRules = {
  trustedProxies: prefixes("127.0.0.0/8", "::1", "10.0.0.0/8", "2001:db8:ffff::/48"),
  exempt: prefixes("198.51.100.0/24", "2001:db8:e::/48", "10.9.0.0/16"),
};

function forwarded(...values: string[]): Headers {
  const headers = new Headers();
  for (const value of values) headers.append("x-forwarded-for", value);
  return headers;
}

const keyOf = (peer: string | undefined, rules: ClientRules, ...values: string[]) =>
  readClient(forwarded(...values), peer, rules).key;

describe("readClient", () => {
  test("returns the peer when no proxy is trusted, for any headers", () => {
    const headers = forwarded("203.0.113.9", "198.51.100.1");
    headers.set("x-real-ip", "203.0.113.9");
    headers.set("forwarded", "for=203.0.113.9");
    headers.set("cf-connecting-ip", "203.0.113.9");
    expect(readClient(headers, "192.0.2.1", NOBODY)).toEqual({
      address: { text: "192.0.2.1", version: 4, words: [0xc0000201] },
      key: "192.0.2.1",
      exempt: false,
    });
    expect(readClient(headers, "192.0.2.1", PROXIES).key).toBe("192.0.2.1");
    expect(readClient(headers, "127.0.0.1", NOBODY).key).toBe("127.0.0.1");
  });

  test("keys IPv6 by /64, IPv4 by address, and a mapped peer by its IPv4 address", () => {
    expect(keyOf("2001:db8:1:2:3:4:5:6", NOBODY)).toBe("2001:db8:1:2::/64");
    expect(keyOf("2001:db8:1:2::", NOBODY)).toBe("2001:db8:1:2::/64");
    expect(keyOf("2001:db8:1:3::1", NOBODY)).toBe("2001:db8:1:3::/64");
    expect(keyOf("::ffff:192.0.2.1", NOBODY)).toBe("192.0.2.1");
    expect(keyOf("::ffff:10.0.0.1", PROXIES, "192.0.2.7")).toBe("192.0.2.7");
    expect(keyOf("fe80::1%eth0", NOBODY)).toBe("fe80::/64");
    expect(readClient(new Headers(), "2001:db8:1:2:3:4:5:6", NOBODY).address?.text).toBe(
      "2001:db8:1:2:3:4:5:6",
    );
  });

  test("returns one fixed client without a readable peer, and ignores the headers", () => {
    for (const peer of [undefined, "", "nonsense", "/run/limpid.sock"]) {
      expect(readClient(forwarded("192.0.2.1"), peer, PROXIES)).toEqual({ key: "unknown", exempt: false });
    }
  });

  test.each(Object.values(HOPS).flat() as [string, string[], string][])(
    "behind %s with %j is %s",
    (peer, values, key) => {
      expect(keyOf(peer, PROXIES, ...values)).toBe(key);
    },
  );

  // biome-ignore format: a table of short strings
  test.each([
    "unknown", "_hidden", "localhost", "192.0.2.1.", "192.0.2.01", "0xc0000201", "192.0.2.1:", "192.0.2.1:x", "192.0.2.1:123456", "192.0.2.1:65536",
    "192.0.2.1:-1", "192.0.2.1:80:80", "[192.0.2.1]", "[192.0.2.1]:80", "[2001:db8::1", "2001:db8::1]", "[2001:db8::1]80", "[2001:db8::1]:", "[]:80", ":80",
    "fe80::1%eth0", "192.0.2.1/32", "\"192.0.2.1\"", "for=192.0.2.1", "192.0.2.1 192.0.2.2", "192.0.2.1;", "", " ", "2001:db8:0:0:0:0:0:1:443",
    `${" ".repeat(65)}192.0.2.1`, "1".repeat(10_000),
  ])("ends the walk at the last trusted address before %j", (junk) => {
    expect(keyOf("127.0.0.1", PROXIES, `203.0.113.1, ${junk}`)).toBe("127.0.0.1");
    expect(keyOf("127.0.0.1", PROXIES, `203.0.113.1,${junk},10.0.0.2`)).toBe("10.0.0.2");
    expect(keyOf("127.0.0.1", PROXIES, `203.0.113.1,${junk},192.0.2.7`)).toBe("192.0.2.7");
  });

  test("reads at most 32 hops", () => {
    const trusted = (count: number) => Array.from({ length: count }, (_, i) => `10.0.0.${i}`);
    expect(keyOf("127.0.0.1", PROXIES, ["192.0.2.1", ...trusted(31)].join(","))).toBe("192.0.2.1");
    expect(keyOf("127.0.0.1", PROXIES, ["192.0.2.1", ...trusted(32)].join(","))).toBe("10.0.0.0");
    expect(
      keyOf("127.0.0.1", PROXIES, ["192.0.2.1", ...trusted(100_000).map(() => "10.0.0.9")].join(",")),
    ).toBe("10.0.0.9");
  });

  test("compares the exempt prefixes with the client, not with its proxy", () => {
    const exempt = (peer: string, ...values: string[]) =>
      readClient(forwarded(...values), peer, PROXIES).exempt;
    expect(exempt("198.51.100.7")).toBe(true);
    expect(exempt("::ffff:198.51.100.7")).toBe(true);
    expect(exempt("127.0.0.1", "198.51.100.7")).toBe(true);
    expect(exempt("127.0.0.1", "2001:db8:e:1::1")).toBe(true);
    expect(exempt("10.9.0.1", "192.0.2.1")).toBe(false);
    expect(exempt("10.9.0.1")).toBe(true);
    expect(exempt("192.0.2.1", "198.51.100.7")).toBe(false);
    expect(exempt("127.0.0.1", "198.51.100.7, 192.0.2.1")).toBe(false);
    expect(exempt("127.0.0.1", "198.51.100.7, junk")).toBe(false);
  });

  test("ignores everything left of the right-most untrusted hop", () => {
    const printable = fc.string({ unit: "grapheme-ascii", maxLength: 80 });
    const trusted = fc.constantFrom("10.0.0.1", "127.0.0.9", "[2001:db8:ffff::1]:8080", "10.2.3.4:99");
    fc.assert(
      fc.property(printable, fc.ipV4(), fc.array(trusted, { maxLength: 5 }), (claimed, real, chain) => {
        const address = parseAddress(real);
        fc.pre(address !== undefined && !PROXIES.trustedProxies.some((prefix) => isWithin(address, prefix)));
        expect(keyOf("127.0.0.1", PROXIES, `${claimed},${[real, ...chain].join(", ")}`)).toBe(real);
      }),
      { numRuns: runs(10_000) },
    );
  });

  test("never throws, and returns only the peer or an address from the header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 200 }), (junk) => {
        const client = readClient(forwarded(junk), "127.0.0.1", PROXIES);
        expect(client.address).toBeDefined();
        if (client.address?.version === 4 && client.key !== "127.0.0.1") expect(junk).toContain(client.key);
      }),
      { numRuns: runs(10_000) },
    );
  });
});

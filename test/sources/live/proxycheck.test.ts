import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { proxycheck } from "../../../src/sources/live/proxycheck.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? fail();
const FLAG_OF = { proxy: "isProxy", vpn: "isVpn", tor: "isTor", hosting: "isHosting" } as const;

describe("proxycheck", () => {
  test("sends a fixed version, turns tagging off and encodes the key", async () => {
    const urls: string[] = [];
    const upstream = {
      http: async ({ url }: { readonly url: string }) => {
        urls.push(url);
        throw new UpstreamError("timeout", "enough");
      },
    };
    // Only the HTTP port is used, so the other ports are missing.
    const ports = { upstream } as unknown as Parameters<typeof proxycheck.ask>[1];
    const { signal } = new AbortController();
    await proxycheck.ask(ADDRESS, ports, signal, "a&days=1#").catch(() => undefined);
    await proxycheck.ask(parseAddress("2001:db8::7") ?? fail(), ports, signal).catch(() => undefined);
    expect(urls).toEqual([
      "https://proxycheck.io/v3/203.0.113.7?key=a%26days%3D1%23&ver=11-February-2026&tag=0",
      "https://proxycheck.io/v3/2001:db8::7?ver=11-February-2026&tag=0",
    ]);
  });

  test("reads exactly the detections in the answer, with any risk", () => {
    const detection = fc.constantFrom(true, false, null, "Unknown", undefined);
    const detections = fc.record({
      proxy: detection,
      vpn: detection,
      tor: detection,
      hosting: detection,
      anonymous: fc.boolean(),
      risk: fc.nat(100),
    });
    fc.assert(
      fc.property(detections, (values) => {
        const expected: Record<string, boolean> = {};
        for (const [field, flag] of Object.entries(FLAG_OF)) {
          const value = values[field as keyof typeof FLAG_OF];
          if (typeof value === "boolean") expected[flag] = value;
        }
        if (Object.keys(expected).length === 0) return;
        const observation = read({ status: "ok", "203.0.113.7": { detections: values } });
        expect<unknown>(observation).toEqual({ flags: expected });
      }),
    );
  });

  test("reads a count that is too large as one attack", () => {
    const attack_history = { login_attempt: Number.POSITIVE_INFINITY, vulnerability_probing: 2 ** 60 };
    const answer = { status: "ok", "203.0.113.7": { detections: { vpn: false }, attack_history } };
    expect(read(answer)?.abuse?.attacks).toEqual({ login_attempt: 1, vulnerability_probing: 1 });
  });

  test.each([[undefined], [{}], [{ message: "slow down" }], [[]]])("classifies a 429 with %p", (body) => {
    expect(() => proxycheck.read({ status: 429, body }, ADDRESS)).toThrow("quota: HTTP 429");
    expect(() => proxycheck.read({ status: 400, body }, ADDRESS)).toThrow("status: HTTP 400");
  });

  test("reads no abuse from the risk, and attacks from counts only", () => {
    const body = (more: object) => ({
      status: "ok",
      "203.0.113.7": { detections: { vpn: false, risk: 100, ...more }, attack_history: { a: -1, b: 1.5 } },
    });
    expect(read(body({}))?.abuse).toBeUndefined();
    expect(read(body({ compromised: true, last_seen: "yesterday" }))?.abuse).toEqual({
      attacks: { compromised_host: 1 },
    });
  });

  test.each([
    ["203.0.113.9/24", "203.0.113.0/24"],
    ["203.0.113.9/25", undefined],
    ["198.51.100.0/24", undefined],
    ["0.0.0.0/0", undefined],
    ["Unknown", undefined],
  ])("reads the range %s as the route %p", (range, route) => {
    const observation = read({
      status: "ok",
      "203.0.113.7": { detections: { vpn: false }, network: { asn: "AS64500", range } },
    });
    expect<unknown>(observation?.asn).toEqual({ asn: 64500, ...(route === undefined ? {} : { route }) });
  });

  test.each(["AS0", "64500", "AS4294967296", "ASX", null, 64500])(
    "has no number for the network %p",
    (asn) => {
      const observation = read({
        status: "ok",
        "203.0.113.7": { detections: { vpn: false }, network: { asn } },
      });
      expect(observation?.asn).toBeUndefined();
    },
  );

  test("sends a hostile key unchanged", () => {
    const body = JSON.parse('{"status":"ok","__proto__":{"detections":{"vpn":true}},"constructor":{}}');
    expect(() => read(body)).toThrow(UpstreamError);
    expect(Object.hasOwn(Object.prototype, "detections")).toBe(false);
  });
});

function read(body: unknown) {
  return proxycheck.read({ status: 200, body }, ADDRESS);
}

function fail(): never {
  throw new Error("Cannot parse a literal address");
}

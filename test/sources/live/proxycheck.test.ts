import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { proxycheck } from "../../../src/sources/live/proxycheck.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const FLAG_OF = { proxy: "isProxy", vpn: "isVpn", tor: "isTor", hosting: "isHosting" } as const;

describe("proxycheck", () => {
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
        const network = { provider: "Example Broadband" };
        const observation = read({ status: "ok", "203.0.113.7": { detections: values, network } });
        expect<unknown>(observation).toEqual({ flags: expected, asn: { name: "Example Broadband" } });
      }),
    );
  });

  const network = { asn: "AS64500", provider: "Example Broadband" };
  const about = (detections: object, more: object = {}) =>
    read({ status: "ok", "203.0.113.7": { detections, network, ...more } });

  test("takes nothing from detections of low confidence, and needs more of it for one that was seen once", () => {
    const accused = { proxy: true, vpn: true, tor: true, hosting: true, compromised: true };
    const counted = { isProxy: true, isVpn: true, isTor: true, isHosting: true };
    for (const more of [{}, { confidence: 50 }, { confidence: 74, times_seen: 2 }, { confidence: "low" }]) {
      expect(about({ ...accused, ...more })).toMatchObject({ flags: counted, abuse: { attacks: {} } });
    }
    for (const more of [{ confidence: 0 }, { confidence: 49 }, { confidence: 74, times_seen: 1 }]) {
      const unsure = about({ ...accused, ...more });
      expect(unsure?.flags).toEqual({ isHosting: true });
      expect(unsure?.abuse).toBeUndefined();
    }
    expect(about({ vpn: false, hosting: false, confidence: 10 })?.flags).toEqual({ isHosting: false });
  });

  test("accuses nobody whom the vendor took off its list", () => {
    const accused = { proxy: true, vpn: true, tor: false, hosting: true, scraper: true };
    const operator = { name: "Example VPN", services: ["datacenter_vpns"] };
    const delisted = about(accused, { detection_history: { delisted: true }, operator });
    expect(delisted?.flags).toEqual({ isTor: false, isHosting: true });
    expect([delisted?.vpn, delisted?.abuse]).toEqual([undefined, undefined]);
    const planned = { delisted: false, delist_datetime: "2026-12-24T00:00:00Z" };
    expect(about(accused, { detection_history: planned, operator })).toMatchObject({
      flags: { isProxy: true, isVpn: true },
      vpn: { name: "Example VPN" },
    });
  });

  test("reads from an operator's services whether it sells VPNs, and whether its proxies are residential", () => {
    const sold = (services: unknown) =>
      about({ proxy: true, vpn: true }, { operator: { name: "Example", services } });
    expect(sold(["residential_vpns"])).toMatchObject({ vpn: { name: "Example" } });
    expect(sold(["datacenter_proxies"])?.vpn).toBeUndefined();
    expect(sold(undefined)?.vpn).toMatchObject({ name: "Example" });
    expect(sold("datacenter_vpns")?.vpn).toMatchObject({ name: "Example" });
    expect(sold(["Residential_Proxies"])?.residentialProxy).toBe(true);
    expect(sold(["wireless_proxies", 7])?.residentialProxy).toBe(true);
    expect(sold(["datacenter_proxies"])?.residentialProxy).toBeUndefined();
    const services = ["residential_proxies"];
    expect(about({ proxy: false }, { operator: { name: "X", services } })?.residentialProxy).toBeUndefined();
  });

  test("says nothing about an address whose network and place it does not know", () => {
    const denied = { proxy: false, vpn: false, tor: false, hosting: false };
    const empty = {
      network: { asn: null, provider: "Unknown", type: null },
      location: { country_code: null },
    };
    expect(about(denied, empty)).toBeUndefined();
    expect(about({ ...denied, vpn: true }, empty)).toMatchObject({ flags: { isVpn: true, isProxy: false } });
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

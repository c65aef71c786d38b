import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { ipqualityscore } from "../../../src/sources/live/ipqualityscore.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const PAYWALL = "Premium required.";

describe("ipqualityscore", () => {
  test("is no proxy when it is a VPN or Tor, and has no flag behind a paywall", () => {
    const detection = fc.constantFrom(true, false, null, PAYWALL);
    const words = fc.record({ proxy: detection, vpn: detection, active_vpn: detection, tor: detection });
    fc.assert(
      fc.property(words, (said) => {
        const isVpn = said.vpn === true || said.active_vpn === true;
        const isTor = said.tor === true;
        const flags = read({ ...said, active_tor: false })?.flags ?? {};
        expect(flags.isTor).toBe(isTor);
        if (isVpn) expect(flags.isVpn).toBe(true);
        else expect(flags.isVpn).toBe(said.vpn === false || said.active_vpn === false ? false : undefined);
        const isSilent = isVpn || isTor || typeof said.proxy !== "boolean";
        expect<unknown>(flags.isProxy).toBe(isSilent ? undefined : said.proxy);
      }),
    );
  });

  test("never accuses below the vendor's threshold, nor of what a flag already says", () => {
    fc.assert(
      fc.property(fc.nat(100), fc.boolean(), (score, isProxy) => {
        const word = read({ fraud_score: score, proxy: isProxy, vpn: false, tor: false })?.abuse;
        const expected = !isProxy && score >= 75 ? { score } : undefined;
        expect(word).toEqual(expected);
      }),
    );
  });

  test.each([PAYWALL, "premium required", "88", null, true])("takes %p for no score", (score) => {
    expect(read({ fraud_score: score, proxy: false })?.abuse).toBeUndefined();
  });

  test.each([101, -1, Number.POSITIVE_INFINITY, Number.NaN])("refuses %p, which is not a score", (score) => {
    expect(() => read({ fraud_score: score, proxy: false })).toThrow("shape: not a score");
  });

  test("never repeats the paywall text", () => {
    const fields = ["region", "city", "ISP", "organization", "connection_type", "timezone", "country_code"];
    const body = Object.fromEntries(fields.map((field) => [field, PAYWALL]));
    expect(read({ ...body, ASN: PAYWALL, proxy: false })).toEqual({ flags: { isProxy: false } });
  });
});

function read(body: object) {
  return ipqualityscore.read({ status: 200, body: { success: true, ...body } }, ADDRESS);
}

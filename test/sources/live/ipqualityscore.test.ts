import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { ipqualityscore } from "../../../src/sources/live/ipqualityscore.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const PAYWALL = "Premium required.";

describe("ipqualityscore", () => {
  test("is not a proxy when it is a VPN or Tor, and a paywall text sets no flag", () => {
    const detection = fc.constantFrom(true, false, null, PAYWALL);
    const anyFlags = fc.record({ proxy: detection, vpn: detection, active_vpn: detection, tor: detection });
    fc.assert(
      fc.property(anyFlags, (values) => {
        const isVpn = values.vpn === true || values.active_vpn === true;
        const isTor = values.tor === true;
        const flags = read({ ...values, active_tor: false, country_code: "DE" })?.flags ?? {};
        expect(flags.isTor).toBe(isTor);
        if (isVpn) expect(flags.isVpn).toBe(true);
        else
          expect(flags.isVpn).toBe(values.vpn === false || values.active_vpn === false ? false : undefined);
        const isSilent = isVpn || isTor || typeof values.proxy !== "boolean";
        expect<unknown>(flags.isProxy).toBe(isSilent ? undefined : values.proxy);
      }),
    );
  });

  test("accuses only from the vendor's threshold on, and only if no flag is set", () => {
    fc.assert(
      fc.property(fc.nat(100), fc.boolean(), (score, isProxy) => {
        const abuse = read({ fraud_score: score, proxy: isProxy, vpn: false, tor: false })?.abuse;
        const expected = !isProxy && score >= 75 ? { score } : undefined;
        expect(abuse).toEqual(expected);
      }),
    );
  });
});

function read(body: object) {
  return ipqualityscore.read({ status: 200, body: { success: true, ...body } }, ADDRESS);
}

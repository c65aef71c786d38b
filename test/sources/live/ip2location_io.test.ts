import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { ip2locationIo } from "../../../src/sources/live/ip2location_io.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("ip2locationIo", () => {
  test("never reports 'no proxy' on a free plan, and gives the kind of proxy on a paid plan", () => {
    const kind = fc.constantFrom(true, false, null, undefined);
    const proxy = fc.record({
      is_vpn: kind,
      is_public_proxy: kind,
      is_web_proxy: kind,
      is_residential_proxy: kind,
    });
    fc.assert(
      fc.property(fc.boolean(), proxy, (is_proxy, kinds) => {
        const free = ip2locationIo.read(ok({ is_proxy, country_code: "DE" }), ADDRESS);
        expect<unknown>(free?.flags).toEqual(is_proxy ? { isProxy: true } : undefined);
        const paid = ip2locationIo.read(ok({ is_proxy, country_code: "DE", proxy: kinds }), ADDRESS);
        const { is_vpn, ...proxies } = kinds;
        const values = Object.values(proxies);
        const isDenied = values.every((value) => value === false);
        expect<unknown>(paid?.flags ?? {}).toEqual({
          ...(typeof is_vpn === "boolean" ? { isVpn: is_vpn } : {}),
          ...(values.includes(true) ? { isProxy: true } : isDenied ? { isProxy: false } : {}),
        });
      }),
    );
  });
});

function ok(fields: object) {
  return { status: 200, body: { ip: ADDRESS.text, ...fields } };
}

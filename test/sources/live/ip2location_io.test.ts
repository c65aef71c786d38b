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

  test("does not count a proxy that was not seen for a month", () => {
    const kinds = { is_vpn: true, is_tor: true, is_public_proxy: true, is_residential_proxy: true };
    const read = (last_seen: unknown) =>
      ip2locationIo.read(
        ok({ asn: "64500", proxy: { ...kinds, is_data_center: true, is_spammer: true, last_seen } }),
        ADDRESS,
      );
    const accused = { isProxy: true, isVpn: true, isTor: true, isHosting: true };
    for (const days of [0, 1, 30, "30", "-", null, undefined]) {
      expect(read(days)).toMatchObject({ flags: accused, residentialProxy: true, abuse: {} });
    }
    for (const days of [31, "31", 365])
      expect(read(days)).toEqual({ flags: { isHosting: true }, asn: { asn: 64500 } });
  });

  test("says nothing about an address that it does not know, whatever its flags deny", () => {
    const names = ["is_vpn", "is_tor", "is_data_center", "is_public_proxy", "is_web_proxy"];
    const denied = Object.fromEntries(
      [...names, "is_residential_proxy", "is_consumer_privacy_network", "is_botnet"].map((name) => [
        name,
        false,
      ]),
    );
    const unknown = { country_code: "-", region_name: "-", asn: "-", as: "-", isp: "-", usage_type: "-" };
    const read = (proxy: object) => ip2locationIo.read(ok({ ...unknown, is_proxy: false, proxy }), ADDRESS);
    expect(read(denied)).toBeUndefined();
    expect(read({ ...denied, is_vpn: true })).toMatchObject({ flags: { isVpn: true } });
  });

  test.each([
    ["COM", "business"],
    ["ORG", "business"],
    ["GOV", "government"],
    ["MIL", "government"],
    ["EDU", "education"],
    ["LIB", "education"],
    ["CDN", "hosting"],
    ["DCH", "hosting"],
    ["ISP", "residential"],
    ["MOB", "mobile"],
    ["ISP/MOB", undefined],
    ["SES", undefined],
    ["RSV", undefined],
    ["-", undefined],
  ])("reads the usage type %p as %p", (usage_type, usage) => {
    expect<unknown>(ip2locationIo.read(ok({ usage_type, asn: "64500" }), ADDRESS)?.usage).toBe(usage);
  });
});

function ok(fields: object) {
  return { status: 200, body: { ip: ADDRESS.text, ...fields } };
}

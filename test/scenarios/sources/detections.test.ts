import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAddress } from "#kit";
import type { Source } from "#sources";
import { UpstreamError } from "#upstream";
import { crowdsecCti } from "../../../src/sources/live/crowdsec_cti.ts";
import { ip2locationIo } from "../../../src/sources/live/ip2location_io.ts";
import { ipapiIs } from "../../../src/sources/live/ipapi_is.ts";
import { iplocate } from "../../../src/sources/live/iplocate.ts";
import { ipqualityscore } from "../../../src/sources/live/ipqualityscore.ts";
import { onionoo } from "../../../src/sources/live/onionoo.ts";
import { proxycheck } from "../../../src/sources/live/proxycheck.ts";

/** What vendors say about proxies, VPNs, Tor and hosting, in any combination of their fields. */
const ADDRESS = readAddress("203.0.113.7");
const detection = fc.constantFrom(true, false, null, undefined);

const read = (source: Source, body: object) =>
  source.read({ status: 200, body: { ip: ADDRESS.text, ...body } }, ADDRESS);

function optionalFlag(name: string, value: unknown): Record<string, boolean> {
  return typeof value === "boolean" ? { [name]: value } : {};
}

/** Fields of detections, the flags that they become, what they may contain, and the answer around them. */
interface PlainReader {
  readonly source: Source;
  readonly flagOf: Readonly<Record<string, string>>;
  readonly values: readonly unknown[];
  readonly answer: (fields: object) => object;
}
const PLAIN: readonly PlainReader[] = [
  {
    source: ipapiIs,
    flagOf: {
      is_proxy: "isProxy",
      is_vpn: "isVpn",
      is_tor: "isTor",
      is_datacenter: "isHosting",
      is_mobile: "isMobile",
    },
    values: [true, false, null],
    answer: (fields) => ({ ...fields, asn: { asn: 64500 } }),
  },
  {
    source: proxycheck,
    flagOf: { proxy: "isProxy", vpn: "isVpn", tor: "isTor", hosting: "isHosting" },
    values: [true, false, null, "Unknown"],
    answer: (fields) => ({
      status: "ok",
      [ADDRESS.text]: { detections: fields, network: { provider: "Example" } },
    }),
  },
];

test.each(PLAIN)("$source.id reads exactly the detections in the answer, with any risk", (reader) => {
  const { source, flagOf, values, answer } = reader;
  const said = Object.keys(flagOf).map((field) => [field, fc.constantFrom(...values)] as const);
  const detections = fc.record(Object.fromEntries(said), { requiredKeys: [] });
  const others = fc.record({ risk: fc.nat(100), anonymous: fc.boolean() });
  fc.assert(
    fc.property(detections, others, (fields, more) => {
      const flags = Object.entries(flagOf).map(([field, flag]) => optionalFlag(flag, fields[field]));
      const expected = Object.assign({}, ...flags);
      fc.pre(Object.keys(expected).length > 0);
      const found = read(source, answer({ ...fields, ...more }));
      expect<unknown>(found?.flags).toEqual(expected);
      expect(found).not.toHaveProperty("abuse");
    }),
  );
});

test("ipapi_is never makes an answer without detections look clean", () => {
  const { flagOf } = PLAIN[0] ?? expect.unreachable();
  const field = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer());
  const others = fc.dictionary(
    fc.string().filter((key) => !(key in flagOf) && key !== "ip"),
    field,
  );
  fc.assert(
    fc.property(others, (fields) => {
      expect(() => read(ipapiIs, { ...fields, ip: ADDRESS.text })).toThrow(
        expect.objectContaining({ kind: "unavailable" }),
      );
    }),
  );
});

test("proxycheck takes no detection from a hostile key", () => {
  const body = JSON.parse('{"status":"ok","__proto__":{"detections":{"vpn":true}},"constructor":{}}');
  expect(() => proxycheck.read({ status: 200, body }, ADDRESS)).toThrow(UpstreamError);
  expect(Object.hasOwn(Object.prototype, "detections")).toBe(false);
});

test("iplocate reads exactly the detections in the answer, but no proxy for an access network", () => {
  const privacy = fc.record({
    is_proxy: detection,
    is_vpn: detection,
    is_tor: detection,
    is_hosting: detection,
    is_icloud_relay: detection,
    is_anonymous: fc.boolean(),
    is_abuser: fc.boolean(),
  });
  const type = fc.constantFrom("isp", "hosting", "business", undefined);
  fc.assert(
    fc.property(privacy, type, (flags, asType) => {
      const isMistakable = flags.is_proxy === true && asType === "isp" && flags.is_hosting !== true;
      const expected = {
        ...optionalFlag("isProxy", isMistakable ? undefined : flags.is_proxy),
        ...optionalFlag("isVpn", flags.is_vpn),
        ...optionalFlag("isTor", flags.is_tor),
        ...optionalFlag("isHosting", flags.is_hosting),
        ...optionalFlag("isRelay", flags.is_icloud_relay),
      };
      fc.pre(Object.keys(expected).length > 0 || isMistakable);
      const found = read(iplocate, { privacy: flags, asn: { name: "Example", type: asType } });
      expect<unknown>(found?.flags ?? {}).toEqual(expected);
    }),
  );
});

test("ip2location_io never reports 'no proxy' on a free plan, and gives the kind of proxy on a paid plan", () => {
  const proxy = fc.record({
    is_vpn: detection,
    is_public_proxy: detection,
    is_web_proxy: detection,
    is_residential_proxy: detection,
  });
  fc.assert(
    fc.property(fc.boolean(), proxy, (is_proxy, kinds) => {
      const free = read(ip2locationIo, { is_proxy, country_code: "DE" });
      expect<unknown>(free?.flags).toEqual(is_proxy ? { isProxy: true } : undefined);
      const paid = read(ip2locationIo, { is_proxy, country_code: "DE", proxy: kinds });
      const { is_vpn, ...proxies } = kinds;
      const values = Object.values(proxies);
      const isDenied = values.every((value) => value === false);
      expect<unknown>(paid?.flags ?? {}).toEqual({
        ...optionalFlag("isVpn", is_vpn),
        ...(values.includes(true) ? { isProxy: true } : isDenied ? { isProxy: false } : {}),
      });
    }),
  );
});

describe("ipqualityscore", () => {
  test("is not a proxy when it is a VPN or Tor, and a paywall text sets no flag", () => {
    const said = fc.constantFrom(true, false, null, "Premium required.");
    const anyFlags = fc.record({ proxy: said, vpn: said, active_vpn: said, tor: said });
    fc.assert(
      fc.property(anyFlags, (values) => {
        const isVpn = values.vpn === true || values.active_vpn === true;
        const isTor = values.tor === true;
        const answer = { success: true, ...values, active_tor: false, country_code: "DE" };
        const flags = read(ipqualityscore, answer)?.flags ?? {};
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
        const answer = { success: true, fraud_score: score, proxy: isProxy, vpn: false, tor: false };
        expect(read(ipqualityscore, answer)?.abuse).toEqual(!isProxy && score >= 75 ? { score } : undefined);
      }),
    );
  });
});

describe("onionoo", () => {
  const relay = (more: object) => ({
    or_addresses: ["203.0.113.7:9001"],
    running: true,
    flags: ["Exit"],
    ...more,
  });
  const readRelays = (...relays: readonly object[]) => read(onionoo, { relays });

  test("ignores a longer address that starts with the requested one", () => {
    const others = fc.uniqueArray(fc.integer({ min: 70, max: 79 }), { minLength: 1 });
    fc.assert(
      fc.property(others, (lastBytes) => {
        const relays = lastBytes.map((last) => relay({ or_addresses: [`203.0.113.${last}:9001`] }));
        expect(readRelays(...relays)?.flags).toEqual({ isTor: false });
      }),
    );
  });

  test("classifies only a running relay with the Exit flag as an exit", () => {
    const flags = fc.subarray(["BadExit", "Fast", "Guard", "HSDir", "Running", "Stable", "V2Dir", "Valid"]);
    fc.assert(
      fc.property(flags, fc.boolean(), (others, running) => {
        const exit = readRelays(relay({ flags: [...others, "Exit"], running }));
        expect(exit?.flags).toEqual(running ? { isTor: true } : undefined);
        const middle = readRelays(relay({ flags: others, running }));
        expect(middle?.flags).toEqual(running ? { isTor: false } : undefined);
        expect(middle?.authority).toBeUndefined();
        expect(middle?.listings?.flatMap(({ meanings }) => meanings)).toEqual(running ? ["info"] : undefined);
      }),
    );
  });
});

test("crowdsec_cti reads a tag only as 'yes'", () => {
  const tags = fc.array(
    fc.constantFrom("proxy:tor", "crowdsec:ai_vpn_proxy", "profile:proxy", "scanner:legit"),
  );
  fc.assert(
    fc.property(tags, (names) => {
      const classifications = { classifications: names.map((name) => ({ name })) };
      expect<unknown>(read(crowdsecCti, { reputation: "unknown", classifications })?.flags ?? {}).toEqual({
        ...(names.includes("proxy:tor") ? { isTor: true } : {}),
        ...(names.includes("crowdsec:ai_vpn_proxy") ? { isVpn: true } : {}),
      });
    }),
  );
});

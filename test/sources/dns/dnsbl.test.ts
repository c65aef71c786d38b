import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAddress } from "#kit";
import { ZONES } from "#sources";
import { UpstreamError } from "#upstream";
import { dnsblSource } from "../../../src/sources/dns/dnsbl.ts";
import type { Zone } from "../../../src/sources/zones.ts";

const ADDRESS = readAddress("203.0.113.7");
const ALL: readonly Zone[] = ZONES;
const octet = fc.integer({ min: 0, max: 255 });
const loopback = fc.oneof(
  fc.tuple(octet, octet, octet).map((octets) => `127.${octets.join(".")}`),
  octet.map((last) => `127.0.0.${last}`),
);

describe("ZONES", () => {
  test.each(ALL.map((zone) => [zone.id, zone] as const))("%s has valid fields", (id, zone) => {
    expect(id).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(zone.delistUrl).toMatch(/^https:\/\//);
    expect(zone.weight).toBeGreaterThan(0);
    expect(Object.keys(zone.names).length).toBeGreaterThan(0);
    for (const name of Object.values(zone.names)) {
      expect(name.includes("{key}")).toBe(zone.keyed === true);
      expect(name.replace("{key}", "key")).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    }
    for (const code of Object.keys(zone.codes)) expect(code).toMatch(/^127\.0\.\d+\.\d+$/);
    for (const code of Object.keys(zone.refusals ?? {})) expect(zone.codes).not.toHaveProperty([code]);
  });

  test("have unique names and labels", () => {
    const names = ALL.flatMap((zone) => [...new Set(Object.values(zone.names))]);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ALL.map((zone) => zone.label)).size).toBe(ALL.length);
  });
});

describe("dnsblSource", () => {
  test("reads every documented answer as its listing or as a failure, in any order", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ALL),
        fc.array(loopback, { minLength: 1, maxLength: 5 }),
        (zone, records) => {
          const source = dnsblSource(zone);
          const isRefusal = records.some((record) => record.startsWith("127.255.255."));
          const read = (list: readonly string[]) => source.read({ found: true, records: list }, ADDRESS);
          const isDocumented = (record: string) =>
            Object.hasOwn(zone.codes, record) || (zone.others !== undefined && record !== "127.0.0.1");
          if (isRefusal || !records.some(isDocumented)) {
            expect(() => read(records)).toThrow(UpstreamError);
            return;
          }
          const observation = read(records);
          const listing = observation?.listings?.[0];
          expect(listing?.zone).toBe(zone.id);
          expect(listing?.codes.length).toBeGreaterThan(0);
          expect(listing?.meanings.length).toBeGreaterThan(0);
          expect(read([...records].reverse().concat(records))).toEqual(observation);
          for (const value of Object.values(observation?.flags ?? {})) expect(value).toBe(true);
        },
      ),
    );
  });

  test.each(ALL.map((zone) => [zone.id, zone] as const))("%s never lists with 127.0.0.1", (_, zone) => {
    const source = dnsblSource(zone);
    const read = () => source.read({ found: true, records: ["127.0.0.1"] }, ADDRESS);
    if (zone.codes["127.0.0.1"] === undefined) {
      expect(read).toThrow("unavailable: undocumented code 127.0.0.1");
    } else {
      expect(read()?.listings?.[0]?.listed).toBe(false);
    }
  });

  test("an undocumented code accuses nobody and is named; beside a documented one it is left out", () => {
    const [zone] = ALL.filter(({ id }) => id === "spamcop");
    if (zone === undefined) expect.unreachable();
    const source = dnsblSource(zone);
    const read = (...records: readonly string[]) => source.read({ found: true, records }, ADDRESS);
    expect(() => read("127.0.0.77")).toThrow("unavailable: undocumented code 127.0.0.77");
    expect(read("127.0.0.77", "127.0.0.2")).toEqual(read("127.0.0.2"));
    expect(read("127.0.0.2")?.listings?.[0]?.codes).toEqual(["spam source"]);
  });

  test("never reads an answer outside 127.0.0.0/8 as a listing", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ALL),
        loopback,
        fc.oneof(fc.ipV4(), fc.string()),
        (zone, good, other) => {
          fc.pre(!/^127\.\d+\.\d+\.\d+$/.test(other));
          const source = dnsblSource(zone);
          expect(() => source.read({ found: true, records: [good, other] }, ADDRESS)).toThrow("unavailable");
        },
      ),
    );
  });
});

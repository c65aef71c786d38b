import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAddress } from "#kit";
import type { Source } from "#sources";
import { UpstreamError } from "#upstream";
import { torDnsel } from "../../../src/sources/dns/tor_dnsel.ts";

const SOURCE: Source = torDnsel;
const ADDRESS = readAddress("203.0.113.7");

describe("torDnsel", () => {
  test("refuses every other answer, even together with the documented one", () => {
    fc.assert(
      fc.property(fc.ipV4(), (record) => {
        fc.pre(record !== "127.0.0.2");
        expect(() => SOURCE.read({ found: true, records: [record] }, ADDRESS)).toThrow(UpstreamError);
        expect(() => SOURCE.read({ found: true, records: ["127.0.0.2", record] }, ADDRESS)).toThrow(
          UpstreamError,
        );
      }),
    );
    expect(() => SOURCE.read({ found: true, records: [] }, ADDRESS)).toThrow(UpstreamError);
  });
});

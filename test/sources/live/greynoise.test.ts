import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { greynoise } from "../../../src/sources/live/greynoise.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("greynoise", () => {
  test("accuses no address that does not scan, with any classification", () => {
    const anyClassification = fc.constantFrom("malicious", "suspicious", "unknown", "benign", null, "");
    fc.assert(
      fc.property(
        anyClassification,
        fc.boolean(),
        fc.constantFrom(200, 404),
        (classification, riot, status) => {
          const body = { ip: ADDRESS.text, noise: false, riot, classification };
          const observation = greynoise.read({ status, body }, ADDRESS);
          expect(observation).toEqual(riot ? { abuse: { score: 0 } } : undefined);
        },
      ),
    );
  });
});

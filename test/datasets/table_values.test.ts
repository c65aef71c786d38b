import { describe, expect, test } from "bun:test";
import { readPlace } from "#datasets";

describe("readPlace", () => {
  test("returns undefined without a country", () => {
    expect(readPlace("", "NL-NH", "Amsterdam")).toBeUndefined();
    expect(readPlace("ZZ", "", "")).toBeUndefined();
    expect(readPlace("nl", undefined, " Amsterdam ")).toEqual({ country: "NL", city: "Amsterdam" });
  });
});

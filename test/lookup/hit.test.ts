import { afterEach, describe, expect, test } from "bun:test";
import { ADDRESS, arrange, OTHER, tidy } from "./arrange.ts";

afterEach(tidy);

describe("createLookup().hit()", () => {
  test("gives what memory holds of an address, the same as the lookup does, and nothing of others", async () => {
    const { hit, answer } = await arrange();
    expect(hit(ADDRESS)).toBeUndefined();
    const fresh = await answer(ADDRESS);
    const known = hit(ADDRESS);
    expect(known?.tier).toBe("cache");
    expect(known?.assessment).toBe(fresh.assessment);
    expect(known).toEqual(await answer(ADDRESS));
    expect(hit(OTHER)).toBeUndefined();
  });
});

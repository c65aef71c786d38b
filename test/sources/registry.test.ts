import { describe, expect, test } from "bun:test";
import { dailyLimit, SOURCES, type Source } from "#sources";
import { OPEN_SETTINGS } from "./replay.ts";

const base = SOURCES[0] ?? expect.unreachable();
const metered: Source = { ...base, id: "metered", daily: { keyless: 100, keyed: 1000 } };

describe("dailyLimit", () => {
  test("is the operator's number, else 95 % of the quota with or without a key, else no limit", () => {
    const keyed = { ...OPEN_SETTINGS, secrets: new Map([["metered", "k"]]) };
    expect(dailyLimit(metered, OPEN_SETTINGS, new Map())).toBe(95);
    expect(dailyLimit(metered, keyed, new Map())).toBe(950);
    expect(dailyLimit(metered, keyed, new Map([["metered", 3]]))).toBe(3);
    expect(dailyLimit(metered, OPEN_SETTINGS, new Map([["metered", 0]]))).toBe(0);
    expect(dailyLimit(base, OPEN_SETTINGS, new Map())).toBeUndefined();
    expect(dailyLimit({ ...metered, secret: "required" }, OPEN_SETTINGS, new Map())).toBe(950);
    expect(dailyLimit({ ...metered, secret: "optional" }, OPEN_SETTINGS, new Map())).toBe(95);
  });
});

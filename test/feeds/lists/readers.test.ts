import { describe, expect, test } from "bun:test";
import { dateFact, readDay } from "../../../src/feeds/lists/readers.ts";

describe("readDay", () => {
  test("reads the day of a date and time, and refuses days that do not exist", () => {
    expect(readDay("2026-08-21")).toBe("2026-08-21");
    expect(readDay("2026-08-21-10-32-11")).toBe("2026-08-21");
    expect(readDay("2026-08-21T10:32:11.5")).toBe("2026-08-21");
    for (const text of [undefined, "", "2026-13-01", "2026-8-1", "21.08.2026", "0000-00-00"]) {
      expect(readDay(text)).toBeUndefined();
      expect(dateFact(text)).toEqual({});
    }
  });
});

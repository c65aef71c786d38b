import { describe, expect, test } from "bun:test";
import { createRateWindow } from "#limits";

const SEED = 42;

describe("createWindow of many clients", () => {
  test("keeps 200 000 clients apart", () => {
    const window = createRateWindow({ limit: 1, windowMs: 60_000, maxKeys: 200_000, seed: SEED });
    const keys = Array.from({ length: 200_000 }, (_, i) =>
      i & 1
        ? `10.${i >>> 16}.${(i >>> 8) & 255}.${i & 255}`
        : `2001:db8:${(i >>> 16).toString(16)}:${(i & 0xffff).toString(16)}::/64`,
    );
    expect(keys.filter((key) => window.take(key, 0).admitted).length).toBe(200_000);
    expect(keys.filter((key) => window.take(key, 1).admitted).length).toBe(0);
  });

  test("holds a million distinct clients in less than 64 MB", () => {
    const window = createRateWindow({ limit: 30, windowMs: 60_000, maxKeys: 1_000_000, seed: SEED });
    const figures: string[] = [];
    for (const takes of [1, 2, 3]) {
      for (let i = 0; i < 1_000_000; i++) window.take(`10.${i >>> 16}.${(i >>> 8) & 255}.${i & 255}`, takes);
      expect(window.size).toBe(1_000_000);
      expect(window.bytes).toBeLessThan(64e6);
      figures.push(`${(window.bytes / window.size).toFixed(1)} with ${takes}`);
    }
    console.log(`createRateWindow: bytes a client: ${figures.join(", ")} admissions each`);
  });
});

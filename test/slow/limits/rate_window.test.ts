import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { createLookupWindow } from "#limits";

const CLIENTS = 1_000_000;

function keyOf(client: number): string {
  return client & 1
    ? `10.${client >>> 16}.${(client >>> 8) & 255}.${client & 255}`
    : `2001:db8:${(client >>> 16).toString(16)}:${(client & 0xffff).toString(16)}::/64`;
}

describe("createLookupWindow()", () => {
  test("stays below 50 MB while a million clients ask, and forgets the idle", async () => {
    // After a turn, the stack holds no table that was replaced while it grew.
    const heap = async () => {
      await Bun.sleep(0);
      Bun.gc(true);
      const { heapSize, extraMemorySize } = heapStats();
      return heapSize + extraMemorySize;
    };
    const before = await heap();
    const lookups = createLookupWindow(30);
    const figures: string[] = [];
    for (const times of [1, 2, 3]) {
      // After the first round, the clients that are kept ask again.
      for (let client = times === 1 ? 0 : CLIENTS - 200_000; client < CLIENTS; client++) {
        lookups.take(keyOf(client), times);
      }
      const bytes = (await heap()) - before;
      expect(bytes).toBeLessThan(50e6);
      figures.push(`${(bytes / 1e6).toFixed(1)} MB`);
    }
    console.log(`createLookupWindow: a million clients, once, twice, three times: ${figures.join(", ")}`);
    // The clients that asked last are kept and still limited.
    expect(lookups.size).toBe(131_072);
    const lately = keyOf(CLIENTS - 1);
    for (let take = 0; take < 29; take++) expect(lookups.take(lately, 3).admitted).toBe(true);
    expect(lookups.take(lately, 3).admitted).toBe(false);
    lookups.take("192.0.2.1", 200_000);
    expect(lookups.size).toBe(1);
    expect((await heap()) - before).toBeLessThan(8e6);
  });
});

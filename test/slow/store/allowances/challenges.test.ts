import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import { type Store, StoreError } from "#store";
import { BACKENDS, type Backend, startBackend } from "../backend.ts";

const NOON = Date.UTC(2026, 0, 15, 12);

describe.each(BACKENDS)("Store.challenges on %s", (kind) => {
  let backend: Backend;
  let store: Store;

  beforeEach(async () => {
    backend = await startBackend(kind);
    store = await backend.open();
  });
  afterEach(() => backend.close());

  test("use() is true once, and false until the challenge has expired", async () => {
    const { challenges } = store;
    expect(await challenges.use("a", NOON + 600_000, NOON)).toBe(true);
    expect(await challenges.use("b", NOON + 600_000, NOON)).toBe(true);
    expect(await challenges.use("a", NOON + 600_000, NOON + 1)).toBe(false);
    // Another moment of expiry makes no other challenge of it.
    expect(await challenges.use("a", NOON + 900_000, NOON + 599_999)).toBe(false);
    expect(await challenges.use("a", NOON + 600_000, NOON + 600_000)).toBe(false);
    expect(await challenges.use("a", NOON + 900_000, NOON + 600_001)).toBe(true);
  });

  test("use() forgets what has expired", async () => {
    for (let n = 0; n < 20; n += 1) await store.challenges.use(`old-${n}`, NOON + n, NOON);
    await store.challenges.use("new", NOON + 60_000, NOON + 20);
    const client = createClient({ url: backend.url });
    expect((await client.execute("SELECT id FROM challenges")).rows.map((row) => row.id)).toEqual(["new"]);
    client.close();
  });

  test("use() lets the first of many at once through, over stores and processes", async () => {
    const other = await backend.open();
    const uses = Array.from({ length: 50 }, (_, n) =>
      (n % 2 === 0 ? store : other).challenges.use("x", NOON + 9, NOON),
    );
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);

    const script = `
      const uses = Array.from({ length: 20 }, () => store.challenges.use("y", ${NOON + 9}, ${NOON}));
      print((await Promise.all(uses)).filter(Boolean).length);`;
    const runs = await Promise.all([backend.run(script), backend.run(script)]);
    expect(runs.map(({ lines }) => Number(lines[0])).sort()).toEqual([0, 1]);
  });

  test("use() remembers over a restart and kill -9", async () => {
    const script = `print(await store.challenges.use("z", ${NOON + 600_000}, ${NOON})); await Bun.sleep(60_000);`;
    expect(await backend.run(script, 1)).toEqual({ code: 137, lines: ["true"] });
    await backend.sqld?.restart();
    expect(await store.challenges.use("z", NOON + 600_000, NOON)).toBe(false);
    expect(await (await backend.open()).challenges.use("z", NOON + 600_000, NOON)).toBe(false);
  });

  test("takes ids for text, and fails as a StoreError", async () => {
    for (const id of [`'); DROP TABLE challenges; --`, "__proto__", "汉\n", ""]) {
      expect(await store.challenges.use(id, NOON + 1, NOON)).toBe(true);
      expect(await store.challenges.use(id, NOON + 1, NOON)).toBe(false);
    }
    const client = createClient({ url: backend.url });
    await client.execute("DROP TABLE challenges");
    client.close();
    await expect(store.challenges.use("a", NOON, NOON)).rejects.toBeInstanceOf(StoreError);
  });
});

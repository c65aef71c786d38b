import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { DAY_MS } from "#common";
import { createClock, createRandom, MIGRATIONS } from "#kit";
import { assess } from "#lookup";
import { openStore } from "#store";
import { createDelivery, createWatcher, parseWatchList } from "#watch";
import { canMount, makeSmallDisk } from "../../e2e/fleet/small_disk.ts";
import { listed, makeSurvey } from "../../scoring/surveys.ts";

const HOUR_MS = 3_600_000;
const DAYS = 32;
const ADDRESSES = ["81.2.69.1", "81.2.69.2", "81.2.69.3"];

const isMountable = canMount();
const disk = makeSmallDisk(isMountable ? 8 : undefined);
afterAll(() => disk.close());

/** A watch on the small disk, with a receiver that takes everything. */
async function openWatch(name: string, addresses: readonly string[]) {
  const clock = createClock(Date.UTC(2026, 0, 1));
  const start = clock.now();
  const store = await openStore({ url: `file:${join(disk.folder, `${name}.db`)}`, migrations: MIGRATIONS });
  const logged: string[] = [];
  const surveyedAt: number[] = [];
  /** Called while an address is surveyed, and after the receiver took a message. */
  const hooks = { onSurvey: () => {}, onTold: () => {} };
  const told: { readonly id: string; readonly type: string; readonly address: string }[] = [];

  /** Each address is listed for some days, and then not, again and again. */
  const isListed = (address: string) =>
    Math.floor((clock.now() - start) / DAY_MS / (4 + ADDRESSES.indexOf(address))) % 2 === 1;
  const delivery = createDelivery({
    repository: store.watches,
    now: clock.now,
    onAttempt: () => {},
    async send({ id, body }) {
      const { type, data } = JSON.parse(body);
      told.push({ id, type, address: data.address });
      hooks.onTold();
      return undefined;
    },
  });
  const watcher = createWatcher({
    entries: () => parseWatchList(addresses.join("\n")),
    resolve: async () => [],
    async survey({ text }) {
      surveyedAt.push(clock.now());
      hooks.onSurvey();
      const answers = {
        proxycheck: { usage: "residential", geo: { country: "DE" } },
        dronebl: isListed(text) ? listed("dronebl", "abuse") : "empty",
      } as const;
      return { ...makeSurvey(text, answers), surveyedAt: new Date(clock.now()).toISOString() };
    },
    assess,
    repository: store.watches,
    hasWebhook: true,
    deliver: delivery.run,
    reportUrl: (address) => address,
    now: clock.now,
    log: (level, event) => logged.push(`${level} ${event}`),
    onChange: () => {},
  });
  return { clock, store, watcher, hooks, logged, surveyedAt, told };
}

test.skipIf(!isMountable)(
  "on a full disk no change is lost or told twice, and the log has one warning",
  async () => {
    const { clock, store, watcher, hooks, logged, told } = await openWatch("a", ADDRESSES);
    const random = createRandom(7);
    // The disk becomes full between a message and the note that it was sent.
    hooks.onTold = () => {
      if (random() < 0.5) disk.fill();
    };
    for (let hour = 0; hour < DAYS * 24; hour += 1) {
      if (random() < 0.5) disk.fill(Math.floor(random() * 8) * 4096);
      else disk.free();
      await watcher.tick();
      clock.advance(HOUR_MS);
    }
    hooks.onTold = () => {};
    disk.free();
    for (let hour = 0; hour < 48; hour += 1) {
      await watcher.tick();
      clock.advance(HOUR_MS);
    }
    const stored = await store.watches.readEvents(1000);
    expect(await store.watches.countWaiting()).toBe(0);
    await store.close();

    expect(told.map(({ id }) => id).sort()).toEqual(stored.map(({ id }) => id).sort());
    for (const address of ADDRESSES) {
      const changes = told.filter((one) => one.address === address && /listed$/.test(one.type));
      const expected = changes.map((_, at) => (at % 2 === 0 ? "address.listed" : "address.delisted"));
      expect(changes.map(({ type }) => type)).toEqual(expected);
      expect(changes.length).toBeGreaterThanOrEqual(4);
    }
    // A warning, then silence until the watch works again.
    const lines = logged.filter((line) => !line.startsWith("debug"));
    expect(logged).toContain("debug watch_failed");
    expect(lines).toContain("warn watch_failed");
    expect(lines).toContain("info watch_resumed");
    expect(lines.at(-1)).toBe("info watch_resumed");
    for (const [at, line] of lines.entries())
      expect(line).toBe(at % 2 === 0 ? "warn watch_failed" : "info watch_resumed");
  },
  60_000,
);

test.skipIf(!isMountable)(
  "a survey that the disk has no space for is made again within an hour",
  async () => {
    const { clock, store, watcher, hooks, surveyedAt } = await openWatch("b", ADDRESSES.slice(0, 1));
    hooks.onSurvey = () => disk.fill();
    for (let minute = 0; minute < 24 * 60 && surveyedAt.length === 0; minute += 1) {
      await watcher.tick();
      clock.advance(60_000);
    }
    const [first = 0] = surveyedAt;
    hooks.onSurvey = () => {};
    disk.free();
    while (clock.now() <= first + HOUR_MS) {
      await watcher.tick();
      clock.advance(60_000);
    }
    expect(surveyedAt).toEqual([first, first + HOUR_MS]);
    const [address = "", dueAt = 0] = [...(await store.watches.readDue())][0] ?? [];
    expect(dueAt).toBeGreaterThan(first + DAY_MS / 2);
    // It was saved.
    expect(await store.watches.take(address, dueAt, dueAt)).toContain('"address"');
    await store.close();
  },
);

test("after a clock that ran a year ahead, the watch goes on with the right time", async () => {
  const { clock, store, watcher, surveyedAt, told } = await openWatch("c", ADDRESSES);
  const tickFor = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      await watcher.tick();
      clock.advance(HOUR_MS);
    }
  };
  clock.advance(365 * DAY_MS);
  await tickFor(24);
  const [address = ""] = ADDRESSES;
  const event = { id: "late", address, at: clock.now(), body: '{"type":"x","data":{}}' };
  const [, dueAt = 0] = [...(await store.watches.readDue())].find(([known]) => known === address) ?? [];
  await store.watches.save({ address, dueAt, state: "" }, [event], clock.now() + HOUR_MS);
  clock.advance(-365 * DAY_MS);
  surveyedAt.length = 0;
  await tickFor(36);
  expect(surveyedAt.length).toBeGreaterThanOrEqual(2 * ADDRESSES.length - 1);
  expect(Math.max(...surveyedAt)).toBeLessThan(clock.now());
  expect(told.map(({ id }) => id)).toContain("late");
  await store.close();
});

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Datasets, openDatasets } from "#datasets";
import type { Observation } from "#evidence";
import { createCompiler, type Feeds, openFeeds, openSnapshot, FEEDS as REAL_FEEDS } from "#feeds";
import { createTemporaryFolder, readAddress } from "#kit";
import { feedSource, SOURCES } from "#sources";
import { type Upstream, UpstreamError } from "#upstream";
import { compileRows } from "../../datasets/kit.ts";
import { makeList, writeSnapshot } from "../../feeds/snapshot/small_snapshot.ts";
import REPORTED from "../../fixtures/feed_sources.json";
import { DOWNLOADS, FEEDS } from "../feed_samples.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-03-05T00:00:00Z");
const clock = { nowMs: START };
let folder: string;
let feeds: Feeds;
let datasets: Datasets;

/** A list must not use the network. */
const nobody = new Proxy({} as Upstream, {
  get: () => () => Promise.reject(new Error("a list used the network")),
});

beforeAll(async () => {
  folder = createTemporaryFolder("limpid-feeds-");
  const rows = Array.from({ length: 6 }, (_, i) => [`9.1.${i}.0/24`, `${15169 + i} Example ${i}`] as const);
  writeFileSync(join(folder, "asn.table"), compileRows("asn", rows, "2026-01-01"));
  feeds = openFeeds({ directory: join(folder, "feeds"), feeds: FEEDS, now: () => clock.nowMs });
  for (const [id, text] of Object.entries(DOWNLOADS)) {
    const { name } = feeds.cache.put(id, 0, new TextEncoder().encode(text));
    const file = { index: 0, url: `https://lists.example/${id}`, name, bytes: text.length };
    const good = {
      files: [file],
      rows: 2,
      stripped: 0,
      date: "2026-03-01",
      fetchedAt: START,
      checkedAt: START,
    };
    feeds.cache.save(id, { good, failures: 0, dueAt: START });
  }
  const compiler = createCompiler({ registry: new URL("../feed_samples.ts", import.meta.url).href });
  await feeds.rebuild(compiler);
  compiler.close();
  datasets = openDatasets({ directory: folder, feeds });
});

async function askFeed(id: string, text: string, own = datasets): Promise<Observation | undefined> {
  const source = feedSource(FEEDS.find((feed) => feed.id === id) ?? expect.unreachable(id));
  const address = readAddress(text);
  const ports = { upstream: nobody, datasets: own };
  return source.read(await source.ask(address, ports, new AbortController().signal), address);
}

/** What the tables answer a list: its entries about an address. */
function answerOf(...entries: readonly object[]) {
  return { isFresh: true, isSnapshot: false, isUpdateRefused: false, entries, networks: [] };
}

const dated = { dataDate: "2026-03-01" };

describe("feedSource", () => {
  test("is local, has the publisher's terms, and is a zone when it accuses", () => {
    const sources = new Map(FEEDS.map((feed) => [feed.id, feedSource(feed)]));
    for (const source of sources.values()) expect(source).toMatchObject({ local: true, kind: "free" });
    expect(sources.get("attackers")).toMatchObject({
      zone: { id: "attackers", label: "The attackers" },
      matters: ["lists"],
      weight: 0.1,
      noncommercial: true,
    });
    expect(sources.get("exits")).toMatchObject({ matters: ["anonymity"], weight: 0.25 });
    expect(sources.get("tunnels")).toMatchObject({ matters: ["anonymity"], weight: 0.1 });
    expect(sources.get("clouds")).toMatchObject({ matters: [], weight: 0 });
    expect(sources.get("classes")).toMatchObject({ needsContact: true });
    expect(sources.get("clouds")?.zone).toBeUndefined();
  });

  test("tells how many lists an entry of a list stands for that counts lists", () => {
    const ipsum = feedSource(REAL_FEEDS.find(({ id }) => id === "ipsum") ?? expect.unreachable());
    const answer = answerOf({ meaning: "abuse", label: "on 4 lists" });
    expect(ipsum.read(answer, readAddress("9.9.9.1"))).toMatchObject({
      listings: [{ zone: "ipsum", codes: ["on 4 lists"], voices: 3 }],
    });
  });

  test("takes the Tor consensus as an authority on exits, IPv6 included", () => {
    const consensus = feedSource(REAL_FEEDS.find(({ id }) => id === "tor_nodes") ?? expect.unreachable());
    const answer = answerOf({ meaning: "tor_exit" }, { meaning: "tor_relay" });
    expect(consensus.read(answer, readAddress("2620:fe::1"))).toEqual({
      flags: { isTor: true },
      authority: ["isTor"],
    });
    expect(consensus.read(answerOf({ meaning: "tor_relay" }), readAddress("2620:fe::1"))).toEqual({});
  });

  test("has one source in the registry for each feed", () => {
    const ids = SOURCES.map((source) => source.id);
    expect(REAL_FEEDS.filter((feed) => !ids.includes(feed.id))).toEqual([]);
  });

  // A list that accuses a public resolver is wrong; what does not accuse stays, and so do its neighbours.
  test.each(REPORTED as [string, string, object][])(
    "s reports only its own entries about %s",
    async (id, text, expected) => {
      expect<unknown>(await askFeed(id, text)).toEqual(expected);
    },
  );

  test("is not authoritative and reports no 'no' when it is old, and fails when it is too old", async () => {
    clock.nowMs = START + 3 * HOUR;
    expect(await askFeed("exits", "9.9.9.1")).toEqual({ flags: { isTor: true }, ...dated, ageing: true });
    expect(await askFeed("exits", "9.9.9.2")).toEqual({ ...dated, ageing: true });
    clock.nowMs = START + 9 * HOUR;
    const error = await askFeed("exits", "9.9.9.1").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ kind: "unavailable", detail: "data too old" });
    clock.nowMs = START;
  });

  test("is not fresh when the clock is behind its download by more than a day", async () => {
    const isAgeing = async () => (await askFeed("exits", "9.9.9.2"))?.ageing === true;
    clock.nowMs = START - 24 * HOUR;
    expect(await isAgeing()).toBe(false);
    clock.nowMs = START - 24 * HOUR - 1;
    expect(await isAgeing()).toBe(true);
    clock.nowMs = START - 365 * 24 * HOUR;
    expect(await isAgeing()).toBe(true);
    clock.nowMs = START;
  });

  test("says that the list is a snapshot: no authority and no 'no', like an old list", async () => {
    const directory = join(folder, "snapshot");
    mkdirSync(directory);
    const { contents } = writeSnapshot(directory, [
      makeList("exits", "tor_exit", ["9.9.9.1"]),
      makeList("crawlers", "search_bot", ["9.9.12.0/24"], { label: "Spider" }),
    ]);
    const snapshot = openSnapshot(directory, contents);
    const own = openFeeds({ directory, feeds: FEEDS, snapshot, now: () => START });
    const shipped = openDatasets({ directory: folder, feeds: own });
    const age = { ...dated, ageing: true, snapshot: true } as const;
    expect(await askFeed("exits", "9.9.9.1", shipped)).toEqual({ flags: { isTor: true }, ...age });
    expect(await askFeed("exits", "9.9.9.2", shipped)).toEqual(age);
    expect(await askFeed("crawlers", "9.9.12.7", shipped)).toEqual({
      infrastructure: { role: "crawler", operator: "Spider" },
      ...age,
    });
  });

  test("says nothing of an address that it shares with a list to which it yields", async () => {
    expect(await askFeed("crawlers", "9.9.12.7")).toMatchObject({ infrastructure: { role: "crawler" } });
    expect(await askFeed("fetchers", "9.9.12.7")).toEqual(dated);
    expect(await askFeed("fetchers", "9.9.18.7")).toMatchObject({ flags: { isHosting: true } });
  });

  test("fails, instead of looking clean, before the first download", async () => {
    const none = openFeeds({
      directory: join(folder, "none"),
      feeds: FEEDS,
      downloads: true,
      now: () => START,
    });
    const empty = openDatasets({ directory: folder, feeds: none });
    await expect(askFeed("attackers", "9.9.9.1", empty)).rejects.toMatchObject({
      kind: "unavailable",
      detail: "not downloaded yet",
    });
    await expect(askFeed("attackers", "9.9.9.1", openDatasets({ directory: folder }))).rejects.toMatchObject({
      detail: "turned off",
    });
  });
});

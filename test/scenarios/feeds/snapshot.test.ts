import { describe, expect, test } from "bun:test";
import { type Feed, type Feeds, openFeeds, openSnapshot } from "#feeds";
import type { Reply } from "#kit";
import { openFor, readAddress } from "#kit";
import { openFeedSetup } from "../../feeds/feed_setup.ts";
import { alpha, FEEDS } from "../../feeds/small_feeds.ts";
import { makeList, writeSnapshot } from "../../feeds/snapshot/small_snapshot.ts";

const DAY = 86_400_000;
const SHIPPED = [{ feed: "alpha", meaning: "hosting", label: "Shipped" }];
const DOWNLOADED = [{ feed: "alpha", meaning: "abuse" }];

const at = openFor("each", openFeedSetup);

/** Opens the feeds like a process that has just started, with a snapshot of two lists of 2026-03-01. */
function open(feeds: readonly Feed[] = FEEDS): Feeds {
  const { contents } = writeSnapshot(at.directory, [
    makeList("alpha", "hosting", ["8.8.4.0/24", "2600:9000::/28"], { label: "Shipped" }),
    makeList("beta", "vpn", ["9.9.9.0/24"]),
  ]);
  const snapshot = openSnapshot(at.directory, contents);
  expect(snapshot.problem).toBeUndefined();
  return openFeeds({ directory: at.directory, feeds, snapshot, now: () => at.clock.nowMs });
}

async function download(feeds: Feeds, reply: Reply) {
  at.gateway.on("lists.example", "/alpha.txt", reply);
  return at.refresh(alpha, feeds);
}

describe("the snapshot", () => {
  test("is used before the first download, and says its date and age", () => {
    const feeds = open();
    expect(feeds.state("alpha")).toEqual({
      id: "alpha",
      ready: true,
      freshness: "snapshot",
      date: "2026-03-01",
      ageMs: 4 * DAY,
      rows: 2,
    });
    expect(feeds.state("gamma")).toMatchObject({ ready: false, freshness: "absent" });
    expect(feeds.lists(readAddress("8.8.4.1"))).toEqual(SHIPPED as never);
    expect(feeds.lists(readAddress("2600:9000::1"))).toEqual(SHIPPED as never);
    expect(feeds.lists(readAddress("8.8.5.1"))).toBeUndefined();
  });

  test("is replaced by the first successful download, also after a restart", async () => {
    const feeds = open();
    expect(await download(feeds, { text: "8.8.4.1\n8.8.5.0/24\n" })).toMatchObject({ did: "updated" });
    // Until the download is compiled, the snapshot is used.
    expect(feeds.state("alpha")).toMatchObject({ ready: true, freshness: "snapshot" });
    await feeds.rebuild(at.compiler);
    for (const own of [feeds, open()]) {
      expect(own.state("alpha")).toMatchObject({ ready: true, freshness: "fresh", rows: 2 });
      expect(own.lists(readAddress("8.8.4.1"))).toEqual(DOWNLOADED as never);
      expect(own.lists(readAddress("8.8.4.2"))).toBeUndefined();
      // Another list keeps its snapshot.
      expect(own.lists(readAddress("9.9.9.9"))).toEqual([{ feed: "beta", meaning: "vpn" }]);
    }
  });

  test.each<[string, Reply, object]>([
    ["fails", { status: 503 }, { problem: expect.stringContaining("503") }],
    ["is refused because it covers too much", { text: manyRanges() }, { reason: "implausible" }],
    ["is a web page", { text: "<!doctype html><html></html>" }, { problem: "it is a web page" }],
  ])("stays when the download %s, and the failure is visible", async (_, reply, error) => {
    const feeds = open();
    expect(await download(feeds, reply)).toMatchObject({ did: "failed" });
    expect(feeds.state("alpha")).toMatchObject({ ready: true, freshness: "snapshot", error });
    expect(feeds.lists(readAddress("8.8.4.1"))).toEqual(SHIPPED as never);
  });

  test("expires by its own date: ranges of VPN operators after 26 weeks, others after a year", () => {
    const feeds = open();
    const start = Date.parse("2026-03-01");
    const usedAt = (days: number) => {
      at.clock.nowMs = start + days * DAY;
      return ["alpha", "beta"].filter((id) => feeds.state(id).ready);
    };
    expect(usedAt(182)).toEqual(["alpha", "beta"]);
    expect(usedAt(183)).toEqual(["alpha"]);
    expect(feeds.state("beta")).toMatchObject({ freshness: "expired", problem: "the snapshot is too old" });
    expect(feeds.lists(readAddress("9.9.9.9"))).toBeUndefined();
    expect(usedAt(365)).toEqual(["alpha"]);
    expect(usedAt(366)).toEqual([]);
    expect(feeds.lists(readAddress("8.8.4.1"))).toBeUndefined();
  });

  test("gives its limit of age to a download that is newer", async () => {
    const feeds = open();
    await download(feeds, { text: "8.8.4.1\n8.8.5.0/24\n" });
    await feeds.rebuild(at.compiler);
    at.clock.nowMs += 300 * DAY;
    expect(feeds.state("alpha")).toMatchObject({ ready: true, freshness: "ageing" });
    expect(feeds.lists(readAddress("8.8.5.1"))).toEqual(DOWNLOADED as never);
    at.clock.nowMs += 70 * DAY;
    expect(feeds.state("alpha")).toMatchObject({ ready: false, freshness: "expired" });
  });

  test("is used in place of an expired download that is older", async () => {
    at.clock.nowMs = Date.parse("2026-02-01");
    const feeds = open();
    await download(feeds, { text: "8.8.4.1\n8.8.5.0/24\n" });
    await feeds.rebuild(at.compiler);
    at.clock.nowMs = Date.parse("2026-03-05");
    expect(feeds.state("alpha")).toMatchObject({ freshness: "snapshot", date: "2026-03-01" });
    expect(feeds.lists(readAddress("8.8.4.1"))).toEqual(SHIPPED as never);
  });

  test("is not used for a feed that is turned off", () => {
    const feeds = open(FEEDS.filter(({ id }) => id !== "alpha"));
    expect(feeds.state("alpha")).toMatchObject({ ready: false, problem: "turned off" });
    expect(feeds.lists(readAddress("8.8.4.1"))).toBeUndefined();
  });
});

/** More than the kind of list can cover: 100 /8s. */
function manyRanges(): string {
  return Array.from({ length: 100 }, (_, i) => `${i + 11}.0.0.0/8\n`).join("");
}

import { describe, expect, test } from "bun:test";
import { collectFeed, createCollection } from "../../../src/feeds/compile/collect_feed.ts";
import { type Feed, type FeedFacts, type FeedSink, isFeedExpired } from "../../../src/feeds/feed.ts";
import { FeedContent, FeedError } from "../../../src/feeds/feed_content.ts";
import { FEEDS } from "../../../src/feeds/feeds.ts";
import { readFeedFixture } from "../../feeds/feed_fixture.ts";
import READINGS from "../../fixtures/list_readings.json";
import { recordFeed } from "./record_feed.ts";

const feed = (id: string) => FEEDS.find((one) => one.id === id) ?? expect.unreachable();
const azure = feed("azure");
const feodo = feed("feodo");
const ipsum = feed("ipsum");

function fixture(id: string, index: number): Uint8Array {
  return readFeedFixture(id).files.find((file) => file.index === index)?.bytes ?? expect.unreachable();
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

/**
 * Reads a file with the real sink. Returns undefined when the file is refused; any error other than FeedError is
 * thrown.
 */
function collect(feed: Feed, index: number, bytes: Uint8Array, now?: number) {
  const content = new FeedContent({ url: "https://x/", index, bytes, ...(now === undefined ? {} : { now }) });
  let facts: FeedFacts = {};
  try {
    const counts = collectFeed(feed, createCollection(), (sink) => {
      facts = feed.parse(content, sink);
    });
    return { ...counts, ...facts };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    expect(error.message.length).toBeLessThan(200);
    return undefined;
  }
}

const NO_SINK: FeedSink = { prefix: () => {}, network: () => {} };
const FILES = FEEDS.flatMap((feed) => feed.files.map((_, index) => [feed.id, index, feed] as const));

describe("a feed's reader", () => {
  test.each(FILES)("%s, file %i, reads no row from a web page or an error message", (_id, index, feed) => {
    const answers = [
      "<html><body>Access denied</body></html>",
      "<!doctype html>\n<p>192.0.2.1</p>",
      "404: Not Found",
      "Too many requests, please try again later",
      '{"error":"quota exceeded","status":429}',
      "{}",
      '"ok"',
      "null",
    ];
    for (const answer of answers) {
      const { rows, stripped } = collect(feed, index, bytesOf(answer)) ?? { rows: 0, stripped: 0 };
      expect(rows + stripped, answer).toBe(0);
    }
  });

  test.each(FILES)(
    "%s, file %i, reads the same with Windows line ends and a byte order mark",
    (id, index, feed) => {
      const text = new TextDecoder().decode(fixture(id, index));
      const marked = bytesOf(`\ufeff${text.replaceAll("\n", "\r\n")}`);
      const files = (bytes: Uint8Array) => [{ index, bytes }];
      expect(recordFeed(feed, files(marked))).toEqual(recordFeed(feed, files(bytesOf(text))));
    },
  );

  test("does not let JSON change prototypes", () => {
    const evil =
      '{"__proto__":{"polluted":true},"prefixes":[{"__proto__":{"ipv4Prefix":"192.0.2.0/24"}}],"ips":[{"constructor":{"prototype":{"polluted":true}}}]}';
    for (const [, index, feed] of FILES) collect(feed, index, bytesOf(evil));
    expect("polluted" in {}).toBe(false);
  });
});

describe("FEEDS", () => {
  test("have one family for a list and for the publishers that republish it", () => {
    const shared = FEEDS.filter((feed) => feed.family === "public_lists").map((feed) => feed.id);
    expect(shared).toEqual(["ipsum", "firehol_level1"]);
  });

  test("need a contact and permission if the terms require them", () => {
    expect(FEEDS.filter((feed) => feed.needsContact).map((feed) => feed.id)).toEqual(["bgp_tools_tags"]);
    expect(FEEDS.filter((feed) => feed.noncommercial).map((feed) => feed.id)).toEqual(["stopforumspam_list"]);
  });

  test("have the attribution that a publisher asks for", () => {
    const credited = new Set(FEEDS.flatMap((feed) => feed.attribution ?? []));
    for (const name of ["© The Spamhaus Project", "CINS Score by Sentinel IPS", "Apple", "bgp.tools"]) {
      expect(credited).toContain(name);
    }
  });

  test("download large or limited files at most as often as their publisher allows", () => {
    const cadences = new Map(FEEDS.map((feed) => [feed.id, feed.cadenceMs]));
    expect(cadences.get("spamhaus_drop")).toBeGreaterThanOrEqual(3_600_000);
    expect(cadences.get("stopforumspam_list")).toBeGreaterThanOrEqual(43_200_000);
    expect(cadences.get("bgp_tools_tags")).toBeGreaterThanOrEqual(604_800_000);
    expect(cadences.get("blocklist_de_list")).toBeGreaterThanOrEqual(1_800_000);
  });
});

describe("azure", () => {
  const find = azure.files[0]?.find ?? expect.unreachable();
  const file = (day: string) =>
    `https://download.microsoft.com/download/0/a/B/0abc-1/ServiceTags_Public_${day}.json`;

  test("finds the newest file that the page names", () => {
    const page = `<a href="${file("20260810")}">old</a> <a href="${file("20260817")}">new</a>`;
    expect(find(page)).toBe(file("20260817"));
  });

  test("follows no other link of the page", () => {
    expect(find("<p>nothing</p>")).toBeUndefined();
    expect(
      find(file("20260817").replace("download.microsoft.com", "download.microsoft.com.evil.example")),
    ).toBeUndefined();
    expect(find(file("20260817").replace("https:", "http:"))).toBeUndefined();
    expect(find(file("20260817").replace("/0/a/", "/../a/"))).toBeUndefined();
  });

  test("takes the date of the data from the name of the file", () => {
    const content = new FeedContent({ url: file("20260817"), index: 0, bytes: fixture("azure", 0) });
    expect(azure.parse(content, NO_SINK)).toEqual({ date: "2026-08-17" });
  });
});

describe("lists of open proxies", () => {
  const DAY = 86_400_000;
  const proxies = FEEDS.filter((feed) => feed.meanings.includes("proxy"));

  test("are two or more, by different publishers, under permissive terms", () => {
    expect(new Set(proxies.map((feed) => feed.family)).size).toBeGreaterThanOrEqual(2);
    expect(proxies.filter((feed) => feed.licence !== "MIT").map((feed) => feed.id)).toEqual([]);
  });

  test.each(proxies.map((feed) => [feed.id, feed] as const))(
    "%s does not count two days after its content was new, even if it is still served",
    (_id, feed) => {
      const now = Date.UTC(2026, 10, 1);
      const served = { fetchedAt: now - 2 * DAY, checkedAt: now };
      expect(isFeedExpired(feed, served, now)).toBe(false);
      expect(isFeedExpired(feed, { ...served, fetchedAt: served.fetchedAt - 1 }, now)).toBe(true);
    },
  );

  test("other lists stay as long as their publisher serves them", () => {
    const now = Date.UTC(2026, 10, 1);
    const served = { fetchedAt: now - 400 * DAY, checkedAt: now };
    const expired = FEEDS.filter((feed) => isFeedExpired(feed, served, now));
    expect(expired.map((feed) => feed.id)).toEqual(proxies.map((feed) => feed.id));
  });

  test("leave out an exit that too many proxies share: it is the checker's own address", () => {
    const proxy = (exit_ip: string) => ({ host: "5.188.10.1", exit_ip });
    const shared = (count: number) => Array.from({ length: count }, () => proxy("5.188.10.9"));
    const read = (rows: readonly object[]) =>
      collect(feed("monosans_proxies"), 0, bytesOf(JSON.stringify(rows)))?.rows;
    expect(read([proxy("5.188.10.8"), ...shared(16)])).toBe(2);
    expect(read([proxy("5.188.10.8"), ...shared(17)])).toBe(1);
  });
});

describe("feodo", () => {
  const bytes = fixture("feodo", 0);

  test("ignores controllers that were not seen for thirty days", () => {
    expect(collect(feodo, 0, bytes, Date.UTC(2026, 9, 5))).toMatchObject({ rows: 0, malformed: 0 });
    const seen: string[] = [];
    const sink: FeedSink = { ...NO_SINK, prefix: (text) => seen.push(text) };
    feodo.parse(new FeedContent({ url: "", index: 0, bytes, now: Date.UTC(2026, 3, 11) }), sink);
    expect(seen).toEqual(["198.51.100.182"]);
  });
});

/** A download of one file of a list, and what is counted in it; null: it is refused. */
interface Reading {
  readonly file?: number;
  readonly text: readonly string[];
  readonly now?: number;
  readonly expected: object | null;
}

describe.each(
  Object.entries(READINGS as Readonly<Record<string, Readonly<Record<string, readonly Reading[]>>>>),
)("%s", (id, cases) => {
  test.each(Object.entries(cases))("%s", (_, readings) => {
    for (const { file = 0, text, now, expected } of readings) {
      const found = collect(feed(id), file, bytesOf(text.join("\n")), now) ?? null;
      if (expected === null) expect(found, text.join()).toBeNull();
      else expect(found, text.join()).toMatchObject(expected);
    }
  });
});

describe("ipsum", () => {
  test("counts one list as less than a voice, several as one voice less than they are, and five or more as five", () => {
    const voices = (label: string) => ipsum.countVoices?.(label);
    expect(["on 1 list", "on 2 lists", "on 3 lists", "on 5 lists", "on 99 lists"].map(voices)).toEqual([
      0.75, 1, 2, 5, 5,
    ]);
    expect(["", "on 0 lists", "on lists", "3"].map(voices)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("ignores an invalid date", () => {
    const { rows: _rows, ...facts } = recordFeed(ipsum, [
      { index: 0, bytes: bytesOf("# Last update: soon\n5.188.10.3\t3\n") },
    ]);
    expect(facts).toEqual({});
  });
});

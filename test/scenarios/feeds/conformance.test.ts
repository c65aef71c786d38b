import { describe, expect, test } from "bun:test";
import { isWithin, parseAddress, parseLoosePrefix } from "#address";
import { FeedError } from "../../../src/feeds/feed_content.ts";
import { FEEDS } from "../../../src/feeds/feeds.ts";
import { listFeedFixtures, readFeedFixture } from "../../feeds/feed_fixture.ts";
import { type FeedRecord, recordFeed } from "./record_feed.ts";

const DOCUMENTATION = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"].flatMap(
  (text) => parseLoosePrefix(text) ?? [],
);

function isDocumentation(subject: string): boolean {
  return subject.split("-").every((text) => {
    const prefix = parseLoosePrefix(text.trim());
    if (prefix === undefined || prefix.bits < 8) return true;
    return DOCUMENTATION.some((block) => block.bits <= prefix.bits && isWithin(prefix.address, block));
  });
}

/** Counts the rows that a table accepts. */
function countSound(record: FeedRecord): number {
  return record.rows.filter((row) => {
    const [subject = ""] = row.split(" ");
    if (/^AS\d+$/.test(subject)) return true;
    return subject.split("-").every((text) => (parseLoosePrefix(text) ?? parseAddress(text)) !== undefined);
  }).length;
}

describe("FEEDS", () => {
  test("have unique ids in snake_case", () => {
    const ids = FEEDS.map((feed) => feed.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_]{1,39}$/);
  });

  test("have no orphaned fixtures", () => {
    const ids = new Set(FEEDS.map((feed) => feed.id));
    expect(listFeedFixtures().filter((id) => !ids.has(id))).toEqual([]);
  });

  test.each(FEEDS.map((feed) => [feed.id, feed] as const))("%s has complete metadata", (_id, feed) => {
    expect(feed.files.length).toBeGreaterThan(0);
    for (const file of feed.files) {
      const url = URL.parse(file.url);
      expect(url?.protocol).toBe("https:");
      expect(url?.port).toBe("");
      expect(file.maxBytes).toBeGreaterThan(0);
      expect(file.maxBytes).toBeLessThanOrEqual(134_217_728);
    }
    expect(feed.minRows).toBeGreaterThanOrEqual(0);
    expect(feed.maxRows).toBeGreaterThan(feed.minRows);
    expect(feed.cadenceMs).toBeGreaterThanOrEqual(600_000);
    expect(feed.licence).not.toBe("");
    expect(URL.canParse(feed.homepage)).toBe(true);
    expect(feed.meanings.length > 0 || feed.networks === true).toBe(true);
  });
});

describe.each(FEEDS.map((feed) => [feed.id, feed] as const))("the feed %s", (id, feed) => {
  test("reads its fixtures as expected", () => {
    const { files, expected } = readFeedFixture(id);
    const record = recordFeed(feed, files);
    expect({ ...record, rows: record.rows.toSorted() }).toEqual({
      ...expected,
      rows: expected.rows.toSorted(),
    });
    expect(record.rows.length).toBeGreaterThan(0);
    expect(record.rows.filter((row) => !isDocumentation(row.split(" ")[0] ?? ""))).toEqual([]);
  });

  test("has only rows with the meanings that it announces", () => {
    const record = recordFeed(feed, readFeedFixture(id).files);
    for (const row of record.rows) {
      const info = JSON.parse(row.slice(row.indexOf("{")));
      if (row.startsWith("AS")) expect(feed.networks).toBe(true);
      else expect(feed.meanings).toContain(info.meaning);
    }
  });

  test("refuses malformed files", () => {
    const { malformed } = readFeedFixture(id);
    expect(malformed.length, `${id} has no malformed fixture`).toBeGreaterThan(0);
    for (const { name, ...file } of malformed) {
      let record: FeedRecord | undefined;
      try {
        record = recordFeed(feed, [file]);
      } catch (error) {
        expect(error, name).toBeInstanceOf(FeedError);
      }
      if (record !== undefined) expect(countSound(record), name).toBe(0);
    }
  });
});

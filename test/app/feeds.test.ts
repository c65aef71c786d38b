import { describe, expect, test } from "bun:test";
import { ALL_FEEDS, chooseFeeds, collectFeedFailures } from "#app";
import { createManualTimers } from "#kit";

const GIB = 1_073_741_824;
const config = { sourcesOff: new Set(["cins"]), allowNoncommercial: false, contact: undefined };

describe("chooseFeeds()", () => {
  test("excludes feeds by configuration, terms and memory, with the reason", () => {
    const small = chooseFeeds(config, ALL_FEEDS, GIB);
    expect(small.excluded.get("cins")).toBe("turned off");
    expect(small.excluded.get("stopforumspam_list")).toBe("non-commercial");
    expect(small.excluded.get("bgp_tools_tags")).toBe("needs LIMPID_CONTACT");
    expect(small.excluded.get("dbip_city")).toBe("needs more memory");
    expect(small.tables.map((feed) => feed.id)).toEqual(["iptoasn", "rir_delegated", "geofeeds"]);
    expect(small.feeds.some((feed) => small.excluded.has(feed.id))).toBe(false);
  });

  test("includes the city table when there is enough memory to compile it", () => {
    const large = chooseFeeds(config, ALL_FEEDS, 8 * GIB);
    expect(large.excluded.has("dbip_city")).toBe(false);
    expect(large.tables.map((feed) => feed.id)).toContain("dbip_city");
  });
});

function open() {
  const lines: unknown[] = [];
  const { timers, setTimer } = createManualTimers();
  const failures = collectFeedFailures({
    log: (level, event, fields) => lines.push([level, event, fields]),
    setTimer,
  });
  return { lines, timers, failures };
}

describe("collectFeedFailures()", () => {
  test("logs a single failure with its id", () => {
    const { lines, timers, failures } = open();
    failures.add("cins", "timeout");
    expect(lines).toEqual([]);
    timers[0]?.callback();
    expect(lines).toEqual([["warn", "feed_failed", { id: "cins", problem: "timeout" }]]);
  });

  test("logs a start without a network in one line", () => {
    const { lines, timers, failures } = open();
    for (let at = 0; at < 50; at += 1) failures.add(`list_${at}`, "refused: connection refused");
    failures.add("aws", "timeout");
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([30_000]);
    timers[0]?.callback();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject(["warn", "feeds_failed", { count: 51, problems: { timeout: ["aws"] } }]);
    failures.add("aws", "timeout");
    expect(timers).toHaveLength(2);
  });

  test("logs the remaining failures on flush, and nothing if there are none", () => {
    const { lines, timers, failures } = open();
    failures.flush();
    expect(lines).toEqual([]);
    failures.add("cins", "timeout");
    failures.flush();
    failures.flush();
    expect(lines).toHaveLength(1);
    expect(timers[0]?.isCancelled).toBe(true);
  });
});

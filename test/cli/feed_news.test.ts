import { describe, expect, test } from "bun:test";
import { createFeedNews } from "../../src/cli/feed_news.ts";

function open() {
  const lines: unknown[] = [];
  const timers: { callback: () => void; delayMs: number; isCancelled: boolean }[] = [];
  const news = createFeedNews({
    log: (level, event, fields) => lines.push([level, event, fields]),
    setTimer(callback, delayMs) {
      const timer = { callback, delayMs, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
  });
  return { lines, timers, news };
}

describe("createFeedNews()", () => {
  test("tells one failure by its name", () => {
    const { lines, timers, news } = open();
    news.failed("cins", "timeout");
    expect(lines).toEqual([]);
    timers[0]?.callback();
    expect(lines).toEqual([["warn", "feed_failed", { id: "cins", problem: "timeout" }]]);
  });

  test("tells a start without a network in one line", () => {
    const { lines, timers, news } = open();
    for (let at = 0; at < 50; at += 1) news.failed(`list_${at}`, "refused: connection refused");
    news.failed("aws", "timeout");
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([30_000]);
    timers[0]?.callback();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject(["warn", "feeds_failed", { count: 51, problems: { timeout: ["aws"] } }]);
    news.failed("aws", "timeout");
    expect(timers).toHaveLength(2);
  });

  test("tells at the end what it has not told yet, and nothing if there is nothing", () => {
    const { lines, timers, news } = open();
    news.flush();
    expect(lines).toEqual([]);
    news.failed("cins", "timeout");
    news.flush();
    news.flush();
    expect(lines).toHaveLength(1);
    expect(timers[0]?.isCancelled).toBe(true);
  });
});

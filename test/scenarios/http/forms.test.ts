import { describe, expect, test } from "bun:test";
import type { Assessment } from "#report";
import {
  type AppOptions,
  answered,
  answerOf,
  assessmentOf,
  openApp,
  surveying,
} from "../../http/kit/open_app.ts";
import { tables } from "../../http/kit/scenarios.ts";

const ABOUT = { text: "198.51.100.7" };

function optionsOf(change: Partial<Assessment>, liveAnswers = 3): AppOptions {
  return { lookup: async () => answered(answerOf(ABOUT, change, { liveAnswers })) };
}

const BACKED = { confidence: "high", coverage: 0.92 };
const UNKNOWN = { confidence: null, coverage: null };

tables("forms", {
  surveying,
  bogon: optionsOf({ purity: 50, flags: { ...assessmentOf("198.51.100.7").flags, isBogon: true } }, 0),
  stored: { findKnown: async () => answerOf(ABOUT) },
  history: {
    history: {
      history: async () => [
        { surveyedAt: 1_790_000_000_000, purity: 85, band: "clean", scoringVersion: 2, ...BACKED },
        { surveyedAt: 1_780_000_000_000, purity: 15, band: "risky", scoringVersion: 1, ...UNKNOWN },
      ],
    },
  },
  brokenHistory: {
    history: { history: () => Promise.reject(new Error("Cannot read a history from database")) },
  },
  emptyMirror: { mirror: {}, history: { history: async () => undefined } },
});

describe("the history on a page", () => {
  const HISTORY = [
    { surveyedAt: Date.UTC(2026, 1, 3), purity: 85, band: "clean", scoringVersion: 2, ...BACKED },
    { surveyedAt: Date.UTC(2026, 0, 3), purity: 15, band: "risky", scoringVersion: 2, ...UNKNOWN },
  ];

  test("is read once for a cached page, and for no other format", async () => {
    let reads = 0;
    const testApp = openApp({
      history: {
        history: async () => {
          reads += 1;
          return HISTORY;
        },
      },
    });
    const [page, same] = await Promise.all([
      testApp.ask("/en/ip/198.51.100.7"),
      testApp.ask("/en/ip/198.51.100.7"),
    ]);
    expect(await page.text()).toContain("2026-01-03");
    expect(await same.text()).toContain("2026-01-03");
    expect(reads).toBe(1);
    await testApp.ask("/en/ip/198.51.100.7");
    for (const form of [".json", ".txt", ".md"]) await testApp.ask(`/en/ip/198.51.100.7${form}`);
    expect(reads).toBe(1);
  });

  test("is missing while it cannot be read, without a retry for a while, and then shown", async () => {
    let reads = 0;
    let isAway = true;
    const testApp = openApp({
      history: {
        history: async () => {
          reads += 1;
          if (isAway) throw new Error("away");
          return HISTORY;
        },
      },
    });
    const page = async () => await (await testApp.ask("/en/ip/198.51.100.7")).text();
    expect(await page()).not.toContain("2026-01-03");
    expect(await page()).not.toContain("2026-01-03");
    expect(reads).toBe(1);
    expect(testApp.logs.map(({ event }) => event)).toEqual(["history_unreadable"]);
    isAway = false;
    testApp.clock.advance(5000);
    expect(await page()).toContain("2026-01-03");
    expect(reads).toBe(2);
  });

  test("of special-purpose space is not read", async () => {
    const flags = { ...assessmentOf("198.51.100.7").flags, isBogon: true };
    const testApp = openApp({
      ...optionsOf({ flags }),
      history: { history: () => Promise.reject(new Error("asked")) },
    });
    expect((await testApp.ask("/en/ip/198.51.100.7")).status).toBe(200);
    expect(testApp.logs).toEqual([]);
  });
});

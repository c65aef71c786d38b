import { describe, expect, test } from "bun:test";
import type { Assessment } from "#report";
import GATE from "../../fixtures/http/gate.json";
import { type AppOptions, answered, answerOf, openApp } from "../kit/open_app.ts";

/** A query, what differs in the assessment, how many live sources answered, and the status, text and Retry-After. */
type Row = readonly [query: string, change: Partial<Assessment>, liveAnswers: number, expected: string];

/** An app whose report on every address is that of the tests, changed. */
function openWith(change: Partial<Assessment>, liveAnswers = 3, options: AppOptions = {}) {
  return openApp({
    ...options,
    lookup: async ({ address }) => answered(answerOf(address, change, { liveAnswers })),
  });
}

describe.each(Object.entries(GATE as object as Readonly<Record<string, readonly Row[]>>))(
  "/gate %s",
  (_, rows) => {
    test.each(rows)("%s of %j with %d live answers: %s", async (query, change, liveAnswers, expected) => {
      const response = await openWith(change, liveAnswers).ask(`/gate/198.51.100.7${query}`);
      const retry = response.headers.get("retry-after");
      const text = (await response.text()).trimEnd();
      expect([response.status, text, ...(retry === null ? [] : [retry])].join(" ")).toBe(expected);
    });
  },
);

test("/gate trusts the tables if the service queries no live source", async () => {
  const response = await openWith({}, 0, { live: false }).ask("/gate/198.51.100.7");
  expect(await response.text()).toBe("PASS 85\n");
});

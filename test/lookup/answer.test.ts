import { expect, test } from "bun:test";
import { parseAddress } from "#address";
import type { Lookup } from "#lookup";
import { watchLookup } from "../../src/lookup/answer.ts";

const REFUSAL = { code: "verification_required", reason: "client_day", limit: 5 } as const;

test("watchLookup() tells the end of every lookup, except for callers that disconnected", async () => {
  const ends: (() => ReturnType<Lookup>)[] = [
    () => Promise.resolve({ kind: "overloaded", retryAfterMs: 1, limits: [] }),
    () => Promise.resolve({ kind: "refused", refusal: REFUSAL, limits: [] }),
    () => Promise.reject(new Error("inside")),
    () => Promise.reject(new Error("left")),
  ];
  const told: string[] = [];
  const none = () => Promise.reject(new Error("none"));
  const lookup = watchLookup(
    () => (ends.shift() ?? none)(),
    (end) => told.push(end),
  );
  const address = parseAddress("192.0.2.1");
  if (address === undefined) throw new Error("Cannot parse the address");
  const request = { address, refresh: false, client: { key: "192.0.2.9", exempt: false } };
  const stays = new AbortController().signal;
  await lookup(request, stays);
  await lookup(request, stays);
  await expect(lookup(request, stays)).rejects.toThrow("inside");
  await expect(lookup(request, AbortSignal.abort())).rejects.toThrow("left");
  expect(told).toEqual(["overloaded", "refused", "failed"]);
});

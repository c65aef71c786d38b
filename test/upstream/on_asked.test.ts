import { describe, expect, test } from "bun:test";
import { startGateway } from "#kit";
import { createWorld } from "#upstream";

describe("createWorld() onAsked", () => {
  test("tells how each question ended, and nothing of those that this side gave up", async () => {
    const gateway = await startGateway();
    const seen: string[] = [];
    const world = createWorld({
      hosts: ["h.test"],
      gateway: gateway.url,
      userAgent: "test",
      poolSize: 2,
      now: Date.now,
      onAsked: (transport, outcome) => seen.push(`${transport} ${outcome}`),
    });
    try {
      gateway.on("h.test", "/good", { json: {} });
      gateway.on("h.test", "/bad", { status: 503, text: "no" });
      gateway.on("h.test", "/full", { status: 429, text: "no" });
      gateway.on("h.test", "/slow", { json: {}, delayMs: 5000 });
      const session = world.open(new AbortController().signal);
      const ask = (path: string, signal = new AbortController().signal) =>
        session.http({ url: `https://h.test${path}`, as: "json" }, signal).catch(() => undefined);
      await ask("/good");
      await ask("/bad");
      await ask("/full");
      await ask("/slow", AbortSignal.timeout(20));
      const leaving = new AbortController();
      const left = ask("/slow", leaving.signal);
      leaving.abort();
      await left;
      session.close();
      expect(seen).toEqual(["http answered", "http status", "http quota", "http timeout"]);
    } finally {
      world.close();
      await gateway.close();
    }
  });
});

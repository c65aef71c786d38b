import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLog } from "#app";

function collect(
  level: "debug" | "info" | "warn" | "error",
  readable: boolean,
  more: Partial<Parameters<typeof createLog>[0]> = {},
) {
  const lines: string[] = [];
  const now = () => 1_790_000_000_000;
  const log = createLog({ level, readable, now, write: (line) => lines.push(line), ...more });
  return { lines, log, last: () => JSON.parse(lines.at(-1) ?? "") };
}

describe("createLog()", () => {
  test("writes one JSON object per line, whatever the fields contain", () => {
    const { lines, log } = collect("info", false);
    log("warn", "source_failed", { detail: 'a\nb"' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain("\n");
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      time: "2026-09-21T14:13:20.000Z",
      level: "warn",
      event: "source_failed",
      detail: 'a\nb"',
    });
  });

  test("omits lines below its level", () => {
    const { lines, log } = collect("warn", false);
    log("debug", "a");
    log("info", "b");
    log("warn", "c");
    log("error", "d");
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["c", "d"]);
  });

  test("writes readable lines for a terminal, with control characters escaped", () => {
    const { lines, log } = collect("info", true);
    log("info", "listening", { url: "http://limpid.test:8080", note: "\u001b[31m" });
    expect(lines).toEqual(['14:13:20 info  listening url="http://limpid.test:8080" note="\\u001b[31m"\n']);
  });

  test("escapes line breaks and control characters of any field", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, readable) => {
        const { lines, log } = collect("info", readable);
        log("info", "event", { text, [text]: [text, { text }] });
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatch(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*\n$/u);
        if (!readable) JSON.parse(lines[0] ?? "");
      }),
    );
  });

  test.each([
    ["at 192.0.2.1:443", "at [address]:443"],
    ["[2001:db8::1]:443 refused", "[[address]]:443 refused"],
    ["https://h.test/v3/2001%3Adb8%3A%3A1?key=1", "https://h.test/v3/[address]?key=1"],
    ["no 1.2.0.192.bl.test", "no [address].bl.test"],
    ["::ffff:192.0.2.1", "[address]"],
    ["2001:DB8:0:0:0:0:0:1", "[address]"],
    ["1:2:3:4:5:6:7::", "[address]"],
    [`${"1.".repeat(31)}2.bl.test`, "[address].bl.test"],
    ["at serve.ts:103:14, 12:30:59", "at serve.ts:103:14, 12:30:59"],
    ["version 1.4.30, 50 %", "version 1.4.30, 50 %"],
  ])("removes the addresses in %p", (text, said) => {
    const { log, last } = collect("info", false);
    log("info", "event", { text, deep: { list: [text] }, error: new Error(text) });
    expect(last()).toMatchObject({ text: said, deep: { list: [said] }, error: `Error: ${said}` });
  });

  test("removes secrets, plain and as encoded in a URL or a header", () => {
    const secret = "k+y/of the vendor";
    const { lines, log } = collect("info", false, { secrets: [secret, "short"] });
    log("error", "event", {
      a: `GET /?key=${encodeURIComponent(secret)}`,
      b: new Error(`with ${secret}`),
      c: `Basic ${btoa(secret)}`,
      [secret]: "short",
    });
    expect(lines[0]).not.toContain("vendor");
    expect(lines[0]).not.toContain(btoa(secret));
    expect(lines[0]).toContain("short");
  });

  test("bounds the length, depth and number of fields of a line, and never throws", () => {
    const circle: Record<string, unknown> = { big: 1n, call: () => 1, symbol: Symbol("s") };
    circle.self = circle;
    const trap = {
      get bad(): never {
        throw new Error("no");
      },
    };
    const { lines, log } = collect("info", false);
    log("info", "event", { text: "x".repeat(1e6), many: new Array(1e5).fill("y"), circle });
    expect(lines[0]?.length).toBeLessThan(10_000);
    expect(() => log("info", "event", { trap })).not.toThrow();
  });

  test("writes 30 lines of an event at once and 2 per second, and reports how many were held back", () => {
    let nowMs = 0;
    const timers: { callback: () => void; delayMs: number }[] = [];
    const { lines, log, last } = collect("info", false, {
      now: () => nowMs,
      setTimer: (callback, delayMs) => void timers.push({ callback, delayMs }),
    });
    for (let at = 0; at < 10_000; at += 1) {
      nowMs += 1;
      log("error", "store_unreadable", {});
    }
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.length).toBeLessThan(30 + 2 * 2 * 10 + 3);
    log("info", "another", {});
    expect(last().event).toBe("another");
    expect(timers.at(-1)?.delayMs).toBe(10_000);
    timers.at(-1)?.callback();
    expect(last()).toMatchObject({ level: "error", event: "held_back", of: "store_unreadable" });
    const reports = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "held_back");
    const written = lines.filter((line) => JSON.parse(line).event === "store_unreadable").length;
    expect(reports.reduce((sum, { lines: held }) => sum + held, 0) + written).toBe(10_000);
  });

  test("does not limit debug lines", () => {
    const { lines, log } = collect("debug", false);
    for (let at = 0; at < 500; at += 1) log("debug", "request_answered", {});
    expect(lines).toHaveLength(500);
  });
});

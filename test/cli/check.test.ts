import { describe, expect, test } from "bun:test";
import { type Check, renderCheck } from "../../src/cli/check.ts";

describe("renderCheck()", () => {
  const found: Check = {
    checkedAt: "2026-01-15T12:00:00.000Z",
    address: "8.8.8.8",
    ready: false,
    sources: [
      { id: "a", name: "A", kind: "source", state: "ready", ms: 12, left: 1234 },
      { id: "a_list", name: "A list", kind: "list", state: "dead_zone", ms: 7, reason: "lists everything" },
      { id: "b", name: "B", kind: "source", state: "no_key", ms: 0, reason: "no key configured" },
    ],
  };

  test("shows problems last, by state and reason, and sums up", () => {
    expect(renderCheck(found, { colour: false })).toBe(
      [
        "Queried about 8.8.8.8",
        "",
        "ready",
        "  a  A  1234 left, 12 ms",
        "no key",
        "  b (B)",
        "dead zone: lists everything",
        "  a_list (A list)",
        "",
        "1 ready, 1 no key, 1 dead zone",
        "",
      ].join("\n"),
    );
  });

  test("says what to do in 79 columns", () => {
    const lists = Array.from({ length: 30 }, (_, at) => ({
      ...{ id: `list_${at}`, name: `List ${at}`, kind: "table", ms: 0 },
      ...(at < 28 ? { state: "not_downloaded" } : { state: "error", reason: "cannot resolve" }),
    })) as unknown as Check["sources"];
    const lines = renderCheck({ ...found, isOffline: true, sources: lists }, { colour: false }).split("\n");
    expect(lines.at(-3)).toBe("Run limpid feeds update to download the lists.");
    expect(lines.at(-2)).toStartWith("No network: DNS failed.");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(79);
  });

  test("colours whole lines and changes nothing else", () => {
    const coloured = renderCheck(found, { colour: true });
    expect(coloured).toContain("\u001b[31m  a_list");
    expect(Bun.stripANSI(coloured)).toBe(renderCheck(found, { colour: false }));
  });
});

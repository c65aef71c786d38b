import { describe, expect, test } from "bun:test";
import { type Check, renderCheck } from "../../src/cli/check.ts";

describe("renderCheck()", () => {
  const found: Check = {
    checkedAt: "2026-01-15T12:00:00.000Z",
    ready: false,
    sources: [
      { id: "a", name: "A", kind: "source", state: "ready", ms: 12, left: 1234 },
      { id: "a_list", name: "A list", kind: "list", state: "dead_zone", ms: 7, reason: "lists everything" },
      { id: "b", name: "B", kind: "source", state: "no_key", ms: 0, reason: "no key configured" },
    ],
  };

  test("aligns columns and sums up", () => {
    expect(renderCheck(found, { colour: false })).toBe(
      [
        "source  kind    state      left   time  reason",
        "a       source  ready      1234  12 ms",
        "a_list  list    dead zone         7 ms  lists everything",
        "b       source  no key                  no key configured",
        "",
        "1 ready, 1 no key, 1 dead zone",
        "",
      ].join("\n"),
    );
  });

  test("colours whole lines and changes nothing else", () => {
    const coloured = renderCheck(found, { colour: true });
    expect(coloured).toContain("\u001b[31ma_list");
    expect(Bun.stripANSI(coloured)).toBe(renderCheck(found, { colour: false }));
  });
});

import { describe, expect, test } from "bun:test";
import { createLog } from "../../src/log.ts";

function collect(level: "debug" | "info" | "warn" | "error", readable: boolean) {
  const lines: string[] = [];
  const log = createLog({ level, readable, now: () => 1_790_000_000_000, write: (line) => lines.push(line) });
  return { lines, log };
}

describe("createLog()", () => {
  test("writes one JSON object a line, whatever the facts hold", () => {
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

  test("leaves out what is below its level", () => {
    const { lines, log } = collect("warn", false);
    log("debug", "a");
    log("info", "b");
    log("warn", "c");
    log("error", "d");
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["c", "d"]);
  });

  test("writes readable lines for a terminal, with control characters escaped", () => {
    const { lines, log } = collect("info", true);
    log("info", "listening", { url: "http://127.0.0.1:8080", note: "\u001b[31m" });
    expect(lines).toEqual(['14:13:20 info  listening url="http://127.0.0.1:8080" note="\\u001b[31m"\n']);
  });
});

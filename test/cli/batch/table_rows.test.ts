import { describe, expect, test } from "bun:test";
import { readAddress } from "#kit";
import { SCENARIOS } from "#report";
import type { BatchFacts, BatchItem } from "../../../src/cli/batch/rows.ts";
import { factsOfAnswer } from "../../../src/cli/batch/rows.ts";
import { createTableWriter } from "../../../src/cli/batch/table_rows.ts";
import { assessmentOf } from "../../http/kit/open_app.ts";

const address = readAddress("192.0.2.1");
const facts: BatchFacts = {
  ...factsOfAnswer({ assessment: assessmentOf("192.0.2.1"), liveAnswers: 1 }, true),
  purity: 85,
  band: "clean",
  usage: "hosting",
  country: "DE",
  asn: 64_500,
  scenarios: SCENARIOS.map((id, at) => ({ id, score: at === 0 ? null : 60 + at, level: "good" })),
};
const result = { facts, surveyedAt: "2026-11-22T14:04:04.000Z" };

function write(item: Partial<BatchItem>, isColoured = false): string {
  return createTableWriter(item.count !== undefined, isColoured).row(
    { input: "192.0.2.1", address, ...item },
    result,
  );
}

describe("createTableWriter", () => {
  test("writes the columns below their heads", () => {
    const { head, row } = createTableWriter(false, false);
    const line = row({ input: "hk-01 192.0.2.1", address }, result);
    expect(line).toMatch(
      /^ 85 clean {6}hosting {7}- {2}61 {2}62 {2}63 {2}64 {2}65 DE 192\.0\.2\.1 +- AS64500 {2}hk-01 192\.0\.2\.1\n$/,
    );
    expect(head.indexOf("usage")).toBe(line.indexOf("hosting"));
    expect(head.indexOf("address")).toBe(line.indexOf("192.0.2.1"));
    expect(head.indexOf("soc") + 1).toBe(line.indexOf("61"));
  });

  test("writes colours of the band only when they are wanted", () => {
    expect(write({}, true)).toStartWith("\u001b[32m 85 clean");
    expect(write({})).not.toContain("\u001b");
  });

  test("marks what is not known well, and says at the end what the mark means", () => {
    const { row, foot } = createTableWriter(false, true);
    const level = "not_applicable" as const;
    const unscored = { ...facts, scenarios: [{ id: "ai" as const, score: null, level }] };
    expect(row({ input: "x", address }, { ...result, facts: unscored })).toStartWith("  - -  ");
    expect(foot?.()).toBe("");
    const thin = { ...facts, confidence: "low" as const };
    expect(row({ input: "x", address }, { ...result, facts: thin })).toStartWith(" 85? -  ");
    expect(foot?.()).toBe("? not enough data\n");
  });

  test("writes a count, and the reason why a row has no facts", () => {
    expect(write({ count: 12 })).toStartWith("      12   85 clean");
    const row = createTableWriter(false, false).row({ input: "192.0.2.300" }, "invalid_ip");
    expect(row).toMatch(/^ {2}- invalid_ip .* 192\.0\.2\.300\n$/);
  });

  test("lets no line of the input control the terminal", () => {
    const row = write({
      input:
        "192.0.2.1 \u001b[2J\u0007\u202e\n\r\u009b31m 節節節節節節節節節節節節節節節節節節節節節節節節節節節節節節節節",
    });
    expect(row.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(row).toContain("\\u{1b}[2J");
    expect(Bun.stringWidth(row)).toBeLessThan(130);
  });
});

import { expect, test } from "bun:test";
import { renderLine } from "#render";
import { LANGUAGES } from "#report";
import { GOLDEN_NAMES, goldenReport, matchGoldenFormat } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";

test("renderLine writes the same stable words in both languages", () => {
  const lines = GOLDEN_NAMES.map((name) => renderLine(goldenReport(name, "en")));
  expect(GOLDEN_NAMES.map((name) => renderLine(goldenReport(name, "zh")))).toEqual(
    GOLDEN_NAMES.map((name) => renderLine(goldenReport(name, "en"))),
  );
  const byName = Object.fromEntries(GOLDEN_NAMES.map((name, index) => [name, lines[index]]));
  expect(byName).toMatchObject({
    server: "not_enough_data:37 - hosting broadcast NL flags:vpn,hosting confidence:low ip:203.0.113.45\n",
    home_line: "100 pristine residential native GB flags:- confidence:high ip:81.2.69.10\n",
    private: "- - unknown unknown - flags:bogon confidence:low ip:192.168.1.1\n",
    tor: "0 dangerous hosting native DE flags:proxy,tor,hosting confidence:high ip:81.2.69.40\n",
  });
});

test("renderLine keeps its format for any report", () => {
  for (const language of LANGUAGES) {
    expect(renderLine(hostileReport(language))).toMatch(
      /^(?:\d{1,3} [a-z]+|not_enough_data:\d{1,3} -|- -) [a-z]+ [a-z]+ (?:[A-Z]{2}|-) flags:(?:-|[a-z,]+) confidence:(?:low|medium|high) ip:(?:-|[\da-f.:]+)\n$/,
    );
  }
});

test("renderLine writes every golden report as in the golden file", () => {
  const text = GOLDEN_NAMES.map((name) => `${name}: ${renderLine(goldenReport(name, "en"))}`).join("");
  matchGoldenFormat("lines.txt", text);
});

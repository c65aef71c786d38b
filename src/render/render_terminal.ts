import type { Report } from "#report";
import { composeReport } from "./compose_report.ts";
import type { Palette } from "./sheet.ts";

/** What a terminal report may use. */
export interface TerminalOptions {
  readonly colour: boolean;
}

// Select Graphic Rendition (ECMA-48, 8.3.117). No yellow, white, black or bright colour: each is lost on
// one of the usual backgrounds. Dim is for rules alone, since some terminals do not show it.
const COLOURS: Palette = {
  before: {
    title: "\u001b[1m",
    strong: "\u001b[1m",
    quiet: "\u001b[2m",
    pristine: "\u001b[1;32m",
    clean: "\u001b[32m",
    neutral: "\u001b[36m",
    suspicious: "\u001b[35m",
    risky: "\u001b[31m",
    dangerous: "\u001b[1;31m",
  },
  after: "\u001b[0m",
};

/**
 * The text report for a terminal: the same lines, in the 16 colours every terminal has, or without `colour` not
 * a single escape sequence. Every coloured piece is reset within its line, so that cutting lines leaves no trace.
 */
export function renderTerminal(report: Report, { colour }: TerminalOptions): string {
  return composeReport(report, colour ? COLOURS : undefined);
}

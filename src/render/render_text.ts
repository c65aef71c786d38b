import type { Report } from "#report";
import { composeReport } from "./compose_report.ts";

/**
 * The whole report as plain text of at most 72 columns, CJK characters and emoji counted as two, combining marks
 * as none; no escape sequences, no blanks at line ends, ends with a line feed. Words are never broken, but one
 * longer than its column, such as a URL, goes on in the next line. The language is the report's own
 * (`lang` absent = Chinese).
 */
export function renderText(report: Report): string {
  return composeReport(report);
}

import type { Report } from "#report";
import { methodPathOf } from "./method_path_of.ts";

// Scheme and authority of an absolute web address (RFC 3986, section 3).
const ORIGIN = /^https?:\/\/[^/?#]+/i;

/** Where the method of scoring is told: on the origin of the report's own address, or the bare path where that is none. */
export function methodUrlOf(report: Report): string {
  return `${ORIGIN.exec(report.reportUrl)?.[0] ?? ""}${methodPathOf(report.lang ?? "zh")}`;
}

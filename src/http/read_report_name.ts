import { readLastPart } from "./read_last_part.ts";
import type { ReportFormat } from "./report_format.ts";

const ENDINGS = [
  [".json", "json"],
  [".txt", "text"],
  [".md", "markdown"],
] as const;

/** Splits the last part of a report's path into the address as written and the form its ending names. */
export function readReportName(path: string): { readonly address: string; readonly format: ReportFormat } {
  const name = readLastPart(path);
  for (const [ending, format] of ENDINGS) {
    if (name.endsWith(ending)) return { address: name.slice(0, -ending.length), format };
  }
  return { address: name, format: "page" };
}

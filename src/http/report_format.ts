import type { Shape } from "./exchange.ts";

/** The forms a report is sent in; `colour` is the text for terminals with colour. */
export type ReportFormat = "page" | "json" | "text" | "markdown" | "colour" | "line" | "badge";

/** How a problem is told where the report would have had a form: one line for everything that is read as text. */
export function shapeOfFormat(format: ReportFormat): Shape {
  return format === "page" || format === "json" ? format : "text";
}

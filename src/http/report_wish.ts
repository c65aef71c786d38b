import type { Wish } from "./open_lookup.ts";
import type { ReportFormat } from "./report_format.ts";

/** A report in one of its forms. */
export interface ReportWish extends Wish {
  readonly format: ReportFormat;
}

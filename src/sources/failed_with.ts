import type { SourceRun } from "#evidence";
import type { UpstreamError } from "#upstream";
import { boundText } from "./bound_text.ts";

const MAX_DETAIL = 120;

/** The outcome of an error, its words bounded. */
export function failedWith(error: UpstreamError): Pick<SourceRun, "state" | "error" | "detail"> {
  const detail = boundText(error.detail, MAX_DETAIL);
  return { state: "failed", error: error.kind, ...(detail === "" ? {} : { detail }) };
}

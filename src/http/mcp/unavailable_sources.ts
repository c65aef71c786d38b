import * as v from "valibot";
import type { UnheardSource } from "#render";
import type { Report } from "#report";

/** The sources of a report that were not heard, in the documents of the tools. */
export const UnavailableSourcesSchema = v.pipe(
  v.array(
    v.object({
      name: v.string(),
      state: v.pipe(
        v.picklist(["failed", "skipped"]),
        v.description("`failed`: asked and not heard. `skipped`: not asked."),
      ),
      why: v.string(),
    }),
  ),
  v.description(
    "Sources that did not answer this time. Their opinion is unknown, which is neither a miss nor a clean result. Name them with any conclusion.",
  ),
);

/** What the client has left, in the documents of the tools. */
export const OpenLeftSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.description(
    "Lookups of addresses not yet stored that this client has left today without human verification.",
  ),
);

/** Names the sources of a report that were not heard, and why. */
export function listUnavailableSources(report: Report): UnheardSource[] {
  return report.sources
    .filter(({ ok }) => !ok)
    .map(({ name, skipped, error }) =>
      skipped === undefined
        ? { name, state: "failed", why: error ?? "" }
        : { name, state: "skipped", why: skipped },
    );
}

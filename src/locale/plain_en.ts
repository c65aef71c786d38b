import { BAND_THRESHOLDS } from "#scoring";
import { en } from "./en.ts";
import type { PlainTexts } from "./plain_texts.ts";

/** English. */
export const plainEn: PlainTexts = {
  answered: "Found data",
  foundNothing: "Found nothing",
  failed: "Failed",
  skipped: "Skipped",
  comma: ", ",
  lead: (reason) => `${reason}:`,
  pair: (name, value) => `${name}: ${value}`,
  fact: "What it said, or why not",
  method: "How the score is made",
  attackKinds: "Kinds of attack",
  badge: "IP purity",
  above: (lines) => (lines === 2 ? "Both" : `All ${lines}`),
  legend: "Legend",
  terms: [
    [
      "Purity",
      `0 to 100, higher is cleaner: ${BAND_THRESHOLDS.map(
        ([band, from]) => `${en.bands[band]?.toLowerCase()} ${from === 0 ? "below that" : `from ${from}`}`,
      ).join(", ")}.`,
    ],
    [
      "Confidence",
      "how much of the evidence that matters was heard; it does not say how clean the address is.",
    ],
    [
      "Agreement",
      "independent sources that name the flag, an authority counting as two; 1 counts half in the score.",
    ],
    ["Use cases", "0 to 100, higher is more suitable; -- means that no score applies."],
    ["*", "a commercial source; all others are public."],
  ],
  noSignals:
    'A report without risk signals must not be read as "safe"; pass on what an IP alone cannot tell with any conclusion.',
};

/** Words of the text, terminal and Markdown reports beside those that the page shares with them. */
export interface PlainTexts {
  readonly answered: string;
  readonly foundNothing: string;
  readonly failed: string;
  readonly skipped: string;
  /** Between the items of a list. */
  readonly comma: string;
  /** Before the sources that a reason or a fact holds for. */
  readonly lead: (reason: string) => string;
  /** A name and what stands beside it, on one line. */
  readonly pair: (name: string, value: string) => string;
  readonly fact: string;
  readonly method: string;
  readonly attackKinds: string;
  readonly badge: string;
  /** Before the one reason of so many lines above it. */
  readonly above: (lines: number) => string;
  readonly legend: string;
  /** Terms of the report and what they mean. */
  readonly terms: readonly (readonly [term: string, meaning: string])[];
  /** What a report without signals must not be taken for. */
  readonly noSignals: string;
}

import type { ScenarioId } from "#report";

/** Texts of the home page, the comparison and the error pages, beside those in `PageTexts`. */
export interface SiteTexts {
  readonly placeholder: string;
  readonly exampleTitle: string;
  /** From local tables only, when the example has no stored report. */
  readonly exampleFromTables: string;
  readonly exampleStored: (date: string) => string;
  readonly exampleLink: string;
  readonly specialTitle: string;
  readonly special: (ip: string, note: string) => string;
  readonly specialHint: string;

  readonly best: string;
  readonly bestNote: string;
  readonly winner: (facts: { readonly ip: string; readonly purity: number; readonly uses: number }) => string;
  readonly tie: (addresses: readonly string[], purity: number) => string;
  readonly noWinner: string;
  /** The shortest names of the use cases: the comparison has ten columns. The tiles of a report have room for more. */
  readonly uses: Readonly<Record<ScenarioId, string>>;
  readonly typeColumn: string;
  readonly listsColumn: string;
  readonly listedOf: (listed: number, answered: number) => string;
  readonly unknownLists: (count: number) => string;
  readonly bookmark: string;
}

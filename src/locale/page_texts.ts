/** Words of the pages beside those that the text report shares with them. */
export interface PageTexts {
  /** Names of the two groups of links. */
  readonly pages: string;
  readonly more: string;
  readonly home: string;
  readonly compare: string;
  readonly docs: string;
  readonly forModels: string;

  readonly asMarkdown: string;
  readonly otherShapes: string;
  readonly refresh: string;
  /** Where a listing is explained or removed. */
  readonly removal: string;
  /** Titles of the groups of sources. */
  readonly outcomes: Readonly<Record<"answered" | "foundNothing" | "failed" | "skipped", string>>;
  readonly detail: string;
  readonly citation: (facts: {
    readonly ip: string;
    readonly purity: number;
    readonly band: string;
    readonly confidence: string;
    readonly moment: string;
  }) => string;

  readonly history: string;
  readonly historyFacts: (facts: {
    readonly count: number;
    readonly from: string;
    readonly to: string;
    readonly lowest: number;
    readonly highest: number;
  }) => string;
  readonly historyTable: string;
  readonly date: string;
  readonly band: string;
  readonly scoringVersion: string;
  readonly scoringChanged: (from: number, to: number, date: string) => string;

  readonly slogan: string;
  readonly homeDescription: string;
  readonly homeLead: string;
  readonly field: string;
  readonly fieldHint: string;
  readonly look: string;
  readonly yourAddress: string;
  readonly yourReport: string;
  readonly aboutTitle: string;
  readonly about: readonly (readonly [title: string, text: string])[];
  readonly compareTitle: string;
  readonly compareDescription: string;
  readonly compareField: string;
  readonly compareHint: string;
  readonly compareLook: string;
  readonly shellTitle: string;
  readonly shellLead: string;
  readonly shellMine: string;
  readonly shellReport: string;
  readonly shellData: string;
  readonly shellText: string;
  readonly linksTitle: string;
  readonly methodLink: string;
  readonly docsLink: string;
  readonly modelsLink: string;

  readonly candidate: string;
  readonly nothingCompared: string;
  readonly compareCaption: string;
  readonly notHad: string;
  readonly listedOn: string;
  readonly unheardLists: string;
  readonly topDeductions: string;
  readonly fullReport: string;

  readonly given: string;
  readonly examples: string;
  readonly examplesHint: string;
  /** What a wait is, true when the page was made. */
  readonly waitFor: (seconds: number) => string;
  readonly waitOver: string;
  readonly tryAgain: string;
  readonly openReport: string;
  readonly code: string;
  readonly goHome: string;
}

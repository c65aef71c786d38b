/** Words of the frame around the description of the interface; what it describes is English in both languages. */
export interface DocsTexts {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  /** Before the link to the machine-readable description. */
  readonly source: string;
  readonly contents: string;
  readonly parameters: string;
  readonly name: string;
  readonly place: string;
  /** Where a parameter stands. */
  readonly places: Readonly<Record<string, string>>;
  readonly type: string;
  readonly meaning: string;
  readonly required: string;
  readonly requestBody: string;
  readonly responses: string;
  readonly status: string;
  readonly body: string;
  readonly headers: string;
  readonly example: string;
  readonly call: string;
  readonly documents: string;
  readonly field: string;
  readonly cookies: string;
  /** Before the link to the operation that says the same in Chinese. */
  readonly twin: string;
}

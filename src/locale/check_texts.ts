/** What a human check is asked for, as the page words it. */
export type CheckPurpose = "lookup" | "refresh" | "feedback";

/** Words that scripts put into the page; `{name}` stands for what only the script knows. */
export type ScriptWords = Readonly<Record<string, string>>;

/** The five ratings, best first. */
export const RATINGS = [5, 4, 3, 2, 1] as const;
export type Rating = (typeof RATINGS)[number];

/** Every word of the human check, the live progress and the rating form, in one language. */
export interface CheckTexts {
  readonly title: Readonly<Record<CheckPurpose, (ip: string) => string>>;
  readonly why: Readonly<Record<CheckPurpose, string>>;
  readonly stepsTitle: string;
  readonly steps: Readonly<Record<CheckPurpose, readonly string[]>>;
  readonly ownCheck: string;
  readonly foreignCheck: string;
  readonly needsScript: string;
  readonly needsScriptWay: string;
  readonly needsHttps: string;
  readonly needsHttpsWay: string;
  readonly loading: string;
  readonly forScripts: string;
  /** By reason of a check that did not pass. An open set: a reason not here has no sentence of its own. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly widget: ScriptWords;
  readonly progress: ScriptWords;
  readonly rating: {
    readonly title: string;
    readonly lead: string;
    readonly scenario: string;
    readonly legend: string;
    readonly meanings: Readonly<Record<Rating, string>>;
    readonly send: string;
    readonly needsScript: string;
    readonly script: ScriptWords;
  };
}

import type { Data } from "#report";
import { factText } from "./facts.ts";
import { fillWith } from "./fill.ts";

/** Formats one sentence from the facts behind it. A fact that is missing reads as `?`. */
export type Sentence = (data: Data) => string;

/** Whether the facts call for a clause. */
export type Condition = (data: Data) => boolean;

/** What the placeholders of the sentences of a catalogue stand for. */
export interface SentenceParts {
  /** Texts that other texts include, as `{name}`; they may have placeholders themselves. */
  readonly clauses: Readonly<Record<string, string>>;
  /** When a clause stands. Otherwise it is empty. A clause without a condition always stands. */
  readonly conditions: Readonly<Partial<Record<string, Condition>>>;
  /** Between the items of a list. */
  readonly comma: string;
  /** Reads a fact that is not shown as it is; `undefined` for any other. */
  readonly read: (data: Data, name: string) => string | undefined;
}

/** Returns the function that makes sentences of the texts of a catalogue. */
export function sentenceMaker({ clauses, conditions, comma, read }: SentenceParts) {
  const say = (text: string, data: Data): string =>
    fillWith(text, (name) => {
      const clause = clauses[name];
      if (clause === undefined) return read(data, name) ?? factText(data, name, comma);
      return conditions[name]?.(data) === false ? "" : say(clause, data);
    });
  return (text: string): Sentence =>
    (data) =>
      say(text, data);
}

import { plainWordsOf, toolWordsOf } from "#locale";
import type { Language, Report } from "#report";
import { createSheet } from "./sheet.ts";

/** A source that was not heard, and why. */
export interface UnheardSource {
  readonly name: string;
  readonly state: "failed" | "skipped";
  readonly why: string;
}

/** What goes out with any conclusion, of one report or of several side by side. */
export interface Caveats {
  readonly language: Language;
  readonly unheard: readonly UnheardSource[];
  readonly unknowns: Report["unknowns"];
  /** Lookups of unknown addresses that the client has left today. */
  readonly openLeft: number;
}

/**
 * What must go out with a conclusion, as text of at most 72 columns: which sources were not heard and why, what no
 * address can tell, and what the client has left of its day.
 */
export function renderCaveats({ language, unheard, unknowns, openLeft }: Caveats): string {
  const sheet = createSheet();
  const words = toolWordsOf(language);
  const failed = unheard.filter(({ state }) => state === "failed");
  const skipped = unheard.filter(({ state }) => state === "skipped");
  if (unheard.length === 0) sheet.paragraph(words.allHeard, 0);
  if (failed.length > 0) sheet.paragraph(words.notHeard(listUnheard(failed, language)), 0);
  if (skipped.length > 0) sheet.paragraph(words.notAsked(listUnheard(skipped, language)), 0);
  // Labels have commas of their own.
  const labels = new Set(unknowns.map(({ label }) => label));
  sheet.paragraph(words.passOn([...labels].join(words.semicolon)), 0);
  sheet.paragraph(words.openLeft(openLeft), 0);
  return sheet.read();
}

/** Names sources that were not heard, those of one reason together. */
export function listUnheard(unheard: readonly UnheardSource[], language: Language): string {
  const words = toolWordsOf(language);
  const { comma } = plainWordsOf(language);
  const names = new Map<string, string[]>();
  for (const { name, why } of unheard) names.set(why, [...(names.get(why) ?? []), name]);
  return [...names].map(([why, of]) => words.reasoned(of.join(comma), why)).join(words.semicolon);
}

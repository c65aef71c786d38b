import type { PartialTexts } from "#locale";
import type { Report } from "#report";

/** Kinds of attack with their counts, in the words of the language where it has one. */
export function describeAttacks(abuse: Report["abuse"][number], texts: PartialTexts): readonly string[] {
  return Object.entries(abuse.attacks?.byType ?? {}).map(([type, times]) => {
    const name = Object.hasOwn(texts.attacks, type) ? texts.attacks[type] : type;
    return `${name} ${times}`;
  });
}

import type { PartialTexts } from "#locale";
import { FLAGS, type Report } from "#report";

/** The raised flags by name, each with how many independent sources agree where that is known. */
export function describeFlags(report: Report, texts: PartialTexts): readonly string[] {
  return FLAGS.filter((flag) => report.flags[flag]).map((flag) => {
    const families = report.flagAgreement[flag] ?? 0;
    return families === 0 ? texts.flags[flag] : texts.bracket(texts.flags[flag], texts.agreement(families));
  });
}

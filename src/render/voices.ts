import { capitalize, nameSource, STATED } from "#locale";
import type { Flag, Report } from "#report";
import EXIT_LISTS from "./exit_lists.json" with { type: "json" };
import type { ReportContext } from "./report_context.ts";
import type { Field } from "./report_fields.ts";

type Answer = NonNullable<Report["sources"][number]["answer"]>;

/** What a source states, or a table or name that this site knows itself. */
export interface Voice {
  readonly name: string;
  readonly answer: Answer;
}

/** The flags that are compared, in the order of their columns. */
export const COLUMNS = ["isProxy", "isVpn", "isTor", "isHosting"] as const satisfies readonly Flag[];

/**
 * Lists who states something: the sources, and what else counts for a flag or a use, such as the name of the network. Those
 * that raise a flag of the report come first, then those that state most.
 */
export function listVoices(report: Report): readonly Voice[] {
  const answers = new Map(
    report.sources.flatMap(({ name, answer }) => (answer === undefined ? [] : [[name, answer] as const])),
  );
  const sourced = new Set(answers.keys());
  for (const { id, reporters = [] } of report.risk.factors) {
    const { flag, usage } = STATED[id] ?? {};
    for (const name of flag === undefined && usage === undefined ? [] : reporters) {
      const known = answers.get(name);
      answers.set(name, {
        ...(usage === undefined ? {} : { usageType: usage }),
        ...known,
        ...(flag === undefined ? {} : { flags: { ...known?.flags, [flag]: true } }),
      });
    }
  }
  return [...answers]
    .map(([name, answer]): Voice => ({ name: sourced.has(name) ? name : capitalize(name), answer }))
    .filter(({ answer }) => countFacts(answer) > 0)
    .toSorted(
      (one, other) =>
        Number(isRaising(other, report)) - Number(isRaising(one, report)) ||
        countFacts(other.answer) - countFacts(one.answer),
    );
}

/** Whether a voice says yes to a flag that the report sets. */
export function isRaising({ answer }: Voice, { flags }: Report): boolean {
  return COLUMNS.some((flag) => flags[flag] && answer.flags?.[flag] === true);
}

/** Counts the facts of an answer that have a column of their own. A listing alone is in the row of the blocklists. */
function countFacts(answer: Answer): number {
  const flags = COLUMNS.filter((flag) => answer.flags?.[flag] !== undefined).length;
  return flags + (answer.usageType === undefined ? 0 : 1) + (answer.country === undefined ? 0 : 1);
}

/** Names the voices that say this of a flag. */
export function nameVoices(voices: readonly Voice[], flag: Flag, value: boolean): readonly string[] {
  return voices.flatMap(({ name, answer }) => (answer.flags?.[flag] === value ? [name] : []));
}

/** Counts the downloaded lists of one kind of exit that answered, and those that name the address. */
export function countExitLists(flag: (typeof COLUMNS)[number], { report, language }: ReportContext) {
  const names = flag === "isHosting" ? [] : EXIT_LISTS[flag].map((name) => nameSource(name, language));
  const answered = report.sources.filter(({ name, ok }) => ok && names.includes(name));
  const naming = answered.filter(({ answer }) => answer?.flags?.[flag] === true);
  return { answered: answered.length, naming: naming.length };
}

/** Says in one line for each flag who says yes, who says no, and how many lists of such exits name the address. */
export function describeVoices(context: ReportContext): readonly Field[] {
  const { report, texts, plain, page } = context;
  const voices = listVoices(report);
  return COLUMNS.flatMap((flag) => {
    const lists = countExitLists(flag, context);
    const claims = [true, false].flatMap((value) => {
      const names = nameVoices(voices, flag, value);
      return names.length === 0 ? [] : [plain.field(value ? page.yes : page.no, texts.joinItems(names))];
    });
    if (lists.answered > 0) claims.push(page.say("onExitLists", lists));
    return claims.length === 0 ? [] : [[texts.flags[flag], texts.joinClaims(claims)] as const];
  });
}

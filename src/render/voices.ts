import { capitalize, nameSource, STATED } from "#locale";
import type { Flag, Report } from "#report";
import EXIT_LISTS from "./exit_lists.json" with { type: "json" };
import type { ReportContext } from "./report_context.ts";
import { type Field, isPartlyChecked } from "./report_fields.ts";

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

/** Counts the downloaded lists of one kind of exit that answered and do not name the address. */
export function countExitLists(flag: (typeof COLUMNS)[number], { report, language }: ReportContext): number {
  const names = flag === "isHosting" ? [] : EXIT_LISTS[flag].map((name) => nameSource(name, language));
  const silent = report.sources.filter(
    ({ name, ok, answer }) => ok && answer?.flags?.[flag] !== true && names.includes(name),
  );
  return silent.length;
}

/**
 * What the report concludes of a flag: "no" needs a source that says no, and "open" is that a single source denies a kind of
 * exit while only a part of those that can see it answered.
 */
export function concludeFlag(
  flag: Flag,
  report: Report,
  voices: readonly Voice[],
): "yes" | "no" | "open" | "silent" {
  if (report.flags[flag]) return "yes";
  const deniers = nameVoices(voices, flag, false).length;
  if (deniers === 0) return "silent";
  return flag !== "isHosting" && isPartlyChecked(report) && deniers === 1 ? "open" : "no";
}

/** Says in one line for each flag what the report concludes, who says yes, who says no, and how many lists do not name it. */
export function describeVoices(voices: readonly Voice[], context: ReportContext): readonly Field[] {
  const { report, texts, plain, page } = context;
  return COLUMNS.flatMap((flag) => {
    const lists = countExitLists(flag, context);
    const claims = [true, false].flatMap((value) => {
      const names = nameVoices(voices, flag, value);
      return names.length === 0
        ? []
        : [plain.field(value ? page.sayYes : page.sayNo, texts.joinItems(names))];
    });
    if (lists > 0) claims.push(page.onNoExitList(lists));
    const verdict = concludeFlag(flag, report, voices);
    const word = verdict === "yes" || verdict === "no" ? page[verdict] : page.profile.unknown;
    return claims.length === 0
      ? []
      : [[texts.flags[flag], texts.withDetail(word, texts.joinClaims(claims))] as const];
  });
}

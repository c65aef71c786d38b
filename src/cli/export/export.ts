import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Address, endsOf } from "#address";
import { EXIT, ExitError } from "#app";
import { rememberBy } from "#common";
import { replaceFile, startsOfBlocks } from "#datasets";
import { FEEDS, TABLE_FEEDS } from "#feeds";
import type { TableClassifier, TableFacts } from "#lookup";
import { decide, findContradiction, POLICY_FLAGS, type PolicyWord, wordsOf } from "#report";
import {
  type Command,
  type CommandContext,
  cannotWrite,
  commandTextsOf,
  formatBar,
  readList,
  readNumber,
  readOptions,
  readPolicyWords,
  WORDS,
  wrongUsage,
} from "../command.ts";
import { type OpenTables, openTables } from "../table_classifier.ts";
import { collectDenied, type Denied, type JudgedSegment, toPrefixes } from "./deny_ranges.ts";
import { EXPORT_FORMATS, type ExportFormat, writeExport } from "./formats.ts";

/** What an export denies. */
export interface ExportPolicy {
  readonly deny: readonly PolicyWord[];
  /** Addresses to which one of these words applies are never exported. */
  readonly spare: readonly PolicyWord[];
  /** A denied word counts when at least this many independent sources say it; an authority counts as two. */
  readonly minSources: number;
  /** Numbers of autonomous systems; empty = all. */
  readonly asns: ReadonlySet<number>;
  /** Countries of use, ISO 3166-1 alpha-2; empty = all. */
  readonly countries: ReadonlySet<string>;
}

/** The arguments of `limpid export`. */
export type ExportArguments = Readonly<ReturnType<typeof readExportArguments>>;

const FORMATS = Object.keys(EXPORT_FORMATS) as ExportFormat[];
const SPARED = "crawler,cdn,mobile,satellite,shared";
const MAX_SHARE = 10;
const MAX_SOURCES = 9;

/** Segments that are judged between two lines of the progress. */
const SEGMENTS_PER_STEP = 2000;

/** Prefixes that a firewall can load, and that a set of ipset can have. */
const MAX_PREFIXES = 4_000_000;

/** `limpid export`: writes the prefixes that a policy denies, for a firewall. */
export const exportList: Command = {
  ...commandTextsOf("export", { words: WORDS, spared: SPARED, maxShare: MAX_SHARE }),
  run: (args, context) => runExport(readExportArguments(args), args, context),
};

/**
 * Reads the arguments of `limpid export`.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readExportArguments(args: readonly string[]) {
  const { values } = readOptions(exportList, args);
  const deny = readPolicyWords("export", values, "deny");
  if (deny.length === 0) throw wrongUsage("export", "expected --deny WORDS, such as --deny tor,vpn");
  const never = deny.find((word) => word === "bogon" || word === "crawler");
  if (never !== undefined) throw wrongUsage("export", `"${never}" is never exported`);
  const spare = readPolicyWords("export", new Map([["spare", values.get("spare") ?? SPARED]]), "spare");
  const minSources = readNumber("export", values, { name: "min-sources", least: 1, most: MAX_SOURCES }) ?? 1;
  const uncounted = deny.find((word) => minSources > 1 && !Object.hasOwn(POLICY_FLAGS, word));
  if (uncounted !== undefined)
    throw wrongUsage("export", `--min-sources cannot count the sources of "${uncounted}"`);
  const both = values.has("spare") ? findContradiction({ deny, allow: spare }) : undefined;
  if (both !== undefined) throw wrongUsage("export", `--deny and --spare both have "${both}"`);
  const out = values.get("out");
  return {
    deny,
    spare: spare.filter((word) => !deny.includes(word)),
    minSources,
    asns: new Set(readEach(values, "as", /^(?:AS)?(\d{1,10})$/i).map(Number)),
    countries: new Set(readEach(values, "country", /^([A-Za-z]{2})$/).map((code) => code.toUpperCase())),
    format: FORMATS.find((known) => known === values.get("format")) ?? "cidr",
    /** The largest share of the announced addresses of an IP version that is exported, in percent. */
    maxShare: readNumber("export", values, { name: "max-share", least: 1, most: 100 }) ?? MAX_SHARE,
    ...(out === undefined ? {} : { out }),
  };
}

function readEach(values: ReadonlyMap<string, string>, name: string, pattern: RegExp): readonly string[] {
  return readList(values, name).map((part) => {
    const found = pattern.exec(part)?.[1];
    if (found === undefined) throw wrongUsage("export", `--${name} cannot have "${part}"`);
    return found;
  });
}

/** Whether the facts are denied: by the decision of `/auth` and `limpid grep`, without its exceptions. */
export function isExported(facts: TableFacts, policy: ExportPolicy): boolean {
  const { deny, spare, minSources, asns, countries } = policy;
  if (asns.size > 0 && !asns.has(facts.asn ?? -1)) return false;
  if (countries.size > 0 && !countries.has(facts.country ?? "")) return false;
  // Nobody leaves from public infrastructure, crawlers and special-purpose addresses as a person.
  if (facts.flags.isBogon || facts.scenarios.some(({ level }) => level === "not_applicable")) return false;
  if (wordsOf(facts).some((word) => spare.includes(word))) return false;
  const counted = deny.filter((word) => minSources === 1 || agreementOf(word, facts) >= minSources);
  return decide({ assessment: facts, isProven: true }, { deny: counted, allow: [] }).outcome === "FAIL";
}

function agreementOf(word: PolicyWord, { agreement }: TableFacts): number {
  return word in POLICY_FLAGS ? (agreement[POLICY_FLAGS[word as keyof typeof POLICY_FLAGS]] ?? 0) : 0;
}

/**
 * Creates the function that judges one address. `published` judges without the lists that must not be passed on: what
 * only such a list accuses is not exported. What such a list spares is not exported either, so `all` judges first.
 */
export function createJudge(
  policy: ExportPolicy,
  all: Pick<TableClassifier, "classify">,
  published: Pick<TableClassifier, "classify">,
): (address: Address) => JudgedSegment {
  const isDenied = rememberBy((facts: TableFacts) => isExported(facts, policy));
  return (address) => {
    const facts = all.classify(address);
    return { facts, isDenied: isDenied(facts) && isDenied(published.classify(address)) };
  };
}

/** Opens what an export needs: the judge of an address, and the starts of the segments of which one address is judged. */
export function openExport(policy: ExportPolicy, tables: OpenTables) {
  const survey = tables.openSurvey();
  const leftOut = FEEDS.filter(({ notRedistributable }) => notRedistributable === true).map(({ id }) => id);
  const published = tables.openClassifier(tables.openSurvey(leftOut));
  const corrected = tables.corrections().blocks().map(endsOf);
  return {
    judge: createJudge(policy, tables.openClassifier(survey), published),
    starts: (version: 4 | 6) => [...survey.starts(version), startsOfBlocks(version, corrected)],
  };
}

/**
 * Collects the denied addresses of both IP versions.
 * @throws {ExitError} when an AS has no network, or the addresses are more than the share that may be exported.
 */
export function collectExport(
  given: Pick<ExportArguments, "asns" | "maxShare">,
  { judge, starts }: ReturnType<typeof openExport>,
  onProgress: (share: number) => void = () => {},
): readonly Denied[] {
  const announcing = new Set<number>();
  const parts = ([4, 6] as const).map((version) => [version, starts(version)] as const);
  const all = parts.flatMap(([, some]) => some).reduce((sum, [first]) => sum + (first?.length ?? 0), 0);
  let done = 0;
  const denied = parts.map(([version, some]) =>
    collectDenied(version, some, (address) => {
      done += 1;
      if (done % SEGMENTS_PER_STEP === 0) onProgress(done / all);
      const judged = judge(address);
      if (judged.facts.asn !== undefined) announcing.add(judged.facts.asn);
      return judged;
    }),
  );
  const silent = [...given.asns].find((asn) => !announcing.has(asn));
  if (silent !== undefined)
    throw new ExitError(EXIT.badInput, `Cannot export AS${silent}: no network of the tables has this number`);
  for (const one of denied) requireShare(one, given.maxShare);
  return denied;
}

async function runExport(
  given: ExportArguments,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  if (given.out !== undefined) requireWritable(given.out);
  const tables = openTables(context.readConfig(), context);
  // A list that is made without a table, or without any list of a denied word, would take addresses out of the firewall.
  const missing = tables.datasets.states().find(({ ready }) => !ready);
  if (missing !== undefined) throw new ExitError(EXIT.badData, `Cannot export: ${missing.problem}`);
  const gaps = tables.findGaps(given.deny);
  if (gaps.isUnknown) throw new ExitError(EXIT.notReady, `Cannot export; nothing was written. ${gaps.text}`);
  if (gaps.text !== "") context.warn(gaps.text);
  const denied = collectExport(given, openExport(given, tables), (share) =>
    context.progress?.(`${formatBar(share)} ${Math.floor(share * 100)} %`),
  );
  context.progress?.("");
  const [ipv4 = [], ipv6 = []] = denied.map((one) => [...toPrefixes(one)]);
  if (ipv4.length + ipv6.length > MAX_PREFIXES)
    throw refuse(`it has ${ipv4.length + ipv6.length} prefixes, more than ${MAX_PREFIXES}`);
  const comments = [
    `limpid ${context.version}, ${new Date(context.now()).toISOString().slice(0, 19)}Z: limpid export ${args.join(" ")}`,
    `spared: ${given.spare.join(", ")}; public infrastructure, crawlers and special-purpose addresses`,
    ...(gaps.text === "" ? [] : [gaps.text]),
    ...describeDenied(denied, ipv4.length + ipv6.length),
    ...describeLists(tables),
  ].map((line) => line.replaceAll(/[^\x20-\x7e]/g, "?"));
  const text = writeExport(given.format, { comments, 4: ipv4, 6: ipv6 });
  if (given.out === undefined) await context.write(text);
  else write(given.out, text);
  return EXIT.ok;
}

/** @throws {ExitError} before the work when the file could not be replaced after it. */
function requireWritable(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error("it is not a file");
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function write(path: string, text: string): void {
  try {
    replaceFile(path, Buffer.from(text));
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function requireShare({ version, size, announced }: Denied, maxShare: number): void {
  if (size * 100n <= announced * BigInt(maxShare)) return;
  const share = Math.ceil((Number(size) / Number(announced)) * 100);
  throw refuse(
    `it covers ${share} % of the announced IPv${version} addresses, more than --max-share ${maxShare}`,
  );
}

function refuse(why: string): ExitError {
  return new ExitError(EXIT.unsound, `Cannot export: ${why}; nothing was written`);
}

/** Says how much is covered, and how much of it is collateral. IPv6 is counted in networks of 64 bits. */
function describeDenied(denied: readonly Denied[], prefixes: number): readonly string[] {
  const count = (sizeOf: (one: Denied) => bigint) =>
    denied
      .map((one) =>
        one.version === 4
          ? `${sizeOf(one)} IPv4 addresses`
          : `${(sizeOf(one) + (1n << 64n) - 1n) >> 64n} IPv6 networks of 64 bits`,
      )
      .join(", ");
  return [
    `${prefixes} prefixes: ${count(({ size }) => size)}`,
    `collateral, in access networks: ${count(({ collateral }) => collateral)}`,
  ];
}

/** Says the date, licence and credit of every list that was used, and which lists were left out. */
function describeLists({ datasets }: OpenTables): readonly string[] {
  const ready = [...FEEDS, ...TABLE_FEEDS].filter(({ id }) => datasets.feedState(id).ready);
  const isLeftOut = (feed: (typeof ready)[number]) => "notRedistributable" in feed;
  const named = ready.filter(isLeftOut).map(({ name }) => name);
  return [
    ...datasets.states().map(({ id, date }) => `table ${id} of ${date ?? "an unknown date"}`),
    "IP Geolocation by DB-IP, https://db-ip.com; RouteViews; NRO (CC BY 4.0)",
    ...ready
      .filter((feed) => !isLeftOut(feed))
      .map(({ id, licence, attribution, homepage }) => {
        const credit = attribution === undefined ? homepage : `${attribution}, ${homepage}`;
        return `list ${id} of ${datasets.feedState(id).date ?? "an unknown date"}: ${licence}; ${credit}`;
      }),
    `left out, because their terms do not allow passing them on: ${named.join(", ") || "none in use"}`,
  ];
}

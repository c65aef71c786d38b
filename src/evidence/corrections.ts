import { type Address, isBogon, type Prefix, parseAddress, parsePrefix, prefixFromWords } from "#address";
import { CORRECTION_ID, type Flag, POLICY_FLAGS, USAGE_TYPES, type UsageType } from "#report";
import { mergeNetwork } from "./network.ts";
import type { SourceRun, Survey } from "./observation.ts";
import { listAnswers, sortRuns } from "./runs.ts";

/** The family of the source that the operator's corrections are. */
const CORRECTION_FAMILY = "operator";

const MAX_ROWS = 10_000;
const MAX_REASON = 200;

/** What the operator knows better about a block or an AS, until the end of a day (UTC). */
export interface Correction {
  readonly block: Prefix | number;
  readonly claim: UsageType | { readonly flag: Flag; readonly value: boolean };
  /** YYYY-MM-DD */
  readonly until: string;
  readonly reason: string;
}

/** The corrections that apply now. */
export interface Corrections {
  /** Another text whenever other corrections apply; empty when none applies to any address. */
  version(): string;
  /** The corrections about an address and its AS, the most specific first. */
  find(address: Address, asn: number | undefined): readonly Correction[];
  blocks(): readonly Prefix[];
}

export const NO_CORRECTIONS: Corrections = { version: () => "", find: () => [], blocks: () => [] };

const KINDS = USAGE_TYPES.filter((type) => type !== "unknown");
const FLAG_WORDS = Object.keys(POLICY_FLAGS).filter((word) => word !== "bogon") as Exclude<
  keyof typeof POLICY_FLAGS,
  "bogon"
>[];

/**
 * Reads rows of `prefix or AS, kind or flag=yes/no, until, reason`; the reason may have commas. Empty lines and lines that
 * begin with `#` are comments.
 * @throws {Error} that names the row by its line when one is wrong, doubled, or the 10 001st.
 */
export function parseCorrections(text: string): readonly Correction[] {
  const rows: Correction[] = [];
  const seen = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const refuse = (why: string) => new Error(`row ${index + 1}: ${why}`);
    const [block = "", claim = "", until = "", ...reason] = line.split(",").map((field) => field.trim());
    const row: Correction = {
      block: readBlock(block) ?? raise(refuse("expected a prefix without host bits, or AS and a number")),
      claim:
        readClaim(claim) ??
        raise(
          refuse(`expected one of ${KINDS.join(", ")}, or one of ${FLAG_WORDS.join(", ")} with =yes or =no`),
        ),
      until: isDate(until) ? until : raise(refuse("expected the last day as YYYY-MM-DD")),
      reason: reason.join(", "),
    };
    if (row.reason === "" || row.reason.length > MAX_REASON || /[\p{C}\p{Zl}\p{Zp}]/u.test(row.reason))
      throw refuse(`expected a reason of 1 to ${MAX_REASON} characters`);
    const subject = `${keyOf(row.block)} ${typeof row.claim === "string" ? "kind" : row.claim.flag}`;
    if (seen.has(subject)) throw refuse("an earlier row is about the same");
    if (rows.length >= MAX_ROWS) throw refuse(`more than ${MAX_ROWS} rows`);
    seen.add(subject);
    rows.push(row);
  }
  return rows;
}

function raise(error: Error): never {
  throw error;
}

function readBlock(text: string): Prefix | number | undefined {
  const number = /^AS([1-9]\d{0,9})$/i.exec(text)?.[1];
  if (number === undefined) return parsePrefix(text);
  return Number(number) > 0xffffffff ? undefined : Number(number);
}

function readClaim(text: string): Correction["claim"] | undefined {
  const [word, value] = text.split("=", 2);
  if (value === undefined) return KINDS.find((kind) => kind === word);
  const known = FLAG_WORDS.find((one) => one === word);
  if (known === undefined || (value !== "yes" && value !== "no")) return undefined;
  return { flag: POLICY_FLAGS[known], value: value === "yes" };
}

function isDate(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function keyOf(block: Prefix | number): string {
  return typeof block === "number" ? `AS${block}` : block.text;
}

/** Creates the function that finds the corrections about an address, the most specific first. */
export function indexCorrections(rows: readonly Correction[]): Corrections["find"] {
  const blocks = Map.groupBy(rows, ({ block }) => keyOf(block));
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  for (const { block } of rows) if (typeof block !== "number") lengths[block.address.version].add(block.bits);
  const sorted = { 4: [...lengths[4]].sort((a, b) => b - a), 6: [...lengths[6]].sort((a, b) => b - a) };
  return (address, asn) => {
    // What special-purpose space is for is decided by its registry.
    if (blocks.size === 0 || isBogon(address)) return [];
    const keys = sorted[address.version].map((bits) => prefixFromWords(address.words, bits).text);
    if (asn !== undefined) keys.push(`AS${asn}`);
    return keys.flatMap((key) => blocks.get(key) ?? []);
  };
}

/** Adds the corrections about the address of a survey to it, as the answer of one more source. Pure. */
export function correctSurvey(survey: Survey, corrections: Corrections): Survey {
  const address = parseAddress(survey.address);
  if (address === undefined || corrections.version() === "") return survey;
  const asn = mergeNetwork(listAnswers(sortRuns(survey.runs))).asn?.asn;
  const rows = corrections.find(address, asn);
  return rows.length === 0 ? survey : { ...survey, runs: [...survey.runs, describeRun(rows)] };
}

/** Of several corrections of one fact the most specific counts. A kind of network denies the flags of other kinds. */
function describeRun(rows: readonly Correction[]): SourceRun {
  let usage: UsageType | undefined;
  const stated: Partial<Record<Flag, boolean>> = {};
  for (const { claim } of rows) {
    if (typeof claim === "string") usage ??= claim;
    else stated[claim.flag] ??= claim.value;
  }
  const flags =
    usage === undefined
      ? stated
      : { isHosting: usage === "hosting", isMobile: usage === "mobile", ...stated };
  const authority = (Object.keys(flags) as Flag[]).filter((flag) => flags[flag] === true);
  return {
    id: CORRECTION_ID,
    name: "operator's correction",
    kind: "free",
    family: CORRECTION_FAMILY,
    matters: [],
    weight: 0,
    local: true,
    state: "answered",
    ms: 0,
    detail: [...new Set(rows.map(({ reason }) => reason))].slice(0, 3).join("; "),
    observation: { flags, authority, ...(usage === undefined ? {} : { usage }) },
  };
}

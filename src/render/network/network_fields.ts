import { type NetworkTexts, nameCountry, nameFamily, networkTextsOf, reportTextsOf } from "#locale";
import {
  type AsSummary,
  type Language,
  MARKS,
  type NetworkCell,
  type NetworkSummary,
  type UsageType,
} from "#report";
import type { Field } from "../report_fields.ts";

/** Countries and places named at most. */
const MOST_PLACES = 4;

/** Networks named at most. */
const MOST_NETWORKS = 4;

/** A smaller rest comes from rounding. */
const LEAST_REST = 0.01;

/** Where less than this share of the risk lists was read, their silence says little. */
const ENOUGH_LISTS = 0.5;

/** The sign of each use, so that cells need no colour. */
export const SIGNS: Readonly<Record<UsageType, string>> = {
  residential: ".",
  business: "b",
  hosting: "h",
  mobile: "m",
  education: "e",
  government: "g",
  unknown: "?",
};

/** The sign of a cell with an address that a list accuses. */
export const LISTED_SIGN = "#";

export function signOf({ listed, usageType }: NetworkCell): string {
  return listed > 0 ? LISTED_SIGN : SIGNS[usageType];
}

/** The addresses of an IPv4 prefix, or the /48 networks of an IPv6 one. An address alone is 1. */
export function sizeOf(prefix: string): number {
  const [first = "", bits] = prefix.split("/");
  return bits === undefined ? 1 : 2 ** ((first.includes(":") ? 48 : 32) - Number(bits));
}

/** How much of a cell lists accuse, as the height of its mark: all, half, or a quarter for less than 1 %. */
export function heightOf({ prefix, listed }: NetworkCell): number {
  if (listed === 0) return 0;
  // A list says nothing about how much of an IPv6 network it accuses.
  const share = prefix.includes(":") ? 0.05 : listed / sizeOf(prefix);
  return share >= 0.1 ? 1 : share >= 0.01 ? 0.5 : 0.25;
}

/** Cells that follow each other and look the same. */
export interface Run {
  readonly from: number;
  readonly length: number;
  readonly cell: NetworkCell;
  readonly last: NetworkCell;
}

/** Joins the cells that follow each other and look the same. */
export function listRuns(cells: readonly NetworkCell[]): readonly Run[] {
  const runs: Run[] = [];
  const looks = cells.map((cell) => [cell.usageType, heightOf(cell), ...cell.marks].join(" "));
  for (const [at, cell] of cells.entries()) {
    const run = looks[at] === looks[at - 1] ? runs.pop() : undefined;
    runs.push({ from: at, cell, ...run, length: (run?.length ?? 0) + 1, last: cell });
  }
  return runs;
}

/** Formats a share as whole percent; a rest that is not nothing is never 0 or 100. */
export function formatPercent(share: number): string {
  const percent = Math.round(share * 100);
  if (share > 0 && percent === 0) return "<1%";
  return share < 1 && percent === 100 ? ">99%" : `${percent}%`;
}

/** Formats a number with separators of thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** One sentence: how many addresses are accused, and what most of them are used for; the accusation first. */
export function describeNetwork(summary: NetworkSummary | AsSummary, language: Language): string {
  const texts = networkTextsOf(language);
  const { listed, use } = summary;
  const [most] = use;
  const facts = [
    describeLists(summary, language),
    ...(most === undefined || most.usageType === "unknown" ? [] : [describeUse(most, texts)]),
  ];
  return (listed > 0 ? facts : facts.reverse()).join(texts.separator);
}

function describeLists(summary: NetworkSummary | AsSummary, language: Language): string {
  const texts = networkTextsOf(language);
  const { listed, listsRead: read, listsKnown: known, marks } = summary;
  const found = MARKS.filter((mark) => marks[mark] > 0);
  const named = found.map((mark) =>
    found.length === 1
      ? texts.marks[mark]
      : texts.say("markCount", { mark: texts.marks[mark], count: formatCount(marks[mark]) }),
  );
  return texts.say(chooseListText(summary), {
    listed: formatCount(listed),
    total: formatCount(totalOf(summary)),
    read,
    known,
    marks: reportTextsOf(language).joinItems(named),
  });
}

function chooseListText(summary: NetworkSummary | AsSummary) {
  const { listed, listsRead, listsKnown } = summary;
  if (listsRead === 0) return "unread";
  // The index of all AS counts IPv4 addresses only.
  if ("asn" in summary && summary.addresses === 0) return "uncounted";
  if (listed === 0) return listsRead < listsKnown * ENOUGH_LISTS ? "noneThin" : "none";
  if ("version" in summary && summary.version === 6) return "entries";
  return listed === totalOf(summary) ? "all" : "some";
}

function totalOf(summary: NetworkSummary | AsSummary): number {
  return "asn" in summary ? summary.addresses : sizeOf(summary.prefix);
}

function describeUse(
  { usageType, share }: { readonly usageType: UsageType; readonly share: number },
  texts: NetworkTexts,
): string {
  return texts.say(share < 1 ? "uses" : "usesAll", {
    percent: formatPercent(share),
    use: texts.nouns[usageType],
  });
}

/** Says of cells that all look the same what they are. */
export function describeAlike(summary: NetworkSummary, language: Language): string | undefined {
  const texts = networkTextsOf(language);
  const { cells, isSampled } = summary;
  const [run, ...others] = listRuns(cells);
  if (run === undefined || others.length > 0) return undefined;
  return texts.say(isSampled ? "alikeParts" : "alike", {
    count: cells.length,
    facts: describeFacts(run.cell, language),
  });
}

/** Names the AS of a network and the share of it, then how many more there are and how much nobody announces. */
export function nameNetworks(
  { networks }: NetworkSummary,
  language: Language,
): readonly { readonly asn?: number; readonly text: string }[] {
  const texts = networkTextsOf(language);
  const left = networks.length - MOST_NETWORKS;
  const rest = 1 - networks.reduce((sum, { share }) => sum + share, 0);
  return [
    ...networks.slice(0, MOST_NETWORKS).map(({ asn, name, share }) => ({
      asn,
      text: `AS${asn} ${name}${share < 1 ? ` ${formatPercent(share)}` : ""}`.trim(),
    })),
    ...(left > 0 ? [{ text: texts.say("moreNetworks", { count: left }) }] : []),
    ...(rest >= LEAST_REST
      ? [{ text: networks.length === 0 ? texts.nobody : texts.say("rest", { percent: formatPercent(rest) }) }]
      : []),
  ];
}

/** The facts about a prefix, without the networks around it, the shares and the lists. */
export function listPrefixFields(summary: NetworkSummary, language: Language): readonly Field[] {
  const texts = networkTextsOf(language);
  const { asKinds, joinItems } = reportTextsOf(language);
  const { networks, leased } = summary;
  const kinds = [...new Set(networks.flatMap(({ kind }) => kind ?? []))].slice(0, MOST_NETWORKS);
  const fields: readonly Field[] = [
    [texts.kind, joinItems(kinds.map((kind) => asKinds[kind]))],
    [texts.leased, leased === 0 ? "" : texts.say("leasedShare", { percent: formatPercent(leased) })],
  ];
  return fields.filter(([, value]) => value !== "");
}

/** The facts about an AS, without its prefixes and the shares. */
export function listAsFields(summary: AsSummary, language: Language): readonly Field[] {
  const texts = networkTextsOf(language);
  const { asKinds, joinItems, usages } = reportTextsOf(language);
  const { kind, votes, operator, siblings, addresses, networks48, prefixCount } = summary;
  const agreeing = votes.filter(({ agrees }) => agrees).map(({ family }) => nameFamily(family, language));
  const dissenting = votes
    .filter(({ agrees, family }) => !agrees && !agreeing.includes(nameFamily(family, language)))
    .map((vote) =>
      texts.say("dissent", { family: nameFamily(vote.family, language), kind: asKinds[vote.kind] }),
    );
  const why = joinItems([...new Set([...agreeing, ...dissenting])]);
  const named = kind === undefined ? usages.unknown : asKinds[kind];
  const spaces = [
    ...(addresses === 0 ? [] : [texts.say("ipv4", { count: formatCount(addresses) })]),
    ...(networks48 === 0 ? [] : [texts.say("ipv6", { count: formatCount(networks48) })]),
  ];
  // The prefixes are those of the first kind of space.
  const [first = "", ...others] = spaces;
  const fields: readonly Field[] = [
    [texts.kind, why === "" ? named : texts.say("kindWhy", { kind: named, why })],
    [texts.operator, operator ?? ""],
    [texts.siblings, joinItems(siblings.map((asn) => `AS${asn}`))],
    [
      texts.space,
      joinItems([texts.say("inPrefixes", { space: first, count: formatCount(prefixCount) }), ...others]),
    ],
    [texts.compared, listRanks(summary, language)],
  ];
  return fields.filter(([, value]) => value !== "");
}

/** What parts of a network have in common, with the share of each, the largest first. */
export interface Portions {
  readonly label: string;
  readonly parts: readonly { readonly name: string; readonly share: number; readonly use?: UsageType }[];
  /** How far the parts can be trusted. */
  readonly note?: string;
}

/** The use of a network, and the countries that registries, location tables and the operator name. */
export function listPortions(
  { use, registered, located, declared }: NetworkSummary | AsSummary,
  language: Language,
): readonly Portions[] {
  const texts = networkTextsOf(language);
  const { usages } = reportTextsOf(language);
  const places = (items: (typeof declared)[number][]) => {
    const named = items.slice(0, MOST_PLACES).map(({ country, region, city, share }) => ({
      name: [nameCountry(country, language), region, city].filter(Boolean).join(" "),
      share,
    }));
    const rest = 1 - named.reduce((sum, { share }) => sum + share, 0);
    return named.length === 0 || rest < LEAST_REST ? named : [...named, { name: texts.others, share: rest }];
  };
  const portions: readonly Portions[] = [
    {
      label: texts.use,
      parts: use.map(({ usageType, share }) => ({ name: usages[usageType], share, use: usageType })),
    },
    { label: texts.registered, parts: places(registered) },
    { label: texts.located, parts: places(located) },
    { label: texts.declared, parts: places(declared), note: texts.declaredNote },
  ];
  return portions.filter(({ parts }) => parts.length > 0);
}

/** Writes portions as a fact. */
export function joinPortions({ label, parts, note }: Portions, language: Language): Field {
  const names = parts.map(({ name, share }) => `${name}${share < 1 ? ` ${formatPercent(share)}` : ""}`);
  const value = reportTextsOf(language).joinItems(names);
  return [label, note === undefined ? value : networkTextsOf(language).say("noted", { value, note })];
}

/** The rank of an AS for each accusation; "" without one. */
function listRanks({ marks, peers }: AsSummary, language: Language): string {
  const texts = networkTextsOf(language);
  const ranks = MARKS.flatMap((mark) => {
    const below = peers?.below[mark];
    if (marks[mark] === 0 || peers === undefined || below === undefined) return [];
    const facts = { mark: texts.marks[mark], percent: formatPercent(below), peers: peers.count };
    return [texts.say("rank", facts)];
  });
  return reportTextsOf(language).joinItems(ranks);
}

/** The sentence about a place that the operator declares and nobody else names. */
export function describeDispute(
  { isDisputed, declared, registered, located }: NetworkSummary | AsSummary,
  language: Language,
): string | undefined {
  const name = (items: readonly { readonly country: string }[]) =>
    items[0] === undefined ? "?" : nameCountry(items[0].country, language);
  if (!isDisputed) return undefined;
  return networkTextsOf(language).say("disputed", {
    declared: name(declared),
    registered: name(registered),
    located: name(located),
  });
}

/** What a cell and those up to the last one say, for those who see no colour: use and what lists accuse it of. */
export function describeCell(cell: NetworkCell, language: Language, last = cell): string {
  const prefix = last === cell ? cell.prefix : `${cell.prefix} – ${last.prefix}`;
  return networkTextsOf(language).say("cell", { prefix, facts: describeFacts(cell, language) });
}

function describeFacts({ usageType, marks }: NetworkCell, language: Language): string {
  const texts = networkTextsOf(language);
  const { usages, joinItems } = reportTextsOf(language);
  return joinItems([
    usages[usageType],
    ...marks.map((mark) => texts.say("onList", { mark: texts.marks[mark] })),
  ]);
}

/** What a summary is made from, and what was not read. */
export function describeSources(summary: NetworkSummary | AsSummary, language: Language): readonly string[] {
  const texts = networkTextsOf(language);
  const { isSampled, asked, date, listsRead: read, listsKnown: known, listsDate } = summary;
  const dated = listsDate === undefined ? "" : texts.say("oldest", { date: listsDate });
  const name = read === 0 ? "readNone" : read < known ? "readSome" : "readAll";
  return [
    texts.say(name, { read, known, missing: known - read, dated }),
    ...("lists" in summary && summary.lists.length === 0 ? [texts.noLists] : []),
    ...(isSampled ? [texts.say("sampled", { asked })] : []),
    ...(date === undefined ? [] : [texts.say("dated", { date })]),
    texts.sources,
  ];
}

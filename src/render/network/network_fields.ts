import { formatCount, nameCountry, nameFamily, networkTextsOf, reportTextsOf } from "#locale";
import {
  type AsSummary,
  type Language,
  MARKS,
  type Mark,
  type NetworkCell,
  type NetworkSummary,
  type UsageType,
} from "#report";
import { asPathOf, networkPathOf } from "../paths.ts";
import USE_SIGNS from "./use_signs.json" with { type: "json" };

/** Networks, operator types, countries and places named at most. */
const MOST_PARTS = 4;

/** A smaller rest comes from rounding. */
const LEAST_REST = 0.01;

/** Where less than this share of the risk lists was read, their silence says little. */
const ENOUGH_LISTS = 0.5;

/** The sign of each use, so that cells need no colour. */
export const SIGNS: Readonly<Record<UsageType, string>> = USE_SIGNS;

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

/** Formats a share as whole percent, below 1 % in tenths; a rest that is not nothing is never 0 or 100. */
export function formatPercent(share: number): string {
  const percent = share < 0.01 ? Math.round(share * 1000) / 10 : Math.round(share * 100);
  if (share > 0 && percent === 0) return "<0.1%";
  return share < 1 && percent === 100 ? ">99%" : `${percent}%`;
}

/** The title of a summary. */
export function nameSummary(summary: NetworkSummary | AsSummary, language: Language): string {
  const texts = networkTextsOf(language);
  return "asn" in summary
    ? texts.say("asTitle", { asn: summary.asn, name: summary.name })
    : texts.say("prefixTitle", { prefix: summary.prefix });
}

/**
 * Two sentences: how many addresses are accused, and what most of them are used for. An accusation comes first, and so does
 * that there is not enough data.
 */
export function describeNetwork(summary: NetworkSummary | AsSummary, language: Language): string {
  const texts = networkTextsOf(language);
  const { use, isSampled, asked } = summary;
  const [most] = use;
  const facts = [
    describeLists(summary, language),
    ...(most === undefined || most.usageType === "unknown"
      ? []
      : [
          texts.say(`${most.share < 1 ? "uses" : "usesAll"}${isSampled ? "Sampled" : ""}`, {
            asked,
            percent: formatPercent(most.share),
            use: texts.nouns[most.usageType],
          }),
        ]),
  ];
  const ordered = chooseListText(summary) === "none" ? facts.reverse() : facts;
  return ordered.reduce((first, second) => texts.say("both", { first, second }));
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
    whole: "asn" in summary ? "AS" : summary.prefix.slice(summary.prefix.indexOf("/")),
    read,
    known,
    percent: formatPercent(listed / totalOf(summary)),
    marks: reportTextsOf(language).joinItems(named),
  });
}

function chooseListText(summary: NetworkSummary | AsSummary) {
  const { listed, listsRead, listsKnown } = summary;
  if (listsRead === 0) return "unread";
  // The index of all AS counts IPv4 addresses only.
  if ("asn" in summary && summary.addresses === 0) return "uncounted";
  const isIpv6 = "version" in summary && summary.version === 6;
  const found = listed === 0 ? "none" : isIpv6 ? "entries" : listed === totalOf(summary) ? "all" : "some";
  return listsRead < listsKnown * ENOUGH_LISTS ? (`${found}Thin` as const) : found;
}

function totalOf(summary: NetworkSummary | AsSummary): number {
  return "asn" in summary ? summary.addresses : sizeOf(summary.prefix);
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

/** A value of a fact, or a part of a network with its share. */
export interface Part {
  readonly text: string;
  readonly path?: string;
  readonly share?: number;
  readonly use?: UsageType;
}

/** A fact about a network, the parts with the largest share first, and how far they can be trusted. */
export type Fact = readonly [label: string, parts: readonly Part[], note?: string];

/** The facts about a prefix or an AS, without those that have no value. */
export function listFacts(summary: NetworkSummary | AsSummary, language: Language): readonly Fact[] {
  const texts = networkTextsOf(language);
  const { usages } = reportTextsOf(language);
  const { use, registered, located, declared, isSampled, asked } = summary;
  const sampled = isSampled ? texts.say("ofSampled", { asked }) : "";
  const places = (items: (typeof declared)[number][]) =>
    limit(
      items.map(({ country, region, city, share }) => ({
        text: [nameCountry(country, language), region, city].filter(Boolean).join(" "),
        share,
      })),
      texts.others,
    );
  const facts: readonly Fact[] = [
    ...("asn" in summary ? listAsFacts(summary, language) : listPrefixFacts(summary, language, sampled)),
    [
      texts.use,
      use.map(({ usageType, share }) => ({ text: usages[usageType], share, use: usageType })),
      sampled,
    ],
    [texts.registered, places(registered), sampled],
    [texts.located, places(located), sampled],
    [texts.declared, places(declared), `${sampled}${texts.declaredNote}`],
  ];
  return facts.filter(([, parts]) => parts.length > 0);
}

/** The first parts, and the rest as one. */
function limit(parts: readonly Part[], others: string): readonly Part[] {
  const named = parts.slice(0, MOST_PARTS);
  const rest = 1 - named.reduce((sum, { share = 0 }) => sum + share, 0);
  return named.length === 0 || rest < LEAST_REST
    ? named
    : [...named, { text: others, share: rest, use: "unknown" }];
}

function listPrefixFacts(
  { networks, leased, above, beside }: NetworkSummary,
  language: Language,
  sampled: string,
): readonly Fact[] {
  const texts = networkTextsOf(language);
  const { asKinds } = reportTextsOf(language);
  const kinds = [...new Set(networks.flatMap(({ kind }) => kind ?? []))].slice(0, MOST_PARTS);
  const link = (prefix: string) => ({ text: prefix, path: networkPathOf(prefix, language) });
  const announced = networks.map(({ asn, name, share }) => ({
    text: `AS${asn} ${name}`.trim(),
    path: asPathOf(asn, language),
    share,
  }));
  const rented = texts.say("leasedShare", { percent: formatPercent(leased) });
  return [
    [
      texts.announcedBy,
      networks.length === 0 ? [{ text: texts.nobody }] : limit(announced, texts.otherNetworks),
      sampled,
    ],
    [texts.kind, kinds.map((kind) => ({ text: asKinds[kind] }))],
    [texts.above, above.map(link)],
    [texts.beside, beside.map(link)],
    [texts.leased, leased === 0 ? [] : [{ text: rented }]],
  ];
}

function listAsFacts(summary: AsSummary, language: Language): readonly Fact[] {
  const texts = networkTextsOf(language);
  const { asKinds, joinItems, usages } = reportTextsOf(language);
  const { kind, votes, operator, siblings, addresses, networks48, prefixCount, marks, peers } = summary;
  const agreeing = votes.filter(({ agrees }) => agrees).map(({ family }) => nameFamily(family, language));
  const dissenting = votes
    .filter(({ agrees, family }) => !agrees && !agreeing.includes(nameFamily(family, language)))
    .map((vote) =>
      texts.say("dissent", { family: nameFamily(vote.family, language), kind: asKinds[vote.kind] }),
    );
  const why = joinItems([...new Set([...agreeing, ...dissenting])]);
  const named = kind === undefined ? usages.unknown : asKinds[kind];
  // The prefixes are those of the first kind of space.
  const [space = "", ...others] = [
    ...(addresses === 0 ? [] : [texts.say("ipv4", { count: formatCount(addresses) })]),
    ...(networks48 === 0 ? [] : [texts.say("ipv6", { count: formatCount(networks48) })]),
  ];
  const spaces = [texts.say("inPrefixes", { space, count: formatCount(prefixCount) }), ...others];
  const ranks = MARKS.flatMap((mark) => {
    const below = peers?.below[mark];
    if (marks[mark] === 0 || peers === undefined || below === undefined) return [];
    const facts = { mark: texts.marks[mark], percent: formatPercent(below), peers: peers.count };
    return [{ text: texts.say("rank", facts) }];
  });
  return [
    [texts.kind, [{ text: why === "" ? named : texts.say("kindWhy", { kind: named, why }) }]],
    [texts.operator, operator === undefined ? [] : [{ text: operator }]],
    [texts.space, spaces.map((text) => ({ text }))],
    [texts.siblings, siblings.map((asn) => ({ text: `AS${asn}`, path: asPathOf(asn, language) }))],
    [texts.compared, ranks],
  ];
}

/** Writes a part of a fact with its share. */
export function writePart({ text, share = 1 }: Part): string {
  return share < 1 ? `${text} ${formatPercent(share)}` : text;
}

/** The sentence about a place that the operator declares and nobody else names. */
export function describeDispute(
  { isDisputed, declared, registered, located }: NetworkSummary | AsSummary,
  language: Language,
): string | undefined {
  const name = ([item]: readonly { readonly country: string }[]) =>
    item === undefined ? "?" : nameCountry(item.country, language);
  if (!isDisputed) return undefined;
  const places = { declared: name(declared), registered: name(registered), located: name(located) };
  return networkTextsOf(language).say("disputed", places);
}

/** Names what lists accuse addresses of. */
export function nameMarks(marks: readonly Mark[], language: Language): string {
  const texts = networkTextsOf(language);
  return reportTextsOf(language).joinItems(marks.map((mark) => texts.marks[mark]));
}

/** What a cell and those up to the last one say, for those who see no colour: use and what lists accuse it of. */
export function describeCell(cell: NetworkCell, language: Language, last = cell): string {
  const prefix = last === cell ? cell.prefix : `${cell.prefix} – ${last.prefix}`;
  return networkTextsOf(language).say("cell", { prefix, facts: describeFacts(cell, language) });
}

function describeFacts({ usageType, marks }: NetworkCell, language: Language): string {
  const { usages, joinItems } = reportTextsOf(language);
  const listed = networkTextsOf(language).say("onList", { marks: nameMarks(marks, language) });
  return joinItems(marks.length === 0 ? [usages[usageType]] : [usages[usageType], listed]);
}

/** What a summary is made from, and what was not read. */
export function describeSources(summary: NetworkSummary | AsSummary, language: Language): readonly string[] {
  const texts = networkTextsOf(language);
  const { isSampled, asked, date, listsRead: read, listsKnown: known, listsDate } = summary;
  const dated = listsDate === undefined ? "" : texts.say("oldest", { date: listsDate });
  const name = read === 0 ? "readNone" : read < known ? "readSome" : "readAll";
  return [
    texts.say(name, { read, known, missing: known - read, dated }),
    ...(read > 0 && "lists" in summary && summary.lists.length === 0 ? [texts.noLists] : []),
    ...(isSampled ? [texts.say("sampled", { asked })] : []),
    ...(date === undefined ? [] : [texts.say("dated", { date })]),
    texts.sources,
  ];
}

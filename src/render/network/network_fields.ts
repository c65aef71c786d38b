import { DAY_MS } from "#common";
import {
  formatCount,
  nameCountry,
  nameCountryInSentence,
  nameFamily,
  nameSource,
  networkTextsOf,
  reportPageTextsOf,
  reportTextsOf,
} from "#locale";
import {
  type AsKind,
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

/** What the tables and lists say about a prefix or an AS. */
export type Summary = NetworkSummary | AsSummary;

/** Networks, operator types, countries, places and lists named at most. */
const MOST_PARTS = 4;

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

/** How much of a network or cell lists accuse, as the height of its mark: all, half, or a quarter for less than 1 %. */
export function heightOf(part: Summary | NetworkCell): number {
  if (part.listed === 0) return 0;
  const size = "asn" in part ? part.addresses : sizeOf(part.prefix);
  // A list says nothing about how much of an IPv6 network it accuses.
  const share = "prefix" in part && part.prefix.includes(":") ? 0.05 : part.listed / size;
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

/** Formats a share as whole percent, below 10 % in tenths; a rest that is not nothing is never 0 or 100. */
export function formatPercent(share: number): string {
  const percent = share < 0.1 ? Math.round(share * 1000) / 10 : Math.round(share * 100);
  if (share > 0 && percent === 0) return "<0.1%";
  return share < 1 && percent === 100 ? ">99%" : `${percent}%`;
}

/** The title of a summary. */
export function nameSummary(summary: Summary, language: Language): string {
  const texts = networkTextsOf(language);
  return "asn" in summary
    ? texts.say("asTitle", { asn: summary.asn, name: summary.name })
    : texts.say("prefixTitle", { prefix: summary.prefix });
}

/**
 * Two sentences: how many addresses are accused, and what most of them are used for. An accusation comes first, and so does
 * that too few lists were read to find none. Before both, that the operator runs Tor relays.
 */
export function describeNetwork(summary: Summary, language: Language): string {
  const texts = networkTextsOf(language);
  const { use, isSampled, asked } = summary;
  const [most] = use;
  const many = asked === 1 ? "usesOne" : most?.share === 1 ? "usesAll" : "uses";
  const facts = [
    describeListed(summary, language),
    ...(most === undefined || most.usageType === "unknown"
      ? []
      : [
          texts.say(isSampled ? `${many}Sampled` : many, {
            asked,
            count: countOf(most.share, summary),
            use: texts.nouns[most.usageType],
          }),
        ]),
  ];
  const ordered = chooseListText(summary) === "none" ? facts.reverse() : facts;
  const told = isOfKind(summary, "tor") ? [texts.torOperator, ...ordered] : ordered;
  return told.reduce((first, second) => texts.say("both", { first, second }));
}

/** Says how many addresses are on risk lists, and how many lists were read. */
export function describeListed(summary: Summary, language: Language): string {
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

function chooseListText(summary: Summary) {
  const { listed, listsRead, listsKnown } = summary;
  if (listsRead === 0) return "unread";
  // The index of all AS counts IPv4 addresses only.
  if ("asn" in summary && summary.addresses === 0) return "uncounted";
  const isIpv6 = "version" in summary && summary.version === 6;
  const found = listed === 0 ? "none" : isIpv6 ? "entries" : listed === totalOf(summary) ? "all" : "some";
  return listsRead < listsKnown * ENOUGH_LISTS ? (`${found}Thin` as const) : found;
}

/** Whether all networks of a summary are of one kind. */
function isOfKind(summary: Summary, kind: AsKind): boolean {
  const networks = "asn" in summary ? [summary] : summary.networks;
  return networks.length > 0 && networks.every((network) => network.kind === kind);
}

function totalOf(summary: Summary): number {
  return "asn" in summary ? summary.addresses : sizeOf(summary.prefix);
}

/** The judged addresses that make a share. A share has three digits, which is exact for so few addresses. */
function countOf(share: number, { asked }: Summary): number {
  return Math.round(share * asked);
}

/** Whether the cells look the same, so that the first sentences say all that they show. */
export function isAlike({ cells, listed, isSampled }: NetworkSummary): boolean {
  return listRuns(cells).length === 1 && (listed === 0 || !isSampled);
}

/** A value of a fact, or a part of a network with the number of judged addresses in it. */
export interface Part {
  readonly text: string;
  readonly path?: string;
  readonly count?: number;
  readonly use?: UsageType;
}

/** A fact about a network, the parts with most addresses first, and how far they can be trusted. */
export type Fact = readonly [label: string, parts: readonly Part[], note?: string];

/** The facts about a prefix or an AS, without those that have no value. */
export function listFacts(summary: Summary, language: Language): readonly Fact[] {
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const { use, registered, located, declared, isSampled, asked } = summary;
  const count = (share: number) => countOf(share, summary);
  const countPlaces = (items: (typeof declared)[number][], missing: string) => {
    const places = items.map(({ country, region, city, share }) => {
      const text = [nameCountry(country, language), region, city].filter(Boolean).join(" ");
      return { text, count: count(share) };
    });
    return limit(places, missing, "Places", summary, language);
  };
  const link = (prefix: string) => ({ text: prefix, path: networkPathOf(prefix, language) });
  const siblings = "asn" in summary ? summary.siblings : [];
  // The block of the table is named as such.
  const above = "asn" in summary ? [] : summary.above.filter((one) => one !== summary.block);
  const facts: readonly Fact[] = [
    ...("asn" in summary ? listAsFacts(summary, language) : listPrefixFacts(summary, language)),
    [
      texts.use,
      use.map(({ usageType, share }) => ({ text: usages[usageType], count: count(share), use: usageType })),
    ],
    [texts.registered, countPlaces(registered, usages.unknown)],
    [texts.located, countPlaces(located, usages.unknown), isOfKind(summary, "cdn") ? texts.locatedNote : ""],
    [texts.declared, countPlaces(declared, texts.undeclared), texts.declaredNote],
    [texts.siblings, siblings.map((asn) => ({ text: `AS${asn}`, path: asPathOf(asn, language) }))],
    [texts.above, above.map(link), texts.aboveNote],
    [texts.beside, "asn" in summary ? [] : summary.beside.map(link)],
  ];
  return facts.flatMap(([label, parts, note = ""]) => {
    // The size of a sample is said once, above the facts.
    const isCounted = parts[0]?.count !== undefined && !isSampled && parts.length > 1;
    return parts.length === 0
      ? []
      : [[label, parts, (isCounted ? texts.say("ofAll", { asked }) : "") + note] as const];
  });
}

/** The parts with most addresses, all others as one, and the addresses without a part. */
function limit(
  parts: readonly Part[],
  missing: string,
  what: "As" | "Places" | "Kinds",
  { isSampled, asked }: Summary,
  language: Language,
): readonly Part[] {
  const total = (some: readonly Part[]) => some.reduce((sum, { count = 0 }) => sum + count, 0);
  // That a part has one address of a sample is chance.
  const often = parts.slice(0, MOST_PARTS).filter(({ count = 0 }) => !isSampled || count > 1);
  const named = parts.length - often.length > 1 ? often : parts;
  const others = parts.slice(named.length);
  const name = `${named.length === 0 ? "all" : "other"}${what}` as const;
  const text = networkTextsOf(language).say(name, { count: others.length });
  const rest: readonly Part[] = [
    { text, count: total(others), use: "unknown" },
    { text: missing, count: parts.length === 0 ? 0 : asked - total(parts), use: "unknown" },
  ];
  return [...named, ...rest.filter(({ count }) => count !== 0)];
}

function listPrefixFacts(summary: NetworkSummary, language: Language): readonly Fact[] {
  const texts = networkTextsOf(language);
  const { asKinds, usages } = reportTextsOf(language);
  const { networks, leased, asked, block, prefix } = summary;
  const named = { text: `${block}`, ...(block !== prefix && { path: networkPathOf(`${block}`, language) }) };
  const kinds = new Map<string, number>();
  const announced = networks.map(({ asn, name, kind, share }) => {
    const count = countOf(share, summary);
    if (kind !== undefined) kinds.set(asKinds[kind], (kinds.get(asKinds[kind]) ?? 0) + count);
    return { text: `AS${asn} ${name}`.trim(), path: asPathOf(asn, language), count };
  });
  const sorted = [...kinds].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
  const operators = limit(announced, texts.unannounced, "As", summary, language);
  const rented = texts.say("leasedShare", { count: countOf(leased, summary), asked });
  return [
    [texts.announcedBy, networks.length === 0 ? [{ text: texts.nobody, count: asked }] : operators],
    [texts.block, block === undefined ? [] : [named], texts.blockNote],
    [texts.kind, limit(sorted, usages.unknown, "Kinds", summary, language)],
    [texts.leased, leased === 0 ? [] : [{ text: rented }]],
  ];
}

function listAsFacts(summary: AsSummary, language: Language): readonly Fact[] {
  const texts = networkTextsOf(language);
  const { asKinds, joinItems, usages } = reportTextsOf(language);
  const { kind, votes, operator, addresses, networks48, prefixCount, marks, peers } = summary;
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
    const count = Math.round(below * peers.count);
    const name = count === peers.count ? "rankFirst" : count === 0 ? "rankLast" : "rank";
    const percent = formatPercent(marks[mark] / addresses);
    return [{ text: texts.say(name, { mark: texts.marks[mark], percent, count, peers: peers.count }) }];
  });
  return [
    [texts.operator, operator === undefined ? [] : [{ text: operator }]],
    [texts.kind, [{ text: why === "" ? named : texts.say("kindWhy", { kind: named, why }) }]],
    [texts.space, spaces.map((text) => ({ text }))],
    [texts.compared, ranks, texts.comparedNote],
  ];
}

/** Whether a fact has several parts, which are counted. */
export function isMixed([, parts]: Fact): boolean {
  return parts.length > 1 && parts[0]?.count !== undefined;
}

/** The largest prefixes of an AS, the most listed first, with what they have in common and whether all have one use. */
export function describePrefixes(summary: AsSummary, language: Language) {
  const { prefixCount, listsRead, listed, addresses, use } = summary;
  const prefixes = summary.prefixes.toSorted((a, b) => b.listed - a.listed);
  const texts = networkTextsOf(language);
  const [first] = prefixes;
  const isOneUse = prefixes.every(({ usageType }) => usageType === first?.usageType);
  const isClean = prefixes.every(({ listed }) => listed === 0);
  const counts = { shown: prefixes.length, count: formatCount(prefixCount) };
  const sentences = [
    texts.say(prefixes.length < prefixCount ? "prefixesShown" : "prefixesAll", counts),
    // What the first lines of the page say of the whole AS is not repeated.
    isOneUse && first !== undefined && use[0]?.share !== 1
      ? texts.say("prefixesUse", { use: texts.nouns[first.usageType] })
      : "",
    isClean && listsRead > 0 && (listed > 0 || addresses === 0) ? texts.say("prefixesClean", counts) : "",
  ];
  const version = addresses > 0 ? 4 : 6;
  const title = texts.say(isClean ? "prefixes" : "prefixesOrdered", { version });
  return { title, prefixes, sentence: sentences.join(""), isOneUse, isClean };
}

/** Says how much of a prefix lists accuse: the share of its addresses, or the entries within an IPv6 prefix. */
export function describeAccused(prefix: string, listed: number, language: Language): string {
  const texts = networkTextsOf(language);
  const [count, share] = [formatCount(listed), listed / sizeOf(prefix)];
  if (prefix.includes(":")) return texts.say("prefixEntries", { count });
  return share >= 1
    ? texts.prefixListedAll
    : texts.say("prefixListed", { count, percent: formatPercent(share) });
}

/** Says how many addresses a prefix has. */
export function describeSize(prefix: string, language: Language): string {
  const count = formatCount(sizeOf(prefix));
  return networkTextsOf(language).say(prefix.includes(":") ? "size6" : "size4", { count });
}

/** The sentence about a place that the operator declares and nobody else names. */
export function describeDispute(
  { isDisputed, declared, registered, located }: Summary,
  language: Language,
): string | undefined {
  const name = ([item]: readonly { readonly country: string }[]) =>
    item === undefined ? "?" : nameCountryInSentence(item.country, language);
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
  const { nouns, say } = networkTextsOf(language);
  const prefix = last === cell ? cell.prefix : `${cell.prefix} – ${last.prefix}`;
  const listed = cell.marks.length === 0 ? [] : [say("onList", { marks: nameMarks(cell.marks, language) })];
  return say("cell", {
    prefix,
    facts: reportTextsOf(language).joinItems([nouns[cell.usageType], ...listed]),
  });
}

/** Says how many addresses stand for all of a summary; undefined if every one is judged. */
export function describeSample(summary: Summary, language: Language): string | undefined {
  const { isSampled, asked } = summary;
  // An AS with both kinds of space is sampled in IPv4.
  const version = "asn" in summary && summary.addresses === 0 ? 6 : 4;
  const name = "asn" in summary ? "sampled" : "sampledAll";
  return isSampled && asked > 1 ? networkTextsOf(language).say(name, { asked, version }) : undefined;
}

/** What a summary is made from, how old that is, and what was not read. */
export function describeSources(summary: Summary, language: Language, now: number): readonly string[] {
  const texts = networkTextsOf(language);
  const { tables, listsRead: read, listsReadNames, listsKnown: known, listsDate } = summary;
  const daysSince = (day: string) => Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS));
  const dated =
    listsDate === undefined ? "" : texts.say("oldest", { date: listsDate, days: daysSince(listsDate) });
  const name = read === 0 ? "readNone" : read < known ? "readSome" : "readAll";
  const named = reportTextsOf(language).joinItems(listsReadNames.map((one) => nameSource(one, language)));
  const dates = tables.map(({ id, date }) =>
    texts.say("tableDated", { name: texts.tables[id], date, days: daysSince(date) }),
  );
  const names = read > MOST_PARTS ? "" : texts.say("readNames", { names: named });
  return [
    texts.say(name, { read, names, known, missing: known - read, dated }),
    ...(tables.length === 0 ? [] : [texts.say("dated", { tables: dates.join(texts.links) }), texts.derived]),
    texts.sources,
  ];
}

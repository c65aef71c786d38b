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

/** The uses that a summary's cells have, in the order of their shares. */
export function listUses({ cells, use }: NetworkSummary): readonly UsageType[] {
  return use.map(({ usageType }) => usageType).filter((one) => cells.some((cell) => cell.usageType === one));
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

/** One sentence: how many addresses are accused, and what most of them are used for. */
export function describeNetwork(summary: NetworkSummary, language: Language): string {
  const texts = networkTextsOf(language);
  const { isSampled, version, listed, listsRead, cells, use } = summary;
  const total = cells.length;
  const isEach = !isSampled && version === 4;
  const none = isEach ? "none" : "noneCounted";
  const some = isEach ? "some" : version === 4 ? "counted" : "entries";
  const name = listsRead === 0 ? "unread" : listed === 0 ? none : some;
  const [most] = use;
  return texts.say("about", {
    facts: [
      texts.say(name, { listed: formatCount(listed), total, read: listsRead }),
      ...(most === undefined || most.usageType === "unknown" ? [] : [describeUse(most, texts)]),
    ].join(texts.separator),
  });
}

function describeUse(
  { usageType, share }: { readonly usageType: UsageType; readonly share: number },
  texts: NetworkTexts,
): string {
  return texts.say("uses", { percent: formatPercent(share), use: texts.nouns[usageType] });
}

/** Names the AS of a network and the share of it. */
export function nameNetworks({ networks }: NetworkSummary): readonly {
  readonly asn: number;
  readonly text: string;
}[] {
  return networks.slice(0, MOST_NETWORKS).map(({ asn, name, share }) => ({
    asn,
    text: `AS${asn} ${name}${share < 1 ? ` ${formatPercent(share)}` : ""}`.trim(),
  }));
}

/** The facts about a prefix, without the networks around it and the lists. */
export function listPrefixFields(summary: NetworkSummary, language: Language): readonly Field[] {
  const texts = networkTextsOf(language);
  const { asKinds, joinItems } = reportTextsOf(language);
  const { networks, leased } = summary;
  const kinds = [...new Set(networks.flatMap(({ kind }) => kind ?? []))].slice(0, MOST_NETWORKS);
  return [
    ...(kinds.length === 0
      ? []
      : [[texts.kind, joinItems(kinds.map((kind) => asKinds[kind]))] satisfies Field]),
    ...listSharedFields(summary, language),
    ...(leased === 0
      ? []
      : [[texts.leased, texts.say("leasedShare", { percent: formatPercent(leased) })] satisfies Field]),
  ];
}

/** The facts about an AS, without its prefixes. */
export function listAsFields(summary: AsSummary, language: Language): readonly Field[] {
  const texts = networkTextsOf(language);
  const { asKinds, joinItems } = reportTextsOf(language);
  const { kind, votes, operator, siblings, addresses, networks48, prefixCount } = summary;
  const agreeing = votes.filter(({ agrees }) => agrees).map(({ family }) => nameFamily(family, language));
  const dissenting = votes
    .filter(({ agrees, family }) => !agrees && !agreeing.includes(nameFamily(family, language)))
    .map((vote) =>
      texts.say("dissent", { family: nameFamily(vote.family, language), kind: asKinds[vote.kind] }),
    );
  const space = [
    ...(addresses === 0 ? [] : [texts.say("ipv4", { count: formatCount(addresses) })]),
    ...(networks48 === 0 ? [] : [texts.say("ipv6", { count: formatCount(networks48) })]),
    texts.say("inPrefixes", { count: formatCount(prefixCount) }),
  ];
  const fields: readonly Field[] = [
    [texts.kind, kind === undefined ? reportTextsOf(language).usages.unknown : asKinds[kind]],
    [texts.why, joinItems([...new Set([...agreeing, ...dissenting])])],
    [texts.operator, operator ?? ""],
    [texts.siblings, joinItems(siblings.map((asn) => `AS${asn}`))],
    [texts.space, joinItems(space)],
    ...listSharedFields(summary, language),
  ];
  return fields.filter(([, value]) => value !== "");
}

function listSharedFields(summary: NetworkSummary | AsSummary, language: Language): readonly Field[] {
  const texts = networkTextsOf(language);
  const { joinItems, usages } = reportTextsOf(language);
  const { use, registered, located, declared } = summary;
  const country = (item: { readonly country: string; readonly share: number }) =>
    `${nameCountry(item.country, language)}${item.share < 1 ? ` ${formatPercent(item.share)}` : ""}`;
  const places = declared.slice(0, MOST_PLACES).map((place) => {
    const names = [nameCountry(place.country, language), place.region, place.city].filter(Boolean);
    return `${names.join(" ")}${place.share < 1 ? ` ${formatPercent(place.share)}` : ""}`;
  });
  const fields: readonly Field[] = [
    [texts.use, joinItems(use.map(({ usageType, share }) => `${usages[usageType]} ${formatPercent(share)}`))],
    [texts.accused, joinItems(listMarks(summary, language))],
    [texts.registered, joinItems(registered.slice(0, MOST_PLACES).map(country))],
    [texts.located, joinItems(located.slice(0, MOST_PLACES).map(country))],
    [texts.declared, places.length === 0 ? "" : texts.say("declaredBy", { places: joinItems(places) })],
  ];
  return fields.filter(([, value]) => value !== "");
}

/** The number of addresses for each accusation; of an AS, with its rank. */
function listMarks(summary: NetworkSummary | AsSummary, language: Language): readonly string[] {
  const texts = networkTextsOf(language);
  const { listsRead: read } = summary;
  const peers = "peers" in summary ? summary.peers : undefined;
  const found = MARKS.flatMap((mark) => {
    const count = summary.marks[mark];
    if (count === 0) return [];
    const facts = { mark: texts.marks[mark], count: formatCount(count) };
    const below = peers?.below[mark];
    if (peers === undefined || below === undefined) return [texts.say("markCount", facts)];
    return [texts.say("rank", { ...facts, percent: formatPercent(below), peers: peers.count })];
  });
  return found.length === 0 ? [read === 0 ? texts.notKnown : texts.say("nothing", { read })] : found;
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

/** What a cell says, for those who see no colour: its use and what lists accuse it of. */
export function describeCell({ prefix, usageType, marks }: NetworkCell, language: Language): string {
  const texts = networkTextsOf(language);
  const { usages, joinItems } = reportTextsOf(language);
  const facts = joinItems([usages[usageType], ...marks.map((mark) => texts.marks[mark])]);
  return texts.say("cell", { prefix, facts });
}

/** What a summary is made from. */
export function describeSources(
  { isSampled, asked, date }: NetworkSummary | AsSummary,
  language: Language,
): readonly string[] {
  const texts = networkTextsOf(language);
  return [
    ...(isSampled ? [texts.say("sampled", { asked })] : []),
    texts.say("sources", { date: date === undefined ? "" : texts.say("dated", { date }) }),
  ];
}

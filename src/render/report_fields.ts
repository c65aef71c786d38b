import {
  capitalize,
  formatCount,
  lowerFirst,
  nameCountry,
  nameCountryInSentence,
  type ReportTexts,
} from "#locale";
import { findUseLow, LIST_STATES, type ListState, REGION_STATES, type Report, SCENARIOS } from "#report";
import { sanitize } from "./characters.ts";
import CREDITS from "./credits.json" with { type: "json" };
import PORT_NAMES from "./port_names.json" with { type: "json" };
import REGISTRY_NAMES from "./registry_names.json" with { type: "json" };
import type { ReportContext } from "./report_context.ts";

/** Between the levels of a place, and other facts that are no list. */
export const DOT = " \u00b7 ";

type Factor = Report["risk"]["factors"][number];

/** A label and its value. */
export type Field = readonly [label: string, value: string];

/** The longest host name (RFC 1035, 2.3.4). A source can state anything. */
const MAX_HOSTNAME = 253;

/** From this share of the evidence on anonymity on, the flags were checked. Below it, they were partly checked. */
const MUCH_OBTAINED = 0.7;

/** Sellers of residential proxies use the lines of such networks. */
const BOUGHT_FROM: readonly string[] = ["residential", "mobile"];

/** Returns the text of an id, or the id itself when the table has none: stored reports may have unknown ids. */
export function nameOf(names: Readonly<Partial<Record<string, string>>>, id: string): string {
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id;
}

/** Formats an RFC 3339 UTC date-time as `2026-01-31 08:15:00 UTC`. Returns anything else unchanged. */
export function formatTime(time: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(time);
  return parts === null ? time : `${parts[1]} ${parts[2]} UTC`;
}

/** Lists the flags that are set by name, each with its agreement where that is known. */
export function describeFlags({ facts, texts }: ReportContext): readonly string[] {
  return facts.flags.map(({ flag, agreement }) =>
    agreement === 0 ? texts.flags[flag] : texts.withDetail(texts.flags[flag], texts.agreement(agreement)),
  );
}

/**
 * Names the flags in one line, and says of an address that is no exit that no proxy, VPN or Tor was seen, and whether
 * residential proxies were not measured. With `isUnknown`, which is that too little is known, the exits are unknown.
 */
export function describeFlagRow(
  context: ReportContext,
  { flags = describeFlags(context), isUnknown = context.facts.isExitUnknown } = {},
): string {
  const { report, texts } = context;
  const { labels } = texts;
  const { isProxy, isVpn, isTor } = report.flags;
  const resale = findResale(report) === undefined ? [] : [labels.resaleUnknown];
  const unseen = isUnknown ? [labels.flagsUnknown] : [describeNoExit(context), ...resale];
  const claims = [
    ...(flags.length === 0 ? [] : [texts.joinItems(flags)]),
    ...(isProxy || isVpn || isTor ? [] : unseen),
  ];
  return texts.joinClaims(claims.map((claim, at) => (at === 0 ? claim : lowerFirst(claim))));
}

/** Says that no proxy, VPN or Tor was seen, and whether only a part of the sources that can see them answered. */
export function describeNoExit({ report, texts: { labels, withDetail } }: ReportContext): string {
  return isPartlyChecked(report) ? withDetail(labels.noFlags, labels.partlyChecked) : labels.noFlags;
}

/** Whether only a part of the sources that can see proxies, VPN and Tor answered. */
export function isPartlyChecked({ risk }: Report): boolean {
  return (risk.coverage?.anonymity ?? 1) < MUCH_OBTAINED;
}

/** The unknown that residential proxies were not measured, of an address whose line may be sold as one. */
export function findResale({ unknowns, usageType }: Report): Report["unknowns"][number] | undefined {
  return unknowns.find(({ id }) => id === "residential_proxies" && BOUGHT_FROM.includes(usageType));
}

/** Words the score: `52/100 Neutral`, with a warning before it if the report is thin; the role of an address without one. */
export function describeScore({ report: { risk, flags }, facts, texts }: ReportContext): string {
  if (facts.isScored) {
    const score = `${risk.purity}/100 ${risk.label}`;
    return facts.isThin ? texts.thin(score) : score;
  }
  const role = flags.isBogon
    ? texts.flags.isBogon
    : flags.isSearchEngineBot
      ? texts.flags.isSearchEngineBot
      : texts.factors.public_infrastructure.label;
  return texts.withDetail(role, texts.labels.noScore);
}

/** What the network is used for, the native type and the country. */
export function listKind({ report: { usageType, nativeType, geo }, facts, card, page }: ReportContext) {
  const usage = usageType === "unknown" ? card.nothingKnown : page.usages[usageType];
  const native = facts.isNativeTold ? [page.natives[nativeType]] : [];
  return [usage, ...native, ...(geo?.countryName === undefined ? [] : [geo.countryName])];
}

/** Whether age has lowered the degree of confidence by one step. A low one may have been low before. */
export function isAged({ stale, risk }: Report): boolean {
  return stale && risk.confidence === "medium";
}

/** Names the degree of confidence, and whether age has lowered it. */
export function describeDegree({ report, texts, page }: ReportContext): string {
  const degree = texts.confidences[report.risk.confidence];
  return isAged(report) ? texts.withDetail(degree, page.aged) : degree;
}

/** Words the confidence, with the coverage. */
export function describeSureness(context: ReportContext): string {
  const { report, facts, texts, page } = context;
  const { percent } = facts;
  // Nothing is asked about a special-purpose address.
  const isAsked = percent !== undefined && !report.flags.isBogon;
  const coverage = isAsked ? [lowerFirst(page.coverageOfUsable(percent))] : [];
  return texts.joinDetails([describeDegree(context), ...coverage]);
}

/** Words the low end of the purity; nothing where the purity cannot be lower. */
export function describeLow({ facts, texts }: ReportContext): readonly string[] {
  return facts.hasLow ? [texts.asLowAs(facts.low)] : [];
}

/** Words what 95 % of such addresses keep of a use case with all data; nothing where it cannot be lower. */
export function describeUseLow(use: Report["scenarios"][number], { card }: ReportContext) {
  const low = findUseLow(use);
  return low === undefined ? [] : [card.asLowAs(String(low))];
}

/** Says which AI vendors support the country of the address. That they do says nothing in favour of the address. */
export function describeVendors({ report: { scenarios, geo }, language, texts, page }: ReportContext) {
  const { asOf = "", vendors = {} } = scenarios.find(({ id }) => id === "ai")?.regions ?? {};
  const country = geo?.country === undefined ? page.itsCountry : nameCountryInSentence(geo.country, language);
  return REGION_STATES.flatMap((state) => {
    const names = Object.keys(vendors).filter((name) => vendors[name] === state);
    const text = texts.joinSentences([page.regionStates[state](country, texts.joinItems(names)), ""]);
    return names.length === 0 ? [] : [{ state, text, lists: page.vendorLists(asOf) }];
  });
}

/** Words the low end of the purity with its band, in a few words. */
export function describeLowEnd({ facts: { low }, texts, card }: ReportContext): string {
  return card.asLowAs(texts.withDetail(String(low), texts.nameBand(low)));
}

/** The score and its low end in one short line. */
export function describeResult(context: ReportContext): string {
  const { facts, texts } = context;
  return texts.joinDetails([describeScore(context), ...(facts.hasLow ? [describeLowEnd(context)] : [])]);
}

/** What "no risk seen" does not mean, for a report without any deduction. */
export function describeCaution({ facts, plain }: ReportContext): string | undefined {
  const isClear = facts.isScored && facts.deductions.every(({ points }) => points <= 0);
  return isClear ? plain.noSignals : undefined;
}

/** Counts the blocklists in each of the states. */
export function describeLists(
  { facts, texts }: ReportContext,
  states: readonly ListState[] = LIST_STATES,
): string {
  const count = (state: ListState) => (states.includes(state) ? facts.lists[state].length : 0);
  const counts = LIST_STATES.map((state) => [state, count(state)] as const);
  return texts.listCount(Object.fromEntries(counts) as Parameters<ReportTexts["listCount"]>[0]);
}

/** What the native type means, or why it is unknown. The deduction for another country names both countries. */
export function explainNative({ report, page }: ReportContext): string | undefined {
  const { nativeType, nativeReason, risk } = report;
  if (nativeType === "unknown") return nativeReason;
  return risk.factors.find(({ id }) => id === "broadcast")?.detail ?? page.nativeMeanings[nativeType];
}

/**
 * Lists the parts of the sum that gives the score: each deduction and credit as on the page, then caps and rounding. With
 * little data no number is without a warning before it.
 */
export function listSum({ report: { risk }, facts, texts, plain }: ReportContext): readonly string[] {
  const parts = facts.steps.filter(({ points }) => points !== 0);
  if (parts.length === 0) return [texts.labels.noFactors];
  return [
    facts.isThin ? plain.field(texts.notEnough, "100") : "100",
    ...parts.map(({ label, points }) => `${formatEffect(-points)} ${label}`),
    `= ${risk.purity}`,
  ];
}

/**
 * Lists what speaks against the address in use cases, then what speaks for it: each reason once, those of most use cases
 * first. A reason can speak for the address in one use case and against it in another. `isTold`: those against it to leave out.
 */
export function listReasons(
  { report: { scenarios }, texts, plain, page }: ReportContext,
  isTold: (reason: string) => boolean = () => false,
) {
  const nameUses = (uses: Report["scenarios"]) => {
    const [other, ...more] = scenarios.filter((use) => !uses.includes(use));
    if (other === undefined) return plain.allUses;
    if (more.length === 0 && uses.length > 1) return plain.say("allBut", page.scenarios[other.id]);
    return texts.joinItems(uses.map(({ id }) => page.scenarios[id]));
  };
  const isAgainst = (reason: string) =>
    scenarios.some(({ id, reasons }) => reasons.includes(reason) && !texts.isMerit(reason, id));
  return (["against", "inFavour"] as const).flatMap((side) => {
    const reasonsOf = ({ id, reasons }: Report["scenarios"][number]) =>
      reasons.filter((reason) =>
        side === "inFavour" ? texts.isMerit(reason, id) : !isTold(reason) && !texts.isMerit(reason, id),
      );
    const found = Array.from(new Set(scenarios.flatMap(reasonsOf)), (reason) => ({
      reason,
      uses: scenarios.filter((use) => reasonsOf(use).includes(reason)),
    })).toSorted((one, other) => other.uses.length - one.uses.length);
    // They add no points, so it does not matter where they are named, unless they cost points elsewhere.
    const groups = Map.groupBy(found, ({ uses }) => (side === "against" ? nameUses(uses) : ""));
    return Array.from(groups, ([uses, alike]) => ({
      side,
      uses,
      reasons: texts.joinReasons(
        alike.map(({ reason, uses }) =>
          side === "inFavour" && isAgainst(reason) ? texts.withDetail(reason, nameUses(uses)) : reason,
        ),
      ),
    }));
  });
}

/** The reasons with what they speak against or for, as names and values. */
export function describeReasons(
  context: ReportContext,
  isTold?: (reason: string) => boolean,
): readonly Field[] {
  return listReasons(context, isTold).map(({ side, uses, reasons }) => [
    context.plain.say(side, uses),
    reasons,
  ]);
}

const EXIT_REASONS: readonly string[] = ["tor_exit", "proxy", "vpn", "relay"];
const NETWORK_REASONS: readonly string[] = ["hosting", "usage"];

/** Says that of exit and network the smaller counts half; nothing where no use case deducts for both. */
export function describePair({ report, page }: ReportContext): readonly string[] {
  const isPaired = report.scenarios.some(({ factors = [] }) =>
    [EXIT_REASONS, NETWORK_REASONS].every((ids) => factors.some(({ id }) => ids.includes(id))),
  );
  return isPaired ? [page.usePaired] : [];
}

/** Lists each reason that deducts points in a use case, with the points of every use case. */
export function listUsePoints({ report: { scenarios } }: ReportContext) {
  const reasons = new Set(scenarios.flatMap(({ factors = [] }) => factors.map(({ label }) => label)));
  return Array.from(reasons, (reason) => ({
    reason,
    uses: scenarios.map(({ id, factors = [] }) => ({
      id,
      points: factors.find(({ label }) => label === reason)?.points ?? 0,
    })),
  }));
}

/** The reasons that deduct points with the points of each use case, then the other reasons. */
export function describeUsePoints(context: ReportContext): readonly Field[] {
  const { texts, page } = context;
  const found = listUsePoints(context);
  const fields = found.map(({ reason, uses }): Field => {
    const costs = uses.filter(({ points }) => points > 0);
    const items = costs.map(({ id, points }) => `${page.scenarios[id]} ${formatEffect(-points)}`);
    return [capitalize(reason), texts.joinItems(items)];
  });
  return [...fields, ...describeReasons(context, (told) => found.some(({ reason }) => reason === told))];
}

/** Lists where the address is, who announces it and who registered it. Unknown fields are left out. */
export function describeNetwork({ report, texts, language }: ReportContext): readonly Field[] {
  const { geo, asn, registry } = report;
  const { labels } = texts;
  const withCode = (code: string | undefined, name: string | undefined) =>
    code === undefined || name === undefined || name === code ? (name ?? code) : texts.withDetail(name, code);
  return keepKnown([
    [labels.country, withCode(geo?.country, geo?.countryName)],
    [
      labels.claims,
      geo?.claims &&
        texts.joinClaims(
          geo.claims.map(({ country, countryName, sources }) =>
            texts.claim(withCode(country, countryName) ?? country, texts.joinItems(sources)),
          ),
        ),
    ],
    [labels.region, geo?.region],
    [labels.city, geo?.city],
    [labels.timezone, geo?.timezone],
    [labels.asn, asn?.asn === undefined ? undefined : `AS${asn.asn}`],
    [labels.asName, asn?.name],
    [labels.asKind, asn?.kind === undefined ? undefined : nameOf(texts.asKinds, asn.kind)],
    [labels.org, asn?.org === asn?.name ? undefined : asn?.org],
    [labels.route, asn?.route],
    [labels.rir, registry?.rir === undefined ? undefined : nameOf(REGISTRY_NAMES, registry.rir)],
    [
      labels.registeredIn,
      withCode(registry?.country, registry?.country && nameCountry(registry.country, language)),
    ],
    [labels.netName, registry?.netName],
    [labels.registrant, registry?.org],
    [labels.cidr, registry?.cidr],
    [labels.abuseContact, registry?.abuseContact],
    [labels.hostname, report.hostname?.slice(0, MAX_HOSTNAME)],
  ]);
}

/** Lists what is known of the VPN service behind the address, except its URL. */
export function describeVpn({ report: { vpnOperator: vpn }, texts }: ReportContext): readonly Field[] {
  const { labels } = texts;
  if (vpn === null) return [];
  const yesOrNo = (yes: boolean | undefined) =>
    yes === undefined ? undefined : yes ? labels.yes : labels.no;
  return keepKnown([
    [labels.vpnName, vpn.name],
    [labels.anonymity, nameGrade(vpn.anonymity, texts)],
    [labels.popularity, nameGrade(vpn.popularity, texts)],
    [labels.protocols, vpn.protocols && texts.joinItems(vpn.protocols)],
    [labels.logging, yesOrNo(vpn.logging)],
    [labels.freeAccess, yesOrNo(vpn.freeAccess)],
  ]);
}

function nameGrade(grade: string | undefined, texts: ReportTexts): string | undefined {
  if (grade === undefined) return undefined;
  const id = grade.toLowerCase().replaceAll(/[ -]/g, "_");
  return Object.hasOwn(texts.grades, id) ? texts.grades[id] : grade;
}

/** Lists open ports and known vulnerabilities, or returns a sentence when a scanner reported neither. */
export function describeExposure({ report: { exposure }, texts }: ReportContext): readonly Field[] | string {
  const { labels } = texts;
  if (exposure === null) return labels.noExposure;
  if (!exposure.observed) return labels.notObserved;
  return [
    [labels.ports, attribute(texts.joinItems(exposure.ports.map(namePort)) || labels.none, exposure, texts)],
    [labels.vulns, texts.joinItems(exposure.vulns) || labels.none],
  ];
}

/** The number of a port, and what usually listens there (IANA service names and common use). */
function namePort(port: number): string {
  const name = nameOf(PORT_NAMES, String(port));
  return name === String(port) ? name : `${port} ${name}`;
}

/** Lists how many devices were seen on the address and in its subnet, or returns a sentence when nobody reported. */
export function describeSharing({ report: { sharing }, texts }: ReportContext): readonly Field[] | string {
  const { labels } = texts;
  if (sharing === null) return labels.noSharing;
  const count = (devices?: number) =>
    devices === undefined ? "" : attribute(formatCount(devices), sharing, texts);
  return keepKnown([
    [labels.devicesAddress, count(sharing.address)],
    [labels.devicesSubnet, count(sharing.subnet)],
  ]);
}

/** Appends the sources; a stored report can lack them. */
function attribute(text: string, { sources }: { sources?: readonly string[] }, texts: ReportTexts): string {
  return sources === undefined ? text : texts.withDetail(text, texts.joinItems(sources));
}

/** Divides the abuse records into those with a report, an attack or a score, and a sentence about the others. */
export function divideAbuse({ report: { abuse }, texts }: ReportContext) {
  const { labels, withDetail } = texts;
  const records = abuse.filter(({ score, reports, attacks }) => score || reports || attacks?.total);
  const others = abuse.filter((record) => !records.includes(record));
  const names = others.map(({ source, score }) =>
    score === 0 ? withDetail(source, labels.zeroScore) : source,
  );
  const none = names.length === 0 ? [] : [texts.noReports(texts.joinItems(names))];
  return { records, none: abuse.length === 0 ? [labels.noAbuse] : none };
}

/** Words the records of these factors, as the headline of the page does, if they cost points. */
export function listRecords(
  context: ReportContext,
  ids: readonly string[] = ["blocklists", "shared_address", "abuse_score", "attack_history"],
): readonly string[] {
  return joinAbuse(context.report.risk.factors)
    .filter(({ id, points }) => points > 0 && ids.includes(id))
    .map((factor) => lowerFirst(nameFactor(factor, context)));
}

/** Joins the two factors of abuse, because a reader takes them as one fact. The attacks have a number, so they name it. */
export function joinAbuse(factors: readonly Factor[]): readonly Factor[] {
  const abuse = factors.filter(({ id }) => id === "abuse_score" || id === "attack_history");
  const named = abuse.find(({ id }) => id === "attack_history");
  if (named === undefined || abuse.length < 2) return factors;
  const points = abuse.reduce((sum, factor) => sum + factor.points, 0);
  return [...factors.filter((factor) => !abuse.includes(factor)), { ...named, points }];
}

/** The words of each factor; a factor that is not here has its label. */
export function nameFactor({ id, label, detail, ageDays }: Factor, context: ReportContext): string {
  const { report, facts, texts } = context;
  const { headline } = context.page;
  // The age is of the record that costs most. Of several, that is not always the one with the highest count.
  const withAge = (text: string) =>
    ageDays === undefined || divideAbuse(context).records.length > 1
      ? text
      : texts.withDetail(text, headline.ago(ageDays));
  const names: Readonly<Partial<Record<string, string>>> = {
    tor_exit: headline.tor,
    proxy: headline.proxy,
    vpn: headline.vpn(report.vpnOperator?.name),
    relay: headline.relay,
    severe_listing: headline.severe,
    botnet_controller: headline.botnet,
    blocklists: headline.listed(facts.lists.listed.length),
    abuse_score: withAge(headline.reported(Math.max(0, ...report.abuse.map(({ reports = 0 }) => reports)))),
    attack_history: withAge(headline.attacks(facts.attacks)),
    exposed_vulnerabilities: headline.vulnerabilities(report.exposure?.vulns.length ?? 0),
    // The sentence names those of the open ports that cost points.
    open_ports: headline.ports(
      (report.exposure?.ports ?? []).filter((port) => detail.split(/\D+/).includes(`${port}`)).map(namePort),
    ),
    shared_address: headline.shared(report.sharing?.address ?? 0),
  };
  return Object.hasOwn(names, id) ? (names[id] ?? label) : label;
}

/** Lists the kinds of attack with their counts. A kind without a text is shown as it is. */
export function describeAttacks(abuse: Report["abuse"][number], texts: ReportTexts): readonly string[] {
  return Object.entries(abuse.attacks?.byType ?? {}).map(
    ([type, times]) => `${nameOf(texts.attacks, type)} ${formatCount(times)}`,
  );
}

/** Lists the ratings by visitors, one entry for each use case that has enough of them. */
export function listRatings({ report, page }: ReportContext) {
  return SCENARIOS.flatMap((id) => {
    const rating = report.feedback?.[id];
    return rating === undefined ? [] : [{ scenario: page.scenarios[id], ...rating }];
  });
}

function keepKnown(rows: readonly (readonly [string, string | undefined])[]): readonly Field[] {
  return rows.filter((row): row is Field => row[1] !== undefined && row[1] !== "");
}

/** Lists the names of sources and blocklists that have more than one word. */
export function listNames({ sources, blocklists }: Report): readonly string[] {
  const names = [...sources.map(({ name }) => name), ...blocklists.map(({ label }) => label)];
  return [...new Set(names)].map((name) => sanitize(name).trim()).filter((name) => name.includes(" "));
}

/** U+2212, which is as wide as the plus sign. */
export const MINUS = "\u2212";

/** Formats an effect on purity with its sign. `minus` is the sign of negative numbers. */
export function formatEffect(effect: number, minus = "-"): string {
  if (effect === 0) return "0";
  return effect > 0 ? `+${effect}` : `${minus}${-effect}`;
}

/** The credit of DB-IP. Its licence (CC BY 4.0) requires it wherever a place or a network is shown. */
export function creditPlaces({ labels }: ReportTexts) {
  return { text: labels.credit, url: "https://db-ip.com" };
}

/**
 * Lists the credits that the terms of data publishers require. The first is that of DB-IP, for the place and the
 * network. The others are of `credits.json`, by the names of the sources in the report.
 */
export function listCredits({ report, texts }: ReportContext) {
  const answered = (names: readonly string[]) =>
    report.sources.some((source) => source.ok && names.includes(source.name));
  return [
    ...(report.geo === undefined && report.asn === undefined ? [] : [creditPlaces(texts)]),
    ...CREDITS.filter(({ names }) => answered(names)),
  ];
}

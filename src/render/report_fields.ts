import { nameCountry, type ReportTexts } from "#locale";
import { type Language, LIST_STATES, type Report, type ReportFacts, SCENARIOS } from "#report";

/** A label and its value. */
export type Field = readonly [label: string, value: string];

const RIR_NAMES: Readonly<Record<string, string>> = {
  arin: "ARIN",
  ripencc: "RIPE NCC",
  apnic: "APNIC",
  lacnic: "LACNIC",
  afrinic: "AFRINIC",
};

/** The longest host name (RFC 1035, 2.3.4). A source can state anything. */
const MAX_HOSTNAME = 253;

/** What usually listens on the ports that a scan of hosts finds most (IANA service names and common use). */
const PORT_NAMES: Readonly<Record<string, string>> = {
  21: "FTP",
  22: "SSH",
  23: "Telnet",
  25: "SMTP",
  53: "DNS",
  80: "HTTP",
  110: "POP3",
  111: "RPC",
  123: "NTP",
  143: "IMAP",
  161: "SNMP",
  389: "LDAP",
  443: "HTTPS",
  445: "SMB",
  465: "SMTPS",
  500: "IKE",
  587: "SMTP",
  993: "IMAPS",
  995: "POP3S",
  1080: "SOCKS",
  1194: "OpenVPN",
  1433: "SQL Server",
  1521: "Oracle",
  1723: "PPTP",
  1883: "MQTT",
  2049: "NFS",
  2375: "Docker",
  3128: "HTTP proxy",
  3306: "MySQL",
  3389: "RDP",
  4500: "IKE",
  5060: "SIP",
  5432: "PostgreSQL",
  5900: "VNC",
  6379: "Redis",
  7547: "TR-069",
  8080: "HTTP proxy",
  8291: "MikroTik",
  8443: "HTTPS",
  9200: "Elasticsearch",
  11211: "Memcached",
  27017: "MongoDB",
  51820: "WireGuard",
};

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
export function describeFlags({ flags }: ReportFacts, texts: ReportTexts): readonly string[] {
  return flags.map(({ flag, agreement }) =>
    agreement === 0 ? texts.flags[flag] : texts.withDetail(texts.flags[flag], texts.agreement(agreement)),
  );
}

/** Words the score: `52/100 Neutral`, with a warning before it if the report is thin; the role of an address without one. */
export function describeScore({ risk, flags }: Report, facts: ReportFacts, texts: ReportTexts): string {
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

/** Formats the coverage and the low end of the range; undefined for a report of an older scoring version. */
export function describeCoverage(
  { risk }: Report,
  { low, percent, isScored }: ReportFacts,
  texts: ReportTexts,
): string | undefined {
  if (percent === undefined || !isScored) return undefined;
  return texts.joinItems([`${percent}%`, ...(low < risk.purity ? [texts.usually(low)] : [])]);
}

/** Counts the blocklists in each state. */
export function describeLists({ lists }: ReportFacts, texts: ReportTexts): string {
  const counts = LIST_STATES.map((state) => [state, lists[state].length] as const);
  return texts.listCount(Object.fromEntries(counts) as Parameters<ReportTexts["listCount"]>[0]);
}

/** Names the native type and, where it is unknown, the reason. */
export function describeNative(report: Report, texts: ReportTexts): string {
  const type = texts.natives[report.nativeType];
  return report.nativeReason === undefined ? type : texts.withReason(type, report.nativeReason);
}

/** Lists where the address is, who announces it and who registered it. Unknown fields are left out. */
export function describeNetwork(report: Report, texts: ReportTexts, language: Language): readonly Field[] {
  const { geo, asn, registry } = report;
  const { labels } = texts;
  const withCode = (code: string | undefined, name: string | undefined) =>
    code === undefined || name === undefined || name === code ? (name ?? code) : `${name} (${code})`;
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
    [labels.rir, registry?.rir === undefined ? undefined : nameOf(RIR_NAMES, registry.rir)],
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
export function describeVpn(vpn: NonNullable<Report["vpnOperator"]>, texts: ReportTexts): readonly Field[] {
  const { labels } = texts;
  const yesOrNo = (yes: boolean | undefined) =>
    yes === undefined ? undefined : yes ? labels.yes : labels.no;
  return keepKnown([
    [labels.vpnName, vpn.name],
    [labels.anonymity, nameGrade(vpn.anonymity, texts)],
    [labels.popularity, nameGrade(vpn.popularity, texts)],
    [labels.protocols, vpn.protocols?.join(", ")],
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
export function describeExposure({ exposure }: Report, { labels }: ReportTexts): readonly Field[] | string {
  if (exposure === null) return labels.noExposure;
  if (!exposure.observed) return labels.notObserved;
  return [
    [labels.ports, exposure.ports.map(namePort).join(", ") || labels.none],
    [labels.vulns, exposure.vulns.join(", ") || labels.none],
  ];
}

/** The number of a port, and what usually listens there. */
function namePort(port: number): string {
  const name = PORT_NAMES[port];
  return name === undefined ? String(port) : `${port} ${name}`;
}

/** Lists how many devices were seen on the address and in its subnet, or returns a sentence when nobody reported. */
export function describeSharing({ sharing }: Report, { labels }: ReportTexts): readonly Field[] | string {
  const fields = keepKnown([
    [labels.devicesAddress, sharing?.address?.toString()],
    [labels.devicesSubnet, sharing?.subnet?.toString()],
  ]);
  return fields.length === 0 ? labels.noSharing : fields;
}

/** Lists the kinds of attack with their counts. A kind without a text is shown as it is. */
export function describeAttacks(abuse: Report["abuse"][number], texts: ReportTexts): readonly string[] {
  return Object.entries(abuse.attacks?.byType ?? {}).map(
    ([type, times]) => `${nameOf(texts.attacks, type)} ${times}`,
  );
}

/** Lists the ratings by visitors, one entry for each use case that has enough of them. */
export function listRatings(
  { feedback }: Report,
  texts: ReportTexts,
): readonly { readonly scenario: string; readonly average: number; readonly count: number }[] {
  return SCENARIOS.flatMap((id) => {
    const rating = feedback?.[id];
    return rating === undefined ? [] : [{ scenario: texts.scenarios[id], ...rating }];
  });
}

function keepKnown(rows: readonly (readonly [string, string | undefined])[]): readonly Field[] {
  return rows.filter((row): row is Field => row[1] !== undefined && row[1] !== "");
}

/** What a source did. */
export type SourceOutcome = "answered" | "foundNothing" | "failed" | "skipped";

/** Sources with the same outcome and the same fact, such as the reason of a failure, in document order. */
export interface SourceGroup {
  readonly outcome: SourceOutcome;
  readonly fact: string;
  readonly sources: Report["sources"];
}

const OUTCOMES: readonly SourceOutcome[] = ["answered", "foundNothing", "failed", "skipped"];

/**
 * Groups the sources by outcome and fact; groups without a fact come first. Every source is in exactly one group, so
 * that a report with a hundred sources is short and still names each of them.
 */
export function groupOutcomes(report: Report, texts: ReportTexts): readonly SourceGroup[] {
  const prefix = texts.joinDetails([texts.noRecord, ""]);
  const found = new Map(OUTCOMES.map((outcome) => [outcome, new Map<string, Report["sources"]>()]));
  for (const source of report.sources) {
    const { ok, detail = "", error = "", skipped } = source;
    const isEmpty = ok && (detail === texts.noRecord || detail.startsWith(prefix));
    const outcome = isEmpty ? "foundNothing" : ok ? "answered" : skipped === undefined ? "failed" : "skipped";
    const fact = isEmpty ? detail.slice(prefix.length) : ok ? detail : (skipped ?? error);
    const facts = found.get(outcome);
    const group = facts?.get(fact);
    if (group === undefined) facts?.set(fact, [source]);
    else group.push(source);
  }
  return OUTCOMES.flatMap((outcome) =>
    [...(found.get(outcome) ?? [])]
      .map(([fact, sources]): SourceGroup => ({ outcome, fact, sources }))
      .sort((one, other) => Number(one.fact !== "") - Number(other.fact !== "")),
  );
}

/** Formats an effect on purity with its sign. `minus` is the sign of negative numbers. */
export function formatEffect(effect: number, minus = "-"): string {
  if (effect === 0) return "0";
  return effect > 0 ? `+${effect}` : `${minus}${-effect}`;
}

/** A credit line that the terms of a data publisher require. */
export interface Credit {
  readonly text: string;
  readonly url: string;
}

/** Sources that require a credit line, by their names in the report. */
const CREDITS: readonly { readonly names: readonly string[]; readonly credit: Credit }[] = [
  {
    // CC BY-SA 4.0, https://ipinfo.io/developers/lite-api
    names: ["IPinfo Lite"],
    credit: { text: "IP address data powered by IPinfo", url: "https://ipinfo.io" },
  },
  {
    // https://www.spamhaus.org/drop/terms/
    names: ["Spamhaus DROP", "Spamhaus ASN-DROP"],
    credit: { text: "DROP: © The Spamhaus Project", url: "https://www.spamhaus.org/drop/" },
  },
];

/** Lists the credits that a report must show. `location` is the credit of DB-IP in the language of the report. */
export function listCredits(report: Report, location: string): readonly Credit[] {
  const answered = (names: readonly string[]) =>
    report.sources.some((source) => source.ok && names.includes(source.name));
  return [
    ...(report.geo === undefined && report.asn === undefined
      ? []
      : [{ text: location, url: "https://db-ip.com" }]),
    ...CREDITS.filter(({ names }) => answered(names)).map(({ credit }) => credit),
  ];
}

import { FEEDS, TABLE_FEEDS } from "#feeds";
import { dailyLimit, SOURCES, type Source, ZONES } from "#sources";
import { AS_ORIGINS, type AsOrigin } from "../../src/evidence/as_origins.ts";
import { KEEP_DAYS } from "../../src/feeds/snapshot/open_snapshot.ts";
import { readSnapshotContents } from "../../src/feeds/snapshot/prepare_snapshot.ts";

const LISTS = new Set(FEEDS.map(({ id }) => id));
const ZONE_IDS = new Set<string>(ZONES.map(({ id }) => id));
const HOUR_MS = 3_600_000;
const SETTINGS = { live: true, allowNoncommercial: true, off: new Set<string>() };

/** What each origin of kinds of networks is, and the date of what ships with the program. */
const ORIGINS: Readonly<Record<AsOrigin, string>> = {
  as_class: "our own table of operators, checked by hand",
  openasn: "openasn, reviewed kinds with a reason for each, 2026-08-08, ships with the program",
  bgp_tools_tags: "bgp.tools tags, downloaded",
  x4bnet: "X4BNet and bad-asn, VPN and hosting networks, 2026-08-22, ships with the program",
  as_name: "the name of the network",
  oxl: "O-X-L, hosting, education and VPN networks, 2025-07-05, ships with the program",
  peeringdb: "PeeringDB, what networks say about themselves, downloaded",
  as_metadata: "ipverse, derived categories, downloaded",
  oxl_isp: "O-X-L, access networks mixed with backbones, 2025-07-05, ships with the program",
};

/** Writes `docs/operators/sources.md` from the registry of sources and the downloads. */
export function writeSources(): string {
  const own = SOURCES.filter(({ local, id }) => local === true && !LISTS.has(id));
  const live = SOURCES.filter(({ local, id }) => local !== true && !ZONE_IDS.has(id));
  const zones = SOURCES.filter(({ id }) => ZONE_IDS.has(id));
  const keyless = [...live, ...zones].filter(
    (terms) => terms.secret !== "required" && drawTerms({ ...terms, scarce: undefined }) === "–",
  );
  return [
    "# Sources",
    "",
    `limpid asks these sources about an address: ${own.length} tables that are part of the program, ${live.length} live sources, ${zones.length} DNS`,
    `blocklists, and ${FEEDS.length} downloaded lists. Without any key or setting it asks ${keyless.length} of the live sources and blocklists.`,
    "`limpid check` queries each of them once about a known address and shows its state: ready, needs a key, refused, or",
    "daily budget used up.",
    "",
    "A source that fails shows in the report with its reason and costs no points: no key, no quota left, a refusal, a",
    "timeout, a wrong answer. `LIMPID_SOURCES_OFF=id,id` turns sources off.",
    "",
    "Columns of the tables:",
    "",
    "- **key**: *needed* = not asked without a key, *better* = a key gives a larger quota or more data.",
    "- **a day**: our daily budget, the queries per UTC day (without a key / with a key). It is below the vendor's free",
    "  quota; `LIMPID_<ID>_DAILY` changes it. The count is in the database, so it is common to all processes.",
    "- **terms**: *non-commercial* = asked only with `LIMPID_ALLOW_NONCOMMERCIAL=1`; *contact* = asked only with",
    "  `LIMPID_CONTACT`, because its terms require a contact; *scarce* = asked only when the other sources do not decide",
    "  an address, and on refresh.",
    "",
    "## Part of the program",
    "",
    "Read for every address, also with `LIMPID_LIVE=0`.",
    "",
    "| id | name | reports |",
    "|---|---|---|",
    ...own.map((source) => `| \`${source.id}\` | ${source.name} | ${drawMatters(source)} |`),
    "",
    "## Live sources",
    "",
    "| id | name | reports | key | a day | terms | asked at |",
    "|---|---|---|---|---|---|---|",
    ...live.map(
      (source) =>
        `| \`${source.id}\` | ${source.name} | ${drawMatters(source)} | ${drawKey(source)} | ${drawDaily(source)} | ${drawTerms(source)} | ${drawHosts(source)} |`,
    ),
    "",
    "## DNS blocklists",
    "",
    "limpid queries these lists by DNS through `LIMPID_DNS_SERVERS`. They refuse public resolvers or answer them with wrong",
    "values, so run your own recursive resolver ([running.md](running.md#a-resolver-of-your-own)). Before limpid uses a",
    "list, the list must pass its test entries (RFC 5782). A list that lists every address, or none, is detected and shown",
    "as unavailable.",
    "",
    "| id | list | zone | weight | terms |",
    "|---|---|---|---|---|",
    ...zones.map(drawZone),
    "",
    "## Downloaded lists",
    "",
    "limpid downloads these lists in the background, checks their form and size, and compiles them into one table.",
    "`LIMPID_FEEDS=0` turns the downloads off; lists on disk stay active until they are too old. `limpid feeds status` shows",
    "them, `limpid feeds update` downloads now. A list older than twice its period counts less. After the age in the column",
    "*ignored after* it does not count. A list that is in the snapshot below is kept as long as the snapshot would be.",
    "",
    "A list that covers more of the address space than its kind can, or more than three times as much as before, is",
    "refused: the last good version stays, and the report says so at the source. Without a last good version the source",
    "has failed.",
    "",
    "| id | list | meaning | every | ignored after | terms | licence |",
    "|---|---|---|---|---|---|---|",
    ...FEEDS.map((feed) => {
      const { id, name, homepage, meanings, networks, cadenceMs, licence, attribution } = feed;
      const says = [...meanings, ...(networks === true ? ["networks"] : [])].join(", ");
      const gone = drawHours(feed.expiresMs ?? cadenceMs * 8);
      return `| \`${id}\` | [${name}](${homepage}) | ${says} | ${drawHours(cadenceMs)} | ${gone} | ${drawTerms(feed)} | ${drawLicence(licence, attribution)} |`;
    }),
    "",
    "## Snapshot of lists",
    "",
    "The program ships with a copy of these lists, so that the first report of a machine without a network knows them. A list",
    "of the snapshot is used until the first good download of that list, and while no download of it can be used. Reports",
    "name it in `sources` with its date, and `limpid feeds status` and `limpid check` call it `snapshot`.",
    "",
    "A list of the snapshot counts as an old list from the first day: its word is no authority, a missing address is no",
    `"no", and it has half of its weight in coverage. It is ignored ${KEEP_DAYS.others} days after its date, ranges of VPN operators ${KEEP_DAYS.vpn} days`,
    "after it. Operators of VPNs change their servers: of the addresses of VPN servers that were collected in 2023, a third",
    "was in the VPN ranges of 2026, and three quarters were in data centres. Half a year is useful and still mostly right.",
    "Clouds, crawlers and relays keep their address space longer. Membership that changes within days (Tor exits, open",
    "proxies, abuse) is not in the snapshot.",
    "",
    "| list | date | ranges | publisher | licence |",
    "|---|---|---|---|---|",
    ...readSnapshotContents().lists.map(
      ({ feed, date, ipv4, ipv6, publisher, licence }) =>
        `| \`${feed}\` | ${date} | ${ipv4 + ipv6} | ${publisher} | ${licence} |`,
    ),
    "",
    "`bun run snapshot FOLDER` builds the snapshot from the publishers' files; `src/build/snapshot_lists.ts` says which, and",
    "what they mean.",
    "",
    "## Kinds of networks",
    "",
    "What an AS is (hosting, access provider, mobile carrier, company, Tor operator, corporate gateway …) comes from these",
    "origins. The use with the largest sum of weights wins; a tie is decided by the order of the table. The evidence keeps",
    "what every origin said and whether it agrees. Sources that know the address itself may state another use.",
    "",
    "| origin | what it is | weight | counts in an agreement as |",
    "|---|---|---|---|",
    ...Object.entries(AS_ORIGINS).map(
      ([origin, { weight, family }]) =>
        `| \`${origin}\` | ${ORIGINS[origin as AsOrigin]} | ${weight} | \`${family}\` |`,
    ),
    "",
    "A prefix that a transit carrier announces is leased where it is registered in another country than the carrier's own",
    "space, or, where a registry answers, to another holder. It is reported as hosting by one family (`leased_space`), so",
    "with half of the points, unless the holder's name or a source shows another use.",
    "",
    "## Downloaded tables",
    "",
    "The program contains `asn` and `registration`, and a download replaces them. `city` exists only after a download. When",
    "the file of one registry fails, its last good file is used with the new files of the others; before the first one, the",
    "table of the program answers for that registry.",
    "",
    "| id | download | table | every | memory of the machine | licence |",
    "|---|---|---|---|---|---|",
    ...TABLE_FEEDS.map(({ id, name, homepage, table, cadenceMs, needsMemoryBytes, licence, attribution }) => {
      const memory = needsMemoryBytes === undefined ? "any" : `${needsMemoryBytes / 2 ** 30} GB or more`;
      return `| \`${id}\` | [${name}](${homepage}) | \`${table}\` | ${drawHours(cadenceMs)} | ${memory} | ${drawLicence(licence, attribution)} |`;
    }),
    "",
  ].join("\n");
}

function drawMatters({ matters }: Source): string {
  return matters.length === 0 ? "special cases" : matters.join(", ");
}

function drawKey({ id, secret }: Source): string {
  if (secret === undefined) return "–";
  return `${secret === "required" ? "needed" : "better"}: \`LIMPID_${id.toUpperCase()}_KEY\``;
}

function drawDaily(source: Source): string {
  const keyed = dailyLimit(source, { ...SETTINGS, secrets: new Map([[source.id, "key"]]) }, new Map());
  if (keyed === undefined) return "–";
  const bare = dailyLimit(source, { ...SETTINGS, secrets: new Map() }, new Map());
  return source.secret === "optional" && bare !== keyed ? `${bare} / ${keyed}` : String(keyed);
}

function drawTerms(terms: {
  readonly noncommercial?: true | undefined;
  readonly needsContact?: true | undefined;
  readonly scarce?: true | undefined;
}): string {
  const words = [
    ...(terms.noncommercial === true ? ["non-commercial"] : []),
    ...(terms.needsContact === true ? ["contact"] : []),
    ...(terms.scarce === true ? ["scarce"] : []),
  ];
  return words.length === 0 ? "–" : words.join(", ");
}

function drawHosts({ hosts = [] }: Source): string {
  return hosts.length === 0 ? "DNS" : hosts.map((host) => `\`${host}\``).join(", ");
}

function drawZone(source: Source): string {
  const zone = ZONES.find(({ id }) => id === source.id);
  const names = [...new Set(Object.values(zone?.names ?? {}))].map((name) => `\`${name}\``).join(", ");
  const terms = [
    drawTerms(source),
    ...(source.secret === "required" ? [`key needed: \`LIMPID_${source.id.toUpperCase()}_KEY\``] : []),
    ...(source.replacedBy === undefined ? [] : [`not asked while \`${source.replacedBy}\` has its key`]),
  ].filter((term) => term !== "–");
  const only = source.versions.length === 2 ? "" : ` (IPv${source.versions[0]} only)`;
  return `| \`${source.id}\` | ${source.name} | ${names}${only} | ${source.weight} | ${terms.join("; ") || "–"} |`;
}

function drawHours(ms: number): string {
  const hours = ms / HOUR_MS;
  if (hours < 1) return `${ms / 60_000} min`;
  return hours >= 48 && hours % 24 === 0 ? `${hours / 24} d` : `${hours} h`;
}

function drawLicence(licence: string, attribution: string | undefined): string {
  return attribution === undefined ? licence : `${licence}; credit: ${attribution}`;
}

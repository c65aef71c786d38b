import { FEEDS, TABLE_FEEDS } from "#feeds";
import { dailyLimit, SOURCES, type Source, ZONES } from "#sources";

const LISTS = new Set(FEEDS.map(({ id }) => id));
const ZONE_IDS = new Set<string>(ZONES.map(({ id }) => id));
const HOUR_MS = 3_600_000;
const SETTINGS = { live: true, allowNoncommercial: true, off: new Set<string>() };

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
    `Who is asked about an address: ${own.length} tables that are part of the program, ${live.length} live sources, ${zones.length} DNS`,
    `blocklists, and ${FEEDS.length} downloaded lists. ${keyless.length} live sources and blocklists are asked by a service without a key or a`,
    "setting. `limpid check` asks each of them once about a known address and says which are ready, want a key, are",
    "refused, or have used up their day.",
    "",
    "Whatever a source cannot do shows in the report and costs no points: no key, no quota left, a refusal, silence,",
    "nonsense. `LIMPID_SOURCES_OFF=id,id` leaves sources out by their ids.",
    "",
    "How to read the tables:",
    "",
    "- **key**: *needed* = not asked without one, *better* = asked either way, with a larger quota or more to say.",
    "- **a day**: the questions a UTC day that we allow ourselves (without a key / with one), kept under the vendor's free",
    "  quota; `LIMPID_<ID>_DAILY` changes it. The count is the database's, so it holds for all processes on it.",
    "- **terms**: *non-commercial* = asked only with `LIMPID_ALLOW_NONCOMMERCIAL=1`; *contact* = asked only with",
    "  `LIMPID_CONTACT`, because its terms want to know who asks; *scarce* = asked only while the free answers leave an",
    "  address undecided, and on refresh.",
    "",
    "## Part of the program",
    "",
    "Asked of every address, even with `LIMPID_LIVE=0`.",
    "",
    "| id | name | speaks about |",
    "|---|---|---|",
    ...own.map((source) => `| \`${source.id}\` | ${source.name} | ${drawMatters(source)} |`),
    "",
    "## Live sources",
    "",
    "| id | name | speaks about | key | a day | terms | asked at |",
    "|---|---|---|---|---|---|---|",
    ...live.map(
      (source) =>
        `| \`${source.id}\` | ${source.name} | ${drawMatters(source)} | ${drawKey(source)} | ${drawDaily(source)} | ${drawTerms(source)} | ${drawHosts(source)} |`,
    ),
    "",
    "## DNS blocklists",
    "",
    "Asked by DNS through `LIMPID_DNS_SERVERS`. They refuse or misinform who asks through a public resolver: run a",
    "recursive one of your own ([running.md](running.md#a-resolver-of-your-own)). Before a list's word counts it must pass its test",
    "entries (RFC 5782); one that lists the whole world, or nobody, is found out and shows as unavailable.",
    "",
    "| id | list | zone | weight | terms |",
    "|---|---|---|---|---|",
    ...zones.map(drawZone),
    "",
    "## Downloaded lists",
    "",
    "Fetched in the background, checked against what they must look like, compiled into one table. `LIMPID_FEEDS=0` turns",
    "the downloads off; what is on disk speaks until it is too old. `limpid feeds status` shows them, `limpid feeds update`",
    "fetches now. A list older than twice its period counts for less, and past its age for nothing.",
    "",
    "A list that covers more of the address space than its kind can, or more than three times what it covered, is refused:",
    "the last good one stays, and the report says so at the source. Without a last good one the source has failed.",
    "",
    "| id | list | says | every | silent after | terms | licence |",
    "|---|---|---|---|---|---|---|",
    ...FEEDS.map((feed) => {
      const { id, name, homepage, meanings, networks, cadenceMs, licence, attribution } = feed;
      const says = [...meanings, ...(networks === true ? ["networks"] : [])].join(", ");
      const gone = drawHours(feed.expiresMs ?? cadenceMs * 8);
      return `| \`${id}\` | [${name}](${homepage}) | ${says} | ${drawHours(cadenceMs)} | ${gone} | ${drawTerms(feed)} | ${drawLicence(licence, attribution)} |`;
    }),
    "",
    "## Downloaded tables",
    "",
    "`asn` and `registration` ship with the program and are replaced by fresher ones; `city` is only there when downloaded.",
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

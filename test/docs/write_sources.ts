import { FEEDS, TABLE_FEEDS } from "#feeds";
import { dailyLimit, SOURCES, type Source, ZONES } from "#sources";
import { AS_ORIGINS } from "../../src/evidence/as_kinds.ts";
import { KEEP_DAYS } from "../../src/feeds/snapshot/open_snapshot.ts";
import { readSnapshotContents } from "../../src/feeds/snapshot/prepare_snapshot.ts";
import { fillDocument, type Row } from "./fill_document.ts";

const LISTS = new Set(FEEDS.map(({ id }) => id));
const ZONE_IDS = new Set<string>(ZONES.map(({ id }) => id));
const HOUR_MS = 3_600_000;
const SETTINGS = { live: true, allowNoncommercial: true, off: new Set<string>() };

/** Writes the tables of `docs/operators/sources.md` from the registry of sources and the downloads. */
export function writeSources(): string {
  const own = SOURCES.filter(({ local, id }) => local === true && !LISTS.has(id));
  const live = SOURCES.filter(({ local, id }) => local !== true && !ZONE_IDS.has(id));
  const zones = SOURCES.filter(({ id }) => ZONE_IDS.has(id));
  const keyless = [...live, ...zones].filter(isDefault);
  const groups: Readonly<Record<string, readonly unknown[]>> = { own, live, zones, lists: FEEDS, keyless };
  return fillDocument("docs/operators/sources.md", {
    count: ({ options: [group = ""] }) => String(groups[group]?.length),
    days: ({ options: [kind] }) => String(kind === "vpn" ? KEEP_DAYS.vpn : KEEP_DAYS.others),
    own: () => own.map((source) => [code(source.id), source.name, drawMatters(source)]),
    live: () =>
      live.map((source) => [
        ...[code(source.id), drawDefault(source), source.name, drawMatters(source), drawKey(source)],
        ...[drawDaily(source), drawTerms(source), drawHosts(source)],
      ]),
    zones: () => zones.map(drawZone),
    lists: () =>
      FEEDS.map((feed) => {
        const { id, name, homepage, meanings, networks, cadenceMs, licence, attribution } = feed;
        const says = [...meanings, ...(networks === true ? ["networks"] : [])].join(", ");
        const gone = drawHours(feed.expiresMs ?? cadenceMs * 8);
        return [
          ...[code(id), `[${name}](${homepage})`, says, drawHours(cadenceMs), gone, drawTerms(feed)],
          drawLicence(licence, attribution),
        ];
      }),
    snapshot: () =>
      readSnapshotContents().lists.map(({ feed, date, ipv4, ipv6, publisher, licence }) => [
        ...[code(feed), date, String(ipv4 + ipv6), publisher, licence],
      ]),
    origins: ({ told }) =>
      Object.entries(AS_ORIGINS).map(([origin, { weight, family }]) => [
        ...[code(origin), told(code(origin))[1] ?? "", String(weight), code(family)],
      ]),
    tables: () =>
      TABLE_FEEDS.map(({ id, name, homepage, table, cadenceMs, needsMemoryBytes, licence, attribution }) => {
        const memory = needsMemoryBytes === undefined ? "any" : `${needsMemoryBytes / 2 ** 30} GB or more`;
        return [
          ...[code(id), `[${name}](${homepage})`, code(table), drawHours(cadenceMs), memory],
          drawLicence(licence, attribution),
        ];
      }),
  });
}

interface Terms {
  readonly secret?: Source["secret"];
  readonly noncommercial?: true | undefined;
  readonly needsContact?: true | undefined;
  readonly scarce?: true | undefined;
}

/** Says whether a source is asked, or a list is downloaded, without any key or setting. */
export function isDefault({ secret, noncommercial, needsContact }: Terms): boolean {
  return secret !== "required" && noncommercial === undefined && needsContact === undefined;
}

const drawDefault = (terms: Terms) => (isDefault(terms) ? "yes" : "–");

const code = (id: string) => `\`${id}\``;

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

function drawTerms(terms: Terms): string {
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

function drawZone(source: Source): Row {
  const zone = ZONES.find(({ id }) => id === source.id);
  const names = [...new Set(Object.values(zone?.names ?? {}))].map((name) => `\`${name}\``).join(", ");
  const terms = [
    drawTerms(source),
    ...(source.secret === "required" ? [`key needed: \`LIMPID_${source.id.toUpperCase()}_KEY\``] : []),
    ...(source.replacedBy === undefined ? [] : [`not asked while \`${source.replacedBy}\` has its key`]),
  ].filter((term) => term !== "–");
  const only = source.versions.length === 2 ? "" : ` (IPv${source.versions[0]} only)`;
  return [
    code(source.id),
    drawDefault(source),
    source.name,
    `${names}${only}`,
    String(source.weight),
    terms.join("; ") || "–",
  ];
}

function drawHours(ms: number): string {
  const hours = ms / HOUR_MS;
  if (hours < 1) return `${ms / 60_000} min`;
  return hours >= 48 && hours % 24 === 0 ? `${hours / 24} d` : `${hours} h`;
}

function drawLicence(licence: string, attribution: string | undefined): string {
  return attribution === undefined ? licence : `${licence}; credit: ${attribution}`;
}

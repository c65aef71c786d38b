import {
  AS_CLASSES,
  type AsClass,
  LIST_MEANINGS,
  type ListMeaning,
  TABLE_IDS,
  type TableId,
} from "#datasets";
import { readTsv } from "#tsv";
import type { Feed } from "../feed.ts";
import table from "./extent_bounds.tsv" with { type: "text" };

/** How much the rows of a list or table cover together. */
export interface Extent {
  /** IPv4 addresses. */
  readonly ipv4: number;
  /** IPv6 /48s, the prefix of one site (RFC 6177); a /48 that is covered in part counts as a whole one. */
  readonly ipv6: number;
  /** Different AS numbers. */
  readonly networks: number;
}

/** IPv4 addresses of a /8, and IPv6 /48s of a /32. */
export const SLASH_8 = 2 ** 24;
export const SLASH_32 = 2 ** 16;

/** A kind of list: its meaning, or `cloud` when an operator publishes the servers that it rents out. */
export type ListKind = ListMeaning | "cloud";

/** The most that a list of each kind may cover. */
export const EXTENT_BOUNDS = readBounds<ListKind>("list", [...LIST_MEANINGS, "cloud"]);

/** The most AS numbers of one class. */
export const AS_CLASS_BOUNDS = readBounds<AsClass>("as", AS_CLASSES);

/** The most that one AS or country of a table may cover. */
export const TABLE_VALUE_BOUNDS = readBounds<TableId>("table", TABLE_IDS);

/** Reads the bounds of `kinds` from the table. @throws when one is missing. */
function readBounds<Kind extends string>(of: string, kinds: readonly Kind[]): Readonly<Record<Kind, Extent>> {
  const rows = readTsv(table, ["of", "kind", "ipv4", "ipv6", "networks", "seen"]);
  const bounds = kinds.map((kind) => {
    const row = rows.find((one) => one.of === of && one.kind === kind);
    if (row === undefined) throw new Error(`Cannot bound the ${of} "${kind}": it has no row`);
    const { ipv4, ipv6, networks } = row;
    return [kind, { ipv4: readSize(ipv4), ipv6: readSize(ipv6), networks: Number(networks) }] as const;
  });
  return Object.fromEntries(bounds) as Record<Kind, Extent>; // one for each of `kinds`
}

/** Reads `2^14`, `4/8` or `64/32`; an empty text is 0. */
function readSize(text: string): number {
  const [, base, power = "1", unit] = /^(\d+)(?:\^(\d+)|\/(8|32))$/.exec(text) ?? [];
  if (base === undefined && text !== "") throw new Error(`Cannot read "${text}" as an extent`);
  return Number(base ?? 0) ** Number(power) * (unit === "8" ? SLASH_8 : unit === "32" ? SLASH_32 : 1);
}

/**
 * Below these a list may grow without a limit: a /16, the /29 that a new holder of IPv6 gets
 * (https://www.ripe.net/publications/docs/ripe-738), and as many AS numbers as there are rows in a small list.
 */
export const GROWTH_FLOOR: Extent = { ipv4: 2 ** 16, ipv6: 8 * SLASH_32, networks: 50 };

export function kindOf(feed: Pick<Feed, "authority">, meaning: ListMeaning): ListKind {
  return meaning === "hosting" && feed.authority === true ? "cloud" : meaning;
}

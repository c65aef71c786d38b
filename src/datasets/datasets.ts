import type { Address } from "#address";
import type { FeedState } from "./feed_state.ts";
import type { ListPlace } from "./feeds/feed.ts";
import type { ListEntry, NetworkEntry } from "./list_entry.ts";

/** One row of the ASN table. */
export interface AsnRow {
  readonly asn: number;
  readonly name: string;
}

/**
 * The state of one table: `date` is the date of its data (YYYY-MM-DD), `rows` its ranges that say something,
 * `origin` what it was made from, `problem` why it is not there.
 */
export interface TableState {
  readonly id: TableId;
  readonly ready: boolean;
  readonly date?: string;
  readonly rows?: number;
  readonly bytes?: number;
  readonly origin?: string;
  readonly problem?: string;
}

/** The tables: origin AS, registration country, country of use, and place of use, which has no seed. */
export type TableId = "asn" | "registration" | "country" | "city";

/** What the process knows without asking. A lookup on a table that is not ready throws {@link DatasetError}. */
export interface Datasets {
  asn(address: Address): AsnRow | undefined;
  /** ISO 3166-1 alpha-2 country of the registration. */
  registration(address: Address): string | undefined;
  /** ISO 3166-1 alpha-2 country of use. */
  country(address: Address): string | undefined;
  /** Country, region and city of use; where this table is ready its country is newer than the seed's. */
  place(address: Address): ListPlace | undefined;
  /** What all downloaded lists say about the address: one array shared by all who ask; undefined = nothing. */
  lists(address: Address): readonly ListEntry[] | undefined;
  /** What the downloaded lists say about an autonomous system. */
  asClasses(asn: number): readonly NetworkEntry[] | undefined;
  /** A list whose state is not `ready` must not be heard, whatever the tables still hold of it. */
  feedState(feed: string): FeedState;
  state(table: TableId): TableState;
  /** Every table that is there or should be: without a download there is no `city`, and nothing is wrong. */
  states(): readonly TableState[];
}

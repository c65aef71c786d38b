import type { TableId } from "#datasets";
import type { Feed, FeedFacts } from "./feed.ts";
import type { FeedContent } from "./feed_content.ts";

/**
 * Takes the rows of a table. Rows that are no address, range or prefix are counted as malformed, ranges wider than any
 * holder's are left out; too many malformed rows refuse the download. `value` is the text of the table's value.
 */
export interface TableSink {
  /** From the first to the last address, both included. */
  range(first: string, last: string, value: string): void;
  /** So many IPv4 addresses from the first on: not always a prefix. */
  count(first: string, addresses: number, value: string): void;
  prefix(text: string, value: string): void;
  /** The ends in words, most significant first: one for IPv4, four for IPv6. They are copied. */
  words(first: Uint32Array, last: Uint32Array, value: string): void;
  /** A row that names no range at all. */
  malformed(): void;
}

/** A download that replaces the seed of a whole table, so that nothing of the seed remains in it. */
export interface TableFeed<Id extends string = string>
  extends Pick<
    Feed<Id>,
    | "id"
    | "name"
    | "family"
    | "licence"
    | "attribution"
    | "homepage"
    | "files"
    | "hosts"
    | "headers"
    | "cadenceMs"
    | "expiresMs"
  > {
  readonly table: TableId;
  /** Raised when the same download would be made into something else. */
  readonly revision: number;
  /** Ranges a download must have, and may have in all. */
  readonly minRanges: { readonly ipv4: number; readonly ipv6: number };
  readonly maxRanges: number;
  /** Memory a machine must have in all, so that compiling the table does not starve the service. */
  readonly needsMemoryBytes?: number;
  /**
   * Reads one file; called once for each, in order. Pure.
   * @throws {FeedError} when the file is not what it must be.
   */
  parse(content: FeedContent, sink: TableSink): FeedFacts | Promise<FeedFacts>;
}

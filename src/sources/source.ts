import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { EvidenceCategory, Family, Observation } from "#evidence";
import type { SourceKind } from "#report";
import type { Upstream } from "#upstream";

/** What a source may use while it asks: the tables at hand and the world outside. */
export interface SourcePorts {
  readonly upstream: Upstream;
  readonly datasets: Datasets;
}

/** RFC 5782 §5: the full DNS names of the entry that must be listed and of the one that must not. */
export interface TestPoints {
  readonly listed: string;
  readonly clear: string;
}

/**
 * Someone to ask about an address: metadata, a question, and a pure reader.
 * It has no try/catch, no timing, no logging and no state: the runner owns those.
 */
export interface Source<Id extends string = string> {
  /** snake_case; upper-cased it names `LIMPID_<ID>_KEY` and `LIMPID_<ID>_DAILY`. */
  readonly id: Id;
  /** Display name, a proper noun that needs no translation. */
  readonly name: string;
  readonly kind: SourceKind;
  readonly family: Family;
  readonly matters: readonly EvidenceCategory[];
  /** Share in coverage; 1 = one ordinary source. */
  readonly weight: number;
  readonly versions: readonly (4 | 6)[];
  readonly timeoutMs: number;
  /** A table held by the process: asked even when live sources are off, never counted as live. */
  readonly local?: true;
  /** Days after which a table's data, by its own date, is ageing. A downloaded list knows its own age. */
  readonly freshDays?: number;
  /** `required`: skipped without a key; `optional`: asked either way. */
  readonly secret?: "required" | "optional";
  /** Asks again when it has been answered, so it begins before the others: they would have to wait for it. */
  readonly asksAgain?: true;
  /** A small or paid quota: asked only while the free answers leave the address undecided, or on refresh. */
  readonly scarce?: true;
  readonly noncommercial?: true;
  /** Terms demand a contact in the User-Agent. */
  readonly needsContact?: true;
  /** Id of a source that says the same and more: while that one has its key, this one is not asked. */
  readonly replacedBy?: string;
  /** The vendor's free quota of questions a day, without and with a key; absent = unbounded. */
  readonly daily?: { readonly keyless: number; readonly keyed: number };
  /** HTTPS hosts this source may be asked at; their union is the allow-list. */
  readonly hosts?: readonly string[];
  readonly zone?: { readonly id: string; readonly label: string };
  /** What to ask before the zone's word counts, for IPv4 and IPv6 questions. */
  readonly selfTest?: (version: 4 | 6, secret?: string) => TestPoints;
  ask(address: Address, ports: SourcePorts, signal: AbortSignal, secret?: string): Promise<unknown>;
  /**
   * Reads an answer; pure. `undefined` = the source has nothing to say about this address.
   * @throws {UpstreamError} kind `shape`, `quota` or `unavailable` when the answer is none.
   */
  read(answer: unknown, address: Address): Observation | undefined;
}

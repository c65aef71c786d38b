import type { Family, ListingMeaning } from "#evidence";

/** What one answer of a zone means: its short name there, and its meaning here. */
export interface ZoneCode {
  readonly name: string;
  readonly meaning: ListingMeaning;
  /** The code says something about the address without listing it (a neutral or good reputation, a test entry). */
  readonly listed?: false;
  /** The zone is an authority on this: its word stands alone. */
  readonly authoritative?: true;
}

/** A DNS list as data. */
export interface Zone<Id extends string = string> {
  /** snake_case; source id, zone id and name of the fixture. */
  readonly id: Id;
  readonly label: string;
  readonly family: Family;
  /** DNS name by IP version; a version that is missing is not carried. `{key}` stands for the operator's key. */
  readonly names: { readonly 4?: string; readonly 6?: string };
  /** Share in coverage; 1 = one ordinary source. */
  readonly weight: number;
  /** Documented answers; any other inside 127.0.0.0/8 is `others`, or unclassified. */
  readonly codes: Readonly<Record<string, ZoneCode>>;
  readonly others?: ZoneCode;
  /** Answers by which the zone declines to answer, in words; all of 127.255.255.0/24 is such, named or not. */
  readonly refusals?: Readonly<Record<string, string>>;
  readonly commercial?: true;
  readonly keyed?: true;
  readonly noncommercial?: true;
  /** Id of the zone that says the same and more to who has its key. */
  readonly replacedBy?: string;
  /** Page where a listing is explained or removed; `{ip}` stands for the address. */
  readonly delisting: string;
}

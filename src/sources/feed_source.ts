import * as v from "valibot";
import type { Datasets, ListEntry, ListMeaning } from "#datasets";
import type { Listing, ListingMeaning, Observation } from "#evidence";
import type { Feed } from "#feeds";
import type { Flag, UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { readShape } from "./read_shape.ts";
import type { Source } from "./source.ts";

const WEIGHT = 0.1;
const MAX_CODES = 4;

/** What a word means for the kind of address. Relays that nobody leaves by mean nothing for it. */
const FLAG_OF: Readonly<Partial<Record<ListMeaning, Flag>>> = {
  tor_exit: "isTor",
  relay: "isRelay",
  vpn: "isVpn",
  proxy: "isProxy",
  hosting: "isHosting",
  cdn: "isHosting",
  user_fetcher: "isHosting",
};
const USAGE_OF: Readonly<Partial<Record<ListMeaning, UsageType>>> = {
  hosting: "hosting",
  cdn: "hosting",
  user_fetcher: "hosting",
  satellite: "residential",
};
const LISTING_OF: Readonly<Partial<Record<ListMeaning, ListingMeaning>>> = {
  abuse: "abuse",
  severe: "severe",
  botnet: "botnet",
};
/** Those who carry, and those who serve their own people, are not told apart by what they are registered as. */
const USAGE_OF_CLASS: Readonly<Record<string, UsageType>> = {
  hosting: "hosting",
  cdn: "hosting",
  vpn: "hosting",
  isp: "residential",
  mobile: "mobile",
  satellite: "residential",
  education: "education",
  government: "government",
  business: "business",
};

/** What a collection may say of a relay's egress by mistake. */
const CARRIED: ReadonlySet<ListMeaning> = new Set(["vpn", "proxy", "hosting", "cdn"]);
const NOTHING: readonly ListEntry[] = [];

const text = v.exactOptional(v.string());
const AnswerSchema = v.object({
  isFresh: v.boolean(),
  isUpdateRefused: v.boolean(),
  date: text,
  asn: v.nullable(v.number()),
  entries: v.array(
    v.object({
      meaning: v.string(),
      label: text,
      place: v.exactOptional(v.object({ country: v.string(), region: text, city: text })),
    }),
  ),
  networks: v.array(v.object({ asClass: text, meaning: text, name: text })),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * Makes a source out of a downloaded list. An accusing list is a zone: what it does not list is "not listed". Where
 * the list is complete, absence is a "no"; elsewhere it says nothing. A list that grows old loses its
 * authority and counts for less in coverage.
 */
export function feedSource<const Id extends string>(feed: Feed<Id>): Source<Id> {
  const isAccusing = feed.meanings.some((meaning) => LISTING_OF[meaning] !== undefined);
  const isHeard = isAccusing || feed.complete !== undefined;
  return {
    id: feed.id,
    name: feed.name,
    kind: "free",
    family: feed.family,
    matters: isHeard ? ["lists"] : [],
    weight: isHeard ? (feed.weight ?? WEIGHT) : 0,
    versions: [4, 6],
    timeoutMs: 1000,
    local: true,
    ...(feed.needsContact === undefined ? {} : { needsContact: feed.needsContact }),
    ...(feed.noncommercial === undefined ? {} : { noncommercial: feed.noncommercial }),
    ...(isAccusing ? { zone: { id: feed.id, label: feed.name } } : {}),
    ask: async (address, { datasets }) => {
      const state = datasets.feedState(feed.id);
      const isUpdateRefused = state.error?.reason === "implausible";
      if (!state.ready && isUpdateRefused) throw new UpstreamError("unavailable", "list_refused");
      if (!state.ready) throw new UpstreamError("unavailable", state.problem ?? "not ready");
      const asn = feed.networks === true ? datasets.asn(address)?.asn : undefined;
      return {
        isFresh: state.freshness === "fresh",
        isUpdateRefused,
        ...(state.date === undefined ? {} : { date: state.date }),
        asn: asn ?? null,
        entries: chooseEntries(feed, datasets.lists(address) ?? NOTHING, datasets),
        networks:
          asn === undefined ? [] : (datasets.asClasses(asn)?.filter((entry) => entry.feed === feed.id) ?? []),
      };
    },
    read: (answer, address) => {
      const heard = readShape(AnswerSchema, answer);
      const isAuthority = feed.authority === true && heard.isFresh;
      if (heard.entries.length > 0 || heard.networks.length > 0) {
        return { ...readWords(feed, heard, isAuthority), ...readAge(heard) };
      }
      const isComplete = heard.isFresh && feed.complete?.includes(address.version) === true;
      const denied = isComplete ? feed.meanings.flatMap((meaning) => FLAG_OF[meaning] ?? []) : [];
      // With nothing to say it still tells how old its silence is.
      const age = readAge(heard);
      if (denied.length > 0)
        return { flags: Object.fromEntries(denied.map((flag) => [flag, false])), ...age };
      return Object.keys(age).length === 0 ? undefined : age;
    },
  };
}

/**
 * The feed's own entries. Collections of VPN and server networks carry a privacy relay's egress along; where a relay's
 * list holds the address, only who publishes ranges of its own is still heard on that.
 */
function chooseEntries(feed: Feed, entries: readonly ListEntry[], datasets: Datasets): readonly ListEntry[] {
  const own = entries.filter((entry) => entry.feed === feed.id);
  if (own.length === 0 || feed.authority === true) return own;
  const isRelay = entries.some((entry) => entry.meaning === "relay" && datasets.feedState(entry.feed).ready);
  return isRelay ? own.filter((entry) => !CARRIED.has(entry.meaning)) : own;
}

function readAge({
  date,
  isFresh,
  isUpdateRefused,
}: Answer): Pick<Observation, "dataDate" | "ageing" | "updateRefused"> {
  return {
    ...(date === undefined ? {} : { dataDate: date }),
    ...(isFresh ? {} : { ageing: true }),
    ...(isUpdateRefused ? { updateRefused: true } : {}),
  };
}

function readWords(feed: Feed, heard: Answer, isAuthority: boolean): Observation {
  const { entries, networks, asn } = heard;
  const ofNetwork = networks.flatMap(({ meaning }) => meaning ?? []);
  const meanings = [...entries.map(({ meaning }) => meaning), ...ofNetwork];
  const flags = new Set(meanings.flatMap((meaning) => pick(FLAG_OF, meaning) ?? []));
  const classes = networks.flatMap(({ asClass }) => asClass ?? []);
  const usage = [
    ...meanings.flatMap((meaning) => pick(USAGE_OF, meaning) ?? []),
    ...classes.flatMap((asClass) => pick(USAGE_OF_CLASS, asClass) ?? []),
  ][0];
  if (usage === "hosting") flags.add("isHosting");
  if (usage === "mobile") flags.add("isMobile");
  if (classes.includes("vpn")) flags.add("isVpn");
  const listing = readListing(feed, heard, meanings, isAuthority);
  const crawler = entries.find(({ meaning }) => meaning === "search_bot" || meaning === "ai_bot");
  const operator = entries.find(({ meaning, label }) => meaning === "vpn" && label !== undefined)?.label;
  const place = entries.find((entry) => entry.place !== undefined)?.place;
  const name = networks.find((network) => network.name !== undefined)?.name;
  return {
    ...(flags.size === 0 ? {} : { flags: Object.fromEntries([...flags].map((flag) => [flag, true])) }),
    ...(isAuthority && flags.size > 0 ? { authority: [...flags] } : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(listing === undefined ? {} : { listings: [listing] }),
    ...(crawler === undefined
      ? {}
      : { infrastructure: { role: "crawler", operator: crawler.label ?? feed.name } as const }),
    ...(operator === undefined ? {} : { vpn: { name: operator } }),
    ...(place === undefined ? {} : { geo: place }),
    ...(meanings.includes("anycast") ? { anycast: true as const } : {}),
    ...(asn === null || name === undefined ? {} : { asn: { asn, name } }),
  };
}

/** Entries about Tor relays that are no exits are recorded without meaning for risk. */
function readListing(
  feed: Feed,
  { entries }: Answer,
  meanings: readonly string[],
  isAuthority: boolean,
): Listing | undefined {
  const accusations = [...new Set(meanings.flatMap((meaning) => pick(LISTING_OF, meaning) ?? []))];
  if (accusations.length === 0) return undefined;
  const labels = entries.flatMap(({ meaning, label }) =>
    label !== undefined && pick(LISTING_OF, meaning) !== undefined ? [label] : [],
  );
  return {
    zone: feed.id,
    label: feed.name,
    listed: true,
    codes: [...new Set(labels)].slice(0, MAX_CODES),
    meanings: accusations,
    ...(isAuthority ? { authoritative: true as const } : {}),
  };
}

function pick<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

import { type Address, findPublicService } from "#address";
import { ACCUSING_MEANINGS, type Datasets, type ListEntry, type ListMeaning } from "#datasets";
import {
  type EvidenceCategory,
  kindOfClass,
  type Listing,
  type ListingMeaning,
  type Observation,
} from "#evidence";
import { type Feed, NOT_DOWNLOADED, NOT_HERE } from "#feeds";
import type { Flag, UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { omitEmpty } from "../read_fields.ts";
import type { Source } from "../source.ts";

const WEIGHT = 0.1;
const MAX_CODES = 4;

/** Flags that a meaning sets. A Tor relay that is not an exit sets none. */
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
/** Kinds of exit. A list of one of them is evidence on anonymity. */
const EXITS: ReadonlySet<ListMeaning> = new Set(["tor_exit", "relay", "vpn", "proxy"]);

/** Meanings that a list may give to a privacy relay's egress by mistake. */
const DOUBTFUL_FOR_RELAYS: ReadonlySet<ListMeaning> = new Set(["vpn", "proxy", "hosting", "cdn"]);
/** Meanings that a list may give to a CDN's server by mistake. */
const DOUBTFUL_FOR_CDNS: ReadonlySet<ListMeaning> = new Set(["proxy"]);
const NO_ENTRIES: readonly ListEntry[] = [];

/**
 * Makes a source from a list. A list that accuses is a zone: it reports "not listed" for addresses it does
 * not contain. When the list is complete, a missing address is a "no"; otherwise a missing address says nothing. An old
 * list, and one of the snapshot, is not authoritative and counts for less in coverage.
 */
export function feedSource(feed: Feed): Source {
  const isAccusing = feed.meanings.some((meaning) => LISTING_OF[meaning] !== undefined);
  const matters: EvidenceCategory[] = [];
  if (isAccusing) matters.push("lists");
  if (feed.meanings.some((meaning) => EXITS.has(meaning))) matters.push("anonymity");
  const isCounted = matters.length > 0;
  return {
    id: feed.id,
    name: feed.name,
    kind: "free",
    family: feed.family,
    matters,
    weight: isCounted ? (feed.weight ?? WEIGHT) : 0,
    versions: [4, 6],
    timeoutMs: 1000,
    local: true,
    list: true,
    ...(feed.needsContact === undefined ? {} : { needsContact: feed.needsContact }),
    ...(feed.noncommercial === undefined ? {} : { noncommercial: feed.noncommercial }),
    ...(isAccusing ? { zone: { id: feed.id, label: feed.name } } : {}),
    ...(feed.delistUrl === undefined ? {} : { delistUrl: feed.delistUrl }),
    ask: (address, { datasets }) => askList(feed, address, datasets),
    read: (given, address) => {
      // What `ask` has returned.
      const answer = given as Answer;
      const isAuthority = feed.authority === true && answer.isFresh;
      // The run reports the age of the list even without an entry.
      const age = readAge(answer);
      if (answer.entries.length > 0 || answer.networks.length > 0)
        return { ...readEntries(feed, answer, isAuthority), ...age };
      const isComplete = answer.isFresh && feed.complete?.includes(address.version) === true;
      const denied = isComplete ? feed.meanings.flatMap((meaning) => FLAG_OF[meaning] ?? []) : [];
      if (denied.length > 0)
        return { flags: Object.fromEntries(denied.map((flag) => [flag, false])), ...age };
      return Object.keys(age).length === 0 ? undefined : age;
    },
  };
}

type Answer = ReturnType<typeof askList>;

/** Looks the address and its AS up in the list. @throws {UpstreamError} kind `unavailable` when the list cannot be used. */
function askList(feed: Feed, address: Address, datasets: Datasets) {
  const state = datasets.feedState(feed.id);
  const isUpdateRefused = state.error?.reason === "implausible";
  if (!state.ready && isUpdateRefused) throw new UpstreamError("unavailable", "list_refused");
  const { problem = "not ready" } = state;
  const isAbsent = problem === NOT_DOWNLOADED || problem === NOT_HERE;
  const detail = isAbsent && state.error !== undefined ? "list_missing" : problem;
  if (!state.ready) throw new UpstreamError("unavailable", detail);
  const asn = feed.networks === true ? datasets.asn(address)?.asn : undefined;
  const networks = asn === undefined ? [] : (datasets.asClasses(asn) ?? []);
  return {
    isFresh: state.freshness === "fresh",
    isSnapshot: state.freshness === "snapshot",
    isUpdateRefused,
    date: state.date,
    asn,
    entries: chooseEntries(feed, address, datasets),
    networks: networks.filter((entry) => entry.feed === feed.id),
  };
}

/**
 * Chooses the feed's own entries; none when a list to which it yields contains the address. Lists of VPN and server
 * networks often include the egress of a privacy relay. When a relay's own list contains the address, only an
 * authoritative list may call it VPN, proxy, hosting or CDN. Lists of open proxies include servers of CDNs, which answer
 * everybody but let nobody out. Nobody leaves from a well-known public service, so no list may accuse it.
 */
function chooseEntries(feed: Feed, address: Address, datasets: Datasets): readonly ListEntry[] {
  const entries = datasets.lists(address) ?? NO_ENTRIES;
  const all = entries.filter((entry) => entry.feed === feed.id);
  if (all.length === 0) return all;
  const isService = findPublicService(address) !== undefined;
  const own = isService ? all.filter(({ meaning }) => !ACCUSING_MEANINGS.has(meaning)) : all;
  if (own.length === 0) return own;
  const isYielded = entries.some(
    (entry) => feed.yieldsTo?.includes(entry.feed) === true && datasets.feedState(entry.feed).ready,
  );
  if (isYielded) return NO_ENTRIES;
  if (feed.authority === true) return own;
  const hasReady = (meaning: ListMeaning) =>
    entries.some(
      (entry) => entry.meaning === meaning && entry.feed !== feed.id && datasets.feedState(entry.feed).ready,
    );
  const isRelay = hasReady("relay");
  const isCdn = hasReady("cdn");
  return own.filter(
    ({ meaning }) =>
      !(isRelay && DOUBTFUL_FOR_RELAYS.has(meaning)) && !(isCdn && DOUBTFUL_FOR_CDNS.has(meaning)),
  );
}

function readAge({
  date,
  isFresh,
  isSnapshot,
  isUpdateRefused,
}: Answer): Pick<Observation, "dataDate" | "ageing" | "snapshot" | "updateRefused"> {
  return {
    ...(date === undefined ? {} : { dataDate: date }),
    ...(isFresh ? {} : { ageing: true }),
    ...(isSnapshot ? { snapshot: true } : {}),
    ...(isUpdateRefused ? { updateRefused: true } : {}),
  };
}

function readEntries(feed: Feed, answer: Answer, isAuthority: boolean): Observation {
  const { entries, networks, asn } = answer;
  const networkMeanings = networks.flatMap(({ meaning }) => meaning ?? []);
  const meanings = [...entries.map(({ meaning }) => meaning), ...networkMeanings];
  const flags = new Set(meanings.flatMap((meaning) => FLAG_OF[meaning] ?? []));
  const usage = meanings.flatMap((meaning) => USAGE_OF[meaning] ?? [])[0];
  if (usage === "hosting") flags.add("isHosting");
  // The evidence decides between the kinds of this list and what other origins know about the AS.
  const asKinds = [...new Set(networks.flatMap(({ asClass }) => kindOfClass(asClass) ?? []))];
  const listing = readListing(feed, answer, meanings, isAuthority);
  const crawler = entries.find(({ meaning }) => meaning === "search_bot" || meaning === "ai_bot");
  const operator = entries.find(({ meaning, label }) => meaning === "vpn" && label !== undefined)?.label;
  const place = entries.find((entry) => entry.place !== undefined)?.place;
  const name = networks.find((network) => network.name !== undefined)?.name;
  const registered = networks.find((network) => network.registered !== undefined)?.registered;
  return omitEmpty({
    flags: Object.fromEntries([...flags].map((flag) => [flag, true])),
    authority: isAuthority ? [...flags] : [],
    usage,
    asKinds,
    listings: listing && [listing],
    infrastructure: crawler && { role: "crawler" as const, operator: crawler.label ?? feed.name },
    vpn: operator === undefined ? undefined : { name: operator },
    geo: place,
    anycast: meanings.includes("anycast") || undefined,
    satellite: meanings.includes("satellite") || undefined,
    asn: asn === undefined || name === undefined ? undefined : omitEmpty({ asn, name, registered }),
  });
}

/** Makes a listing from the accusing entries, if there are any. */
function readListing(
  feed: Feed,
  { entries }: Answer,
  meanings: readonly ListMeaning[],
  isAuthority: boolean,
): Listing | undefined {
  const accusations = [...new Set(meanings.flatMap((meaning) => LISTING_OF[meaning] ?? []))];
  if (accusations.length === 0) return undefined;
  const labels = entries.flatMap(({ meaning, label }) =>
    label !== undefined && LISTING_OF[meaning] !== undefined ? [label] : [],
  );
  return {
    zone: feed.id,
    label: feed.name,
    listed: true,
    codes: [...new Set(labels)].slice(0, MAX_CODES),
    meanings: accusations,
    ...countVoices(feed, labels),
    ...(isAuthority ? { authoritative: true as const } : {}),
  };
}

/** The independent lists behind the entries, when the list counts other lists. */
function countVoices(feed: Feed, labels: readonly string[]): Pick<Listing, "voices"> {
  const counts = labels.flatMap((label) => feed.countVoices?.(label) ?? []);
  return counts.length === 0 ? {} : { voices: Math.max(...counts) };
}

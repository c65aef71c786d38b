import type { Address } from "#address";
import type { Evidence, Observation, SourceRun } from "#evidence";
import { FEEDS } from "#feeds";
import { feedSource, SOURCES, type Source } from "#sources";
import { type Feature, featureOf, type LabelledSet } from "./labelled_set.ts";
import { type LocalSurvey, SURVEYED_AT } from "./tables_evidence.ts";

/** A survey as it would be if the label of the row were true and the sources behaved as usual. */
export interface LabelledRuns {
  readonly runs: readonly SourceRun[];
  /** Reported by less than the label says: by one uncertain source alone, or by fewer lists. */
  readonly isThin: boolean;
}

/** Which sources answer: as usual, all, none, every second one, downloaded lists only, or all but these lists. */
export type Telling = "usual" | "everything" | "nothing" | "half" | "lists" | "live";

function isSilent(telling: Telling, isList: boolean, draw: number): boolean {
  if (telling === "half") return draw < 0.5;
  if (telling === "lists") return !isList;
  return telling === "nothing" || (telling === "live" && isList);
}

type Said = Record<string, Observation>;

/** Sources without keys, contact or licence: free vendors, DNS lists and downloaded lists. */
const ASKED: readonly Source[] = SOURCES.filter(
  ({ local, secret, noncommercial, needsContact, scarce }) =>
    local !== true && secret !== "required" && !noncommercial && !needsContact && !scarce,
);
const LISTS: readonly Source[] = FEEDS.filter((feed) => !("needsContact" in feed)).map((feed) =>
  feedSource(feed),
);
const LIST_IDS: ReadonlySet<string> = new Set(LISTS.map((list) => list.id));

const KNOWN: ReadonlySet<string> = new Set([...ASKED, ...LISTS].map((source) => source.id));

/** One source in so many fails; one survey in so many has no live answer, and one has no downloads yet. */
const FAILED = 0.05;
const ALL_LIVE_FAILED = 0.03;
const NO_DOWNLOADS = 0.05;

/** Lists of abuse from different families, in the order in which an address usually gets on them. */
const ACCUSERS = [
  "ipsum",
  "blocklist_de",
  "cins",
  "greensnow",
  "uceprotect_l1",
  "et_compromised",
  "s5h",
  "dronebl",
  "spamrats_auth",
  "mailspike",
] as const;
/** Lists of mail senders and old machines, which sometimes contain an ordinary address. */
const STRAY = ["uceprotect_l1", "spamrats_spam", "mailspike", "psbl", "s5h"] as const;
const CLEAN = { isProxy: false, isVpn: false, isTor: false, isHosting: false } as const;

/**
 * Feeds a row into the engine as the evidence its label stands for. Nothing is drawn by chance: a hash of the address
 * decides, so the same row is always told the same way. Undefined where the label says nothing a score could show.
 *
 * - Tor exit: exit list and DNS list and vendor 60 %; both lists 13 %; DNS list and vendor 10 %; list alone, nothing
 *   live 10 %; an aged list and a vendor 5 %; a vendor alone, both lists unheard 2 %. Half are on 1–3 abuse lists.
 * - VPN: the networks' table as it is, with vendor and list 45 %; vendor alone 20 %; list alone 15 %; vendor and the
 *   operator's own list 15 %; the vendor unheard and the operator's own list 5 %. A quarter are on one abuse list.
 * - Proxy: vendor and DroneBL 40 %; vendor with attacks on record 30 %; vendor alone 15 %; DroneBL alone 15 %.
 * - Relay: Apple's own list, vendor says hosting. Crawler: confirmed name or own list. Hosting: vendor agrees 85 %.
 * - On 5+ lists, families heard among ours: five 35 %, four 30 %, three 22 %, two 10 %, one 3 %; attacks with 80 %.
 *   On 3–4: four 15 %, three 35 %, two 35 %, one 15 %. Threat sets likewise. On 1–2: two 30 %, one 70 %.
 * - Ordinary: vendor names the use and denies the rest; 40 % on a list of dynamic space, 4 % on one abuse list,
 *   1 % on two, 1 % a VPN and 1 % a proxy to the vendor alone, 8 % with a few attacks on record, and with 7 % the vendor is unheard.
 * On top of it each source fails one time in twenty, but for those the row is told to rest on. `telling` decides which
 * sources answer instead.
 */
export function tellAsLabelled(
  set: LabelledSet,
  address: Address,
  nowMs: number,
  telling: Telling = "usual",
): LabelledRuns | undefined {
  const feature = featureOf(set);
  if (feature === undefined) return undefined;
  const draw = (salt: string) => hash(`${set.id} ${salt} ${address.text}`);
  const story = tell(feature, set, address.version, draw, nowMs);
  const strangers = Object.keys(story.said).filter((id) => !KNOWN.has(id));
  if (strangers.length > 0) throw new Error(`Cannot tell as labelled: nobody asks "${strangers.join(", ")}"`);
  const everLive = Object.keys(story.said).some((id) => !LIST_IDS.has(id));
  const everList = Object.keys(story.said).some((id) => LIST_IDS.has(id));
  const deaf = story.deaf === true || (!everLive && draw("all live") < ALL_LIVE_FAILED);
  const bare = !everList && draw("downloads") < NO_DOWNLOADS;
  const runs = [...ASKED, ...LISTS]
    .filter((source) => source.versions.includes(address.version))
    .map((source): SourceRun => {
      const said = story.said[source.id];
      const isList = LIST_IDS.has(source.id);
      if (isSilent(telling, isList, draw(`heard ${source.id}`))) return makeRun(source, "failed");
      if (said !== undefined) return makeRun(source, said);
      if (telling !== "usual") return makeRun(source, "empty");
      const isFailed =
        story.unheard?.includes(source.id) === true ||
        (isList ? bare : deaf) ||
        (!isList && draw(source.id) < FAILED);
      return makeRun(source, isFailed ? "failed" : "empty");
    });
  return { runs, isThin: story.isThin === true };
}

/** The evidence of the tables and of the sources that tell the label; undefined where it says nothing to them. */
export async function askAsLabelled(
  survey: LocalSurvey,
  set: LabelledSet,
  address: Address,
  telling: Telling,
): Promise<Evidence | undefined> {
  const told = tellAsLabelled(set, address, Date.parse(SURVEYED_AT), telling);
  return told && survey.ask(address, told.runs);
}

interface Story {
  readonly said: Said;
  readonly unheard?: readonly string[];
  /** No live source answers. */
  readonly deaf?: boolean;
  readonly isThin?: boolean;
}

type Draw = (salt: string) => number;

function tell(feature: Feature, set: LabelledSet, version: 4 | 6, draw: Draw, nowMs: number): Story {
  const u = draw("story");
  const vendor = (rest: Observation): Said => ({
    proxycheck: { ...rest, flags: { ...CLEAN, ...rest.flags } },
  });
  const hosted = draw("hosted") < 0.6;
  const use: Pick<Observation, "usage"> = hosted ? { usage: "hosting" } : { usage: "business" };
  switch (feature) {
    case "tor": {
      const list: Said = { tor_exits: { flags: { isTor: true }, authority: ["isTor"] } };
      // The DNS list knows IPv4 only.
      const dns: Said =
        version === 6 ? list : { tor_dnsel: { flags: { isTor: true }, authority: ["isTor"] } };
      const hearsay = vendor({ ...use, flags: { isTor: true, isHosting: hosted } });
      const bad = draw("listed") < 0.5 ? accuse(1 + Math.floor(draw("many") * 3), draw) : {};
      if (u < 0.6) return { said: { ...list, ...dns, ...hearsay, ...bad } };
      if (u < 0.73) return { said: { ...list, ...dns, ...bad }, unheard: ["proxycheck"] };
      if (u < 0.83) return { said: { ...dns, ...hearsay } };
      if (u < 0.93) return { said: list, deaf: true };
      if (u < 0.98)
        return { said: { tor_exits: { flags: { isTor: true } }, ...hearsay }, unheard: ["tor_dnsel"] };
      return {
        said: hearsay,
        unheard: ["tor_dnsel", "onionoo", "tor_exits", "tor_exit_addresses", "tor_nodes"],
        isThin: true,
      };
    }
    case "vpn": {
      const hearsay = vendor({ ...use, flags: { isVpn: true, isHosting: hosted } });
      const list: Said = { x4bnet_vpn: { flags: { isVpn: true } } };
      const own: Said = {
        mullvad: { flags: { isVpn: true }, authority: ["isVpn"], vpn: { name: "Example" } },
      };
      const bad = draw("listed") < 0.25 ? accuse(1, draw) : {};
      if (u < 0.45) return { said: { ...hearsay, ...list, ...bad } };
      if (u < 0.65) return { said: { ...hearsay, ...bad }, isThin: true };
      if (u < 0.8) return { said: { ...vendor({ usage: "hosting" }), ...list, ...bad }, isThin: true };
      if (u < 0.95) return { said: { ...hearsay, ...own, ...bad } };
      return { said: own, unheard: ["proxycheck"] };
    }
    case "proxy": {
      const home: Observation = { usage: draw("home") < 0.5 ? "residential" : "hosting" };
      const hearsay = vendor({ ...home, flags: { isProxy: true } });
      const zone: Said = { dronebl: listing("dronebl", "proxy") };
      if (u < 0.4) return { said: { ...hearsay, ...zone } };
      if (u < 0.7)
        return {
          said: vendor({ ...home, flags: { isProxy: true }, ...attacks(draw, nowMs) }),
          isThin: true,
        };
      if (u < 0.85) return { said: hearsay, isThin: true };
      return { said: { ...vendor(home), ...zone }, isThin: true };
    }
    case "relay":
      return {
        said: {
          ...vendor({ usage: "hosting", flags: { isHosting: true } }),
          private_relay: { flags: { isRelay: true }, authority: ["isRelay"] },
        },
      };
    case "hosting": {
      const bad = draw("listed") < 0.08 ? accuse(1, draw) : {};
      if (u < 0.85) return { said: { ...vendor({ usage: "hosting", flags: { isHosting: true } }), ...bad } };
      return { said: bad, unheard: ["proxycheck"] };
    }
    case "crawler":
      return {
        said: {
          ...vendor({ usage: "hosting", flags: { isHosting: true } }),
          ...(u < 0.5
            ? { reverse_dns: { reverse: { names: ["crawl.example.com"], crawler: "Example" } } }
            : { googlebot: { infrastructure: { role: "crawler", operator: "Example" } } }),
        },
      };
    case "listed_5": {
      const count = [0.35, 0.65, 0.87, 0.97].findIndex((cut) => u < cut);
      return tellListed(count < 0 ? 1 : 5 - count, 5, draw, nowMs, use);
    }
    case "listed_3": {
      const count = [0.15, 0.5, 0.85].findIndex((cut) => u < cut);
      return tellListed(count < 0 ? 1 : 4 - count, 3, draw, nowMs, use);
    }
    case "listed_1":
      return tellListed(u < 0.3 ? 2 : 1, 1, draw, nowMs, use);
    case "ordinary": {
      const types = set.label.usageType ?? [];
      const main = types.includes("education")
        ? "education"
        : types[0] === "mobile" && draw("use") < 0.7
          ? "mobile"
          : draw("use") < 0.85
            ? "residential"
            : "business";
      const flags = u < 0.01 ? { isVpn: true } : u < 0.02 ? { isProxy: true } : {};
      const few = draw("attacks") < 0.08 ? attacks(draw, nowMs, 40) : {};
      const dynamic = draw("dynamic") < 0.4 ? { spamrats_dyna: listing("spamrats_dyna", "policy") } : {};
      const count = draw("stray") < 0.01 ? 2 : draw("stray") < 0.05 ? 1 : 0;
      const bad = Object.fromEntries(pick(STRAY, count, draw).map((id) => [id, listing(id, "abuse")]));
      if (draw("vendor") < 0.07) return { said: { ...dynamic, ...bad }, unheard: ["proxycheck"] };
      return { said: { ...vendor({ usage: main, flags, ...few }), ...dynamic, ...bad } };
    }
  }
}

function tellListed(
  count: number,
  wanted: number,
  draw: Draw,
  nowMs: number,
  use: Pick<Observation, "usage">,
): Story {
  const seen = draw("seen") < 0.8 ? attacks(draw, nowMs) : {};
  const isHome = draw("home") < 0.4;
  const said: Observation = {
    flags: CLEAN,
    ...(isHome ? { usage: "residential" } : use),
    ...seen,
  };
  return { said: { proxycheck: said, ...accuse(count, draw) }, isThin: count < wanted };
}

function accuse(count: number, draw: Draw): Said {
  return Object.fromEntries(pick(ACCUSERS, count, draw).map((id) => [id, listing(id, "abuse")]));
}

function pick<Id extends string>(ids: readonly Id[], count: number, draw: Draw): readonly Id[] {
  return [...ids].toSorted((a, b) => draw(`pick ${a}`) - draw(`pick ${b}`)).slice(0, count);
}

function listing(zone: string, meaning: "abuse" | "proxy" | "policy"): Observation {
  return { listings: [{ zone, label: zone, listed: true, codes: [meaning], meanings: [meaning] }] };
}

/** From one to `most` attacks, evenly by magnitude, last seen within three weeks. */
function attacks(draw: Draw, nowMs: number, most = 3000): Pick<Observation, "abuse"> {
  const count = Math.max(1, Math.round(most ** draw("attacks seen")));
  const lastSeen = new Date(nowMs - draw("age") * 21 * 86_400_000).toISOString();
  return { abuse: { attacks: { login_attempt: count }, lastSeen } };
}

function makeRun(source: Source, said: Observation | "empty" | "failed"): SourceRun {
  const { id, name, kind, family, matters, weight, zone } = source;
  const run = { id, name, kind, family, matters, weight, local: source.local === true, ms: 1 };
  const base = zone === undefined ? run : { ...run, zone };
  if (said === "empty") return { ...base, state: "empty" };
  if (said === "failed") return { ...base, state: "failed", error: "timeout" };
  return { ...base, state: "answered", observation: said };
}

/** FNV-1a of the text with a final mix, as a number from 0 to 1 (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}

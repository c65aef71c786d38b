import type { Client } from "@libsql/client";
import { eq, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { LRUCache } from "lru-cache";
import type { SourceState } from "#report";
import { dictionaries } from "../schema.ts";
import { asBytes, readText, toStatement } from "../statements.ts";

/** Dictionaries in memory at once. A database has one for each list of sources that was used with it. */
const MAX_DICTIONARIES = 64;

const FIND = toStatement(
  new QueryBuilder()
    .select({ content: asBytes(dictionaries.content) })
    .from(dictionaries)
    .where(eq(dictionaries.id, sql.placeholder("id"))),
);

/**
 * Text that most documents have in common, used as a zstd dictionary (RFC 8878, section 5, raw content). A document
 * can be read only with the dictionary that it was written with, so dictionaries are stored.
 */
export interface Dictionary {
  /** 16 hexadecimal digits of the SHA-256 of `content`. */
  readonly id: string;
  readonly content: string;
  /** `content` in UTF-8. */
  readonly bytes: Uint8Array;
  /** Every source as it appears in an assessment when it is turned off, in the order of the sources; frozen. */
  readonly turnedOff: readonly SourceState[];
}

/** The dictionaries of one database. */
export interface DictionaryCache {
  /** Reads a dictionary once and keeps it; undefined when it is missing or damaged. */
  find(id: string, client: Pick<Client, "execute">): Promise<Dictionary | undefined>;
  /** Returns a dictionary that was read before; undefined otherwise. */
  findCached(id: string): Dictionary | undefined;
  /** The dictionary for surveys with these runs; the same for all surveys of one list of sources. */
  ofRuns(runs: readonly object[]): Dictionary;
  /** The dictionary that was used last; undefined before the first. */
  latest(): Dictionary | undefined;
}

/** Creates the {@link DictionaryCache} of one database. */
export function createDictionaryCache(): DictionaryCache {
  const cache = new LRUCache<string, Dictionary>({ max: MAX_DICTIONARIES });
  /** The dictionary for new surveys: a process has one list of sources. */
  let written: { readonly sources: string; readonly dictionary: Dictionary } | undefined;

  return {
    async find(id, client) {
      const cached = cache.get(id);
      if (cached !== undefined) return cached;
      const content = await readDictionaryContent(id, client);
      if (content === undefined) return undefined;
      const dictionary = createDictionary(content);
      cache.set(id, dictionary);
      return dictionary;
    },
    findCached: (id) => cache.get(id),
    ofRuns(runs) {
      const described = runs.map((run) => describeSource({ ...run }));
      const sources = JSON.stringify(described);
      if (written?.sources !== sources) {
        written = { sources, dictionary: createDictionary(composeContent(described)) };
      }
      cache.set(written.dictionary.id, written.dictionary);
      return written.dictionary;
    },
    latest: () => [...cache.values()][0],
  };
}

/** Reads the content of a stored dictionary; undefined when it is missing or does not match its id. */
export async function readDictionaryContent(
  id: string,
  client: Pick<Client, "execute">,
): Promise<string | undefined> {
  const { rows } = await client.execute({ sql: FIND.sql, args: FIND.args({ id }) });
  if (rows[0] === undefined) return undefined;
  const content = readText(rows[0][0]);
  return idOf(content) === id ? content : undefined;
}

function createDictionary(content: string): Dictionary {
  // `composeContent` wrote the last line: the id is a hash of the content.
  const turnedOff = JSON.parse(content.slice(content.lastIndexOf("\n") + 1)) as SourceState[];
  return {
    id: idOf(content),
    content,
    bytes: Buffer.from(content),
    turnedOff: turnedOff.map((source) => Object.freeze(source)),
  };
}

function idOf(content: string): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 16);
}

/** The fields of a run that depend only on its source. */
function describeSource(run: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id, name, kind, family, matters, weight, local, zone } = run;
  return { id, name, kind, family, matters, weight, local, zone };
}

/** {@link EXAMPLES}, and all sources as they appear in surveys, listings and assessments when they report nothing. */
function composeContent(sources: readonly Readonly<Record<string, unknown>>[]): string {
  const turnedOff = { state: "skipped", ms: 0, skipped: "turned_off" };
  const runs: object[] = [];
  const listings: object[] = [];
  for (const source of sources) {
    const zone: object | undefined =
      typeof source.zone === "object" && source.zone !== null ? source.zone : undefined;
    if (zone === undefined) {
      runs.push({ ...source, ...turnedOff });
      continue;
    }
    const { id, label } = { id: undefined, label: undefined, ...zone };
    const listing = { zone: id, label, listed: false };
    runs.push({
      ...source,
      state: "answered",
      ms: 1,
      observation: { listings: [{ ...listing, codes: [], meanings: [] }] },
    });
    listings.push({ ...listing, benign: false, unavailable: false });
  }
  const states = sources.map(({ id, name, kind }) => ({ id, name, kind, ...turnedOff }));
  // References to the end of the dictionary are the shortest, so the most frequent text is last.
  return [EXAMPLES, JSON.stringify(runs), JSON.stringify(listings), JSON.stringify(states)].join("\n");
}

/** Parts of common documents. After a change, new documents use a new dictionary, and old ones stay readable. */
const EXAMPLES = [
  '{"observation":{"flags":{"isProxy":false,"isVpn":false,"isTor":false,"isHosting":false,"isMobile":false,"isRelay":false},"usage":"residential"',
  ',"geo":{"country":"US","region":"","city":"","timezone":"America/New_York"},"asn":{"asn":1,"name":"","org":"","route":""},"announced":true',
  ',"registry":{"rir":"ripencc","country":"DE","netName":"","cidr":"","allocatedAt":""},"abuse":{"score":0,"reports":0},"sharing":{"address":1,"subnet":1}}}',
  '{"observation":{"dataDate":"2026-","ageing":true}},"skipped":"no_key"},"skipped":"no_contact"},"skipped":"daily_budget"},"skipped":"settled"},"skipped":"paused"}',
  '"error":"timeout","detail":"no answer in time"},"error":"unavailable","detail":"HTTP 503"},"error":"rate_limited","detail":"HTTP 429"},"dataDate":"2026-',
  '"usage":"residential","native":"native","flags":{"isProxy":false,"isVpn":false,"isTor":false,"isHosting":false,"isMobile":false,"isRelay":false,"isBogon":false,"isSearchEngineBot":false},"agreement":{}',
  ',"purity":100,"band":"pristine","confidence":"high","verdict":{"id":"no_signals","data":{"heard":31,"planned":31}},"factors":[{"id":"","category":"","points":',
  '],"scenarios":[{"id":"ai","score":97,"level":"excellent","reasons":[{"id":"usage","data":{"usage":"business"}},{"id":"not_listed","data":{}},{"id":"native","data":{}}]}',
  ',{"id":"social","score":92,"level":"good","reasons":[{"id":"usage","data":{"usage":"hosting"}},{"id":"listed","data":{}}]},{"id":"streaming","score":',
  ',{"id":"gaming","score":,{"id":"ecommerce","score":,{"id":"email","score":100,"level":"excellent","reasons":',
  '"listings":[],"abuse":[{"source":"StopForumSpam","score":0,"reports":0}],"exposure":{"observed":false,"ports":[],"vulns":[]},"sharing":{"address":1,"subnet":1},"sources":[',
  '"unknowns":[{"id":"platform_labels","data":{}},{"id":"exclusivity","data":{}},{"id":"linked_accounts","data":{}},{"id":"device_and_behaviour","data":{}},{"id":"profile_match","data":{}}]}',
  ',"version":4,"surveyedAt":"2026-11-21T',
].join("");

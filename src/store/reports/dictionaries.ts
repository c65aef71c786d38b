import type { Client } from "@libsql/client";
import { eq, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { LRUCache } from "lru-cache";
import type { SourceState } from "#report";
import { dictionaries } from "../schema.ts";
import { asBytes, readText, toStatement } from "../statements.ts";
import examples from "./examples.txt" with { type: "text" };

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
export type Dictionary = Readonly<ReturnType<typeof createDictionary>>;

export type DictionaryCache = ReturnType<typeof createDictionaryCache>;

/** Creates the {@link DictionaryCache} of one database. */
export function createDictionaryCache() {
  const cache = new LRUCache<string, Dictionary>({ max: MAX_DICTIONARIES });
  /** The dictionary for new surveys: a process has one list of sources. */
  let written: { readonly sources: string; readonly dictionary: Dictionary } | undefined;

  return {
    /** Reads a dictionary once and keeps it; undefined when it is missing or damaged. */
    async find(id: string, client: Pick<Client, "execute">): Promise<Dictionary | undefined> {
      const cached = cache.get(id);
      if (cached !== undefined) return cached;
      const { rows } = await client.execute({ sql: FIND.sql, args: FIND.args({ id }) });
      const content = rows[0] && readText(rows[0][0]);
      if (content === undefined || idOf(content) !== id) return undefined;
      const dictionary = createDictionary(content);
      cache.set(id, dictionary);
      return dictionary;
    },
    /** Returns a dictionary that was read before; undefined otherwise. */
    findCached: (id: string) => cache.get(id),
    /** The dictionary for surveys with these runs; the same for all surveys of one list of sources. */
    ofRuns(runs: readonly object[]): Dictionary {
      const described = runs.map((run) => describeSource({ ...run }));
      const sources = JSON.stringify(described);
      if (written?.sources !== sources) {
        written = { sources, dictionary: createDictionary(composeContent(described)) };
      }
      cache.set(written.dictionary.id, written.dictionary);
      return written.dictionary;
    },
    /** The dictionary that was used last; undefined before the first. */
    latest: () => [...cache.values()][0],
  };
}

function createDictionary(content: string) {
  // `composeContent` wrote the last line: the id is a hash of the content.
  const turnedOff = JSON.parse(content.slice(content.lastIndexOf("\n") + 1)) as SourceState[];
  return {
    /** 16 hexadecimal digits of the SHA-256 of `content`. */
    id: idOf(content),
    content,
    /** `content` in UTF-8. */
    bytes: Buffer.from(content),
    /** Every source as it appears in an assessment when it is turned off, in the order of the sources; frozen. */
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
const EXAMPLES = examples.replaceAll("\n", "");

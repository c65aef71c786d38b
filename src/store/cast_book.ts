import type { Client } from "@libsql/client";
import { type Cast, castOf, describeSources, readCast } from "./cast.ts";
import { readText } from "./read_text.ts";

/** Casts in memory at once; a database has one for each version of the list of sources that wrote to it. */
const MAX_CASTS = 64;

const FIND = "SELECT CAST(content AS BLOB) AS content FROM casts WHERE id = ?1";

/** The casts that documents were packed with. */
export interface CastBook {
  /** Read once and kept; undefined when it is missing or not what its id says. */
  find(id: string, client: Pick<Client, "execute">): Promise<Cast | undefined>;
  /** Undefined for what has not been read yet. */
  peek(id: string): Cast | undefined;
  /** The cast of a survey's runs; undefined for what has another form. */
  cast(runs: readonly object[]): Cast | undefined;
  /** Those in memory, latest first. */
  known(): readonly Cast[];
}

/** Creates the {@link CastBook} of one database. */
export function createCastBook(): CastBook {
  const casts = new Map<string, Cast>();
  /** A process surveys with one list of sources. */
  let latest: { readonly sources: string; readonly cast: Cast } | undefined;

  function keep(cast: Cast): Cast {
    for (const [oldest] of casts) {
      if (casts.size < MAX_CASTS) break;
      casts.delete(oldest);
    }
    casts.set(cast.id, cast);
    return cast;
  }

  return {
    async find(id, client) {
      const known = casts.get(id);
      if (known !== undefined) return known;
      const { rows } = await client.execute({ sql: FIND, args: [id] });
      const content = rows[0]?.content;
      const read = content === undefined ? undefined : readCast(readText(content));
      return read?.id === id ? keep(read) : undefined;
    },
    peek: (id) => casts.get(id),
    cast(runs) {
      const sources = describeSources(runs);
      if (latest?.sources === sources) return latest.cast;
      const made = castOf(sources);
      if (made === undefined) return undefined;
      latest = { sources, cast: casts.get(made.id) ?? keep(made) };
      return latest.cast;
    },
    known: () => [...casts.values()].reverse(),
  };
}

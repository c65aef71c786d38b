import type { Client } from "@libsql/client";
import { asc, desc, gt, lt, type SQL, sql } from "drizzle-orm";
import { QueryBuilder, unionAll } from "drizzle-orm/sqlite-core";
import type { Assessment, Conclusion } from "#report";
import { isTableMissing, listCauses } from "./failures.ts";
import { openReplica, type ReplicaOptions, type ReplicaState } from "./mirror/replica.ts";
import { findVoteSums } from "./ratings/rating_repository.ts";
import { createDictionaryCache } from "./reports/dictionaries.ts";
import { readAssessment, readSurvey } from "./reports/read_documents.ts";
import {
  describeRow,
  FIND_RATED_REPORT,
  findRow,
  findSurveyValue,
  readHistory,
} from "./reports/report_queries.ts";
import { reports } from "./schema.ts";
import { asBytes, PING, readText, toStatement } from "./statements.ts";
import { type FoundReport, type Store, StoreError } from "./store.ts";

/** The reports of a primary's database, read from a copy on this machine. No call waits for the primary. */
export interface Mirror {
  readonly store: Pick<Store, "find" | "findSurvey" | "history" | "ping" | "close"> & {
    readonly ratings: Pick<Store["ratings"], "read">;
  };
  /** The state of the copy. */
  state(): ReplicaState;
}

/**
 * Opens a mirror of a primary's database. An address that the copy does not contain is not found. Before the first
 * copy, no address is found. A call that reads a damaged row rejects, and the mirror makes a new copy. The mirror
 * writes to the copy only.
 * @throws {StoreError} when its folder cannot be used.
 */
export async function openMirror(options: ReplicaOptions): Promise<Mirror> {
  const replica = await openReplica(options);
  const dictionaries = createDictionaryCache();
  /** Copies whose tables were read without an error. */
  const withTables = new WeakSet<Client>();

  async function attempt<Result>(
    what: string,
    fallback: Result,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    let used: Client | undefined;
    try {
      const read = (client: Client) => {
        used = client;
        return work(client);
      };
      return (await replica.read(read)) ?? fallback;
    } catch (error) {
      // A new primary has no tables yet. If tables disappear from a copy, the copy is damaged.
      if (isTableMissing(error) || /no such column/i.test(listCauses(error))) {
        if (used === undefined || !withTables.has(used)) return fallback;
        replica.reportDamage("its tables are missing");
      }
      throw new StoreError(`Cannot ${what} mirror: ${listCauses(error)}`, { cause: error });
    }
  }

  /** Undefined for a format that is no longer read. @throws when the row is damaged. */
  async function readOwn(address: string, value: unknown, client: Client): Promise<Assessment | undefined> {
    const assessment = await readAssessment(address, value, dictionaries, client);
    if (assessment === "unread") return undefined;
    if (typeof assessment !== "string") return assessment;
    throw damage(assessment === "foreign" ? "a report is stored for another address" : "a report is damaged");
  }

  /** Makes the replica replace its copy. */
  function damage(problem: string): TypeError {
    replica.reportDamage(problem);
    return new TypeError(problem);
  }

  return {
    state: replica.state,
    store: {
      find(address) {
        return attempt<FoundReport | undefined>("read a report from", undefined, async (client) => {
          const row = await findRow(client, FIND_RATED_REPORT, address);
          withTables.add(client);
          if (row === undefined) {
            if (await isMissed(address, client)) throw damage("the reports are damaged");
            return undefined;
          }
          const found = describeRow(address, row, true);
          const assessment = await readOwn(address, row[2], client);
          return assessment === undefined ? found : { ...found, assessment };
        });
      },
      findSurvey(address) {
        return attempt<string | undefined>("read a survey from", undefined, async (client) => {
          const value = await findSurveyValue(client, address);
          return value instanceof ArrayBuffer ? readSurvey(address, value, dictionaries, client) : undefined;
        });
      },
      history: (address) =>
        attempt<readonly Conclusion[]>("read a history from", [], (client) => readHistory(client, address)),
      ratings: {
        read: (address) => attempt("read votes from", [], (client) => findVoteSums(client, address)),
      },
      async ping() {
        const answer = await attempt("query", undefined, (client) => client.execute(PING));
        if (answer === undefined) throw new StoreError("Cannot query mirror: there is no copy yet");
      },
      close: replica.close,
    },
  };
}

/** A stored address of either version. */
const ADDRESS = /^[\d.]{7,15}$|^[\da-f:.]{2,45}$/;

const query = new QueryBuilder();
const address = sql.placeholder("address");

/** Selects the first address of the table in the given order. */
function selectFirst(place: string, order: SQL, condition?: SQL) {
  const found = query
    .select({ address: reports.address })
    .from(reports)
    .where(condition)
    .orderBy(order)
    .limit(1)
    .as("found");
  return query
    .select({ place: sql`${place}`, type: sql`typeof(${found.address})`, address: asBytes(found.address) })
    .from(found);
}

/** The stored addresses before and after an address, and the first and last of the table. */
const NEIGHBOURS = toStatement(
  unionAll(
    selectFirst("before", desc(reports.address), lt(reports.address, address)),
    selectFirst("after", asc(reports.address), gt(reports.address, address)),
    selectFirst("first", asc(reports.address)),
    selectFirst("last", desc(reports.address)),
  ),
);

/**
 * Whether the table may contain an address although the search did not find it. SQLite has no checksums for pages, so
 * a search through damaged pages can end at the wrong place and find nothing, without an error. The search ended at
 * the right place if the neighbours are in order, or if the place is an end of the table.
 * https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export async function isMissed(text: string, client: Pick<Client, "execute">): Promise<boolean> {
  const { rows } = await client.execute({ sql: NEIGHBOURS.sql, args: NEIGHBOURS.args({ address: text }) });
  const places: Partial<Record<string, string>> = {};
  for (const row of rows) {
    const neighbour = readText(row[2]);
    if (row[1] !== "text" || !ADDRESS.test(neighbour)) return true;
    places[String(row[0])] = neighbour;
  }
  const { before, after, first = text, last = text } = places;
  if ((before !== undefined && before >= text) || (after !== undefined && after <= text)) return true;
  // Another process may have added the address between the two queries: then it can be the first or the last itself.
  return (before === undefined && first < text) || (after === undefined && last > text);
}

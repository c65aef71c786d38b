import type { Client } from "@libsql/client";
import type { Conclusion } from "#report";
import { isTableMissing, listCauses } from "./failures.ts";
import { openReplica, type ReplicaOptions } from "./mirror/replica.ts";
import { createDictionaryCache } from "./reports/dictionaries.ts";
import { readAssessment, readSurvey } from "./reports/documents.ts";
import {
  describeRow,
  FIND_RATED_REPORT,
  findRow,
  findSurveyValue,
  readHistory,
} from "./reports/report_queries.ts";
import { type FoundReport, StoreError } from "./store.ts";

/**
 * Opens a mirror of a primary's database. An address that the copy does not contain is not found. Before the first
 * copy, no address is found. A call that reads a damaged row rejects, and the mirror makes a new copy. The mirror
 * writes to the copy only.
 * @throws {StoreError} when its folder cannot be used.
 */
export async function openMirror(options: ReplicaOptions) {
  const replica = await openReplica(options);
  const dictionaries = createDictionaryCache();

  async function attempt<Result>(
    what: string,
    fallback: Result,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    try {
      return (await replica.read(work)) ?? fallback;
    } catch (error) {
      // A new primary has no tables yet.
      if (isTableMissing(error) || /no such column/i.test(listCauses(error))) return fallback;
      throw new StoreError(`Cannot ${what} mirror: ${listCauses(error)}`, { cause: error });
    }
  }

  return {
    state: replica.state,
    store: {
      find(address: string) {
        return attempt<FoundReport | undefined>("read a report from", undefined, async (client) => {
          const row = await findRow(client, FIND_RATED_REPORT, address);
          if (row === undefined) return undefined;
          const found = describeRow(address, row, true);
          const assessment = await readAssessment(address, row[2], dictionaries, client);
          if (assessment === "unread") return found;
          if (assessment !== "damaged") return { ...found, ...assessment };
          replica.reportDamage("a report is damaged");
          throw new TypeError("a report is damaged");
        });
      },
      findSurvey(address: string) {
        return attempt<string | undefined>("read a survey from", undefined, async (client) => {
          const value = await findSurveyValue(client, address);
          return value === undefined ? undefined : readSurvey(address, value, dictionaries, client);
        });
      },
      history: (address: string) =>
        attempt<readonly Conclusion[]>("read a history from", [], (client) => readHistory(client, address)),
      close: replica.close,
    },
  };
}

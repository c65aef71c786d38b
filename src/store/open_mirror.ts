import type { Client } from "@libsql/client";
import type { Assessment } from "#report";
import { createCastBook } from "./cast_book.ts";
import { isMissed } from "./is_missed.ts";
import { listCauses } from "./list_causes.ts";
import { readAssessment } from "./read_assessment.ts";
import { readSurvey } from "./read_survey.ts";
import { readText } from "./read_text.ts";
import { openReplica, type ReplicaOptions, type ReplicaState } from "./replica.ts";
import { describeRow, FIND_SURVEY, FIND_VOTED } from "./report_rows.ts";
import { type FoundReport, type HistoryEntry, type Store, type StoredName, StoreError } from "./store.ts";
import { readVoteSums, VOTE_SUMS } from "./vote_sums.ts";

/** What can be read of a primary's database in its copy here. Nothing waits for the primary. */
export interface Mirror {
  readonly store: Pick<Store, "find" | "findSurvey" | "history" | "newest" | "ping" | "close"> & {
    readonly votes: Pick<Store["votes"], "read">;
  };
  /** How the copy stands to the primary. */
  state(): ReplicaState;
}

const HISTORY = `SELECT CAST(surveyed_at AS INTEGER) AS surveyed_at, CAST(purity AS INTEGER) AS purity,
  CAST(band AS BLOB) AS band, CAST(scoring_version AS INTEGER) AS scoring_version
  FROM history WHERE address = ?1 ORDER BY history.surveyed_at DESC, history.scoring_version DESC LIMIT 50`;
const NEWEST = `SELECT CAST(address AS BLOB) AS address, CAST(surveyed_at AS INTEGER) AS surveyed_at FROM reports
  ORDER BY reports.surveyed_at DESC, reports.address DESC LIMIT ?1`;
const VOTES = `SELECT (${VOTE_SUMS}?1) AS votes`;

/**
 * Opens a mirror of a primary's database. An address that the copy does not hold, or while there is no copy yet, is not
 * found; what is there and cannot be read rejects, and another copy is made. Nothing is ever written but the copy.
 * @throws {StoreError} when its folder cannot be used.
 */
export async function openMirror(options: ReplicaOptions): Promise<Mirror> {
  const replica = await openReplica(options);
  /** Copies that were seen to hold the tables. */
  const filled = new WeakSet<Client>();

  async function attempt<Result>(
    what: string,
    fallback: Result,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    let asked: Client | undefined;
    try {
      const read = (client: Client) => {
        asked = client;
        return work(client);
      };
      return (await replica.read(read)) ?? fallback;
    } catch (error) {
      // A primary on which no service has run yet; but tables that were there do not go.
      if (/no such (?:table|column)/i.test(listCauses(error))) {
        if (asked === undefined || !filled.has(asked)) return fallback;
        replica.suspect("its tables are gone");
      }
      throw new StoreError(`Cannot ${what} mirror: ${listCauses(error)}`, { cause: error });
    }
  }

  const casts = createCastBook();

  /** Undefined for what another version wrote and this one does not read. @throws when nobody wrote that. */
  async function readOwn(address: string, value: unknown, client: Client): Promise<Assessment | undefined> {
    const assessment = await readAssessment(address, value, casts, client);
    if (assessment === "unread") return undefined;
    if (typeof assessment !== "string") return assessment;
    throw spoilt(assessment === "foreign" ? "a report stands under another address" : "a report is damaged");
  }

  /** Has another copy made. */
  function spoilt(problem: string): TypeError {
    replica.suspect(problem);
    return new TypeError(problem);
  }

  return {
    state: replica.state,
    store: {
      find(address) {
        return attempt<FoundReport | undefined>("read a report from", undefined, async (client) => {
          const { rows } = await client.execute({ sql: FIND_VOTED, args: [address] });
          filled.add(client);
          const [row] = rows;
          if (row === undefined) {
            if (await isMissed(address, client)) throw spoilt("the reports are damaged");
            return undefined;
          }
          const found = describeRow(address, row, true);
          const assessment = await readOwn(address, row[2], client);
          return assessment === undefined ? found : { ...found, assessment };
        });
      },
      findSurvey(address) {
        return attempt<string | undefined>("read a survey from", undefined, async (client) => {
          const { rows } = await client.execute({ sql: FIND_SURVEY, args: [address] });
          const survey = rows[0]?.survey;
          return survey instanceof ArrayBuffer ? readSurvey(address, survey, casts, client) : undefined;
        });
      },
      history(address) {
        return attempt<readonly HistoryEntry[]>("read a history from", [], async (client) => {
          const { rows } = await client.execute({ sql: HISTORY, args: [address] });
          return rows.map((row) => ({
            surveyedAt: Number(row.surveyed_at),
            purity: Number(row.purity),
            band: readText(row.band),
            scoringVersion: Number(row.scoring_version),
          }));
        });
      },
      newest(limit) {
        return attempt<readonly StoredName[]>("list the reports of", [], async (client) => {
          const { rows } = await client.execute({ sql: NEWEST, args: [limit] });
          return rows.map((row) => ({ address: readText(row.address), surveyedAt: Number(row.surveyed_at) }));
        });
      },
      votes: {
        read(address) {
          return attempt("read votes from", [], async (client) => {
            const { rows } = await client.execute({ sql: VOTES, args: [address] });
            return readVoteSums(rows[0]?.votes);
          });
        },
      },
      async ping() {
        const answer = await attempt("ask", undefined, (client) => client.execute("SELECT 1"));
        if (answer === undefined) throw new StoreError("Cannot ask mirror: there is no copy yet");
      },
      close: replica.close,
    },
  };
}

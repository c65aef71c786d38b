import type { Client } from "@libsql/client";
import * as v from "valibot";
import { type Assessment, AssessmentSchema } from "#report";
import { listCauses } from "./list_causes.ts";
import { openReplica, type ReplicaOptions, type ReplicaState } from "./replica.ts";
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

const FIND = `SELECT surveyed_at, live_heard, assessment, (${VOTE_SUMS}?1) AS votes FROM reports WHERE address = ?1`;
const SURVEY = "SELECT survey FROM reports WHERE address = ?1";
const HISTORY = `SELECT surveyed_at, purity, band, scoring_version FROM history WHERE address = ?1
  ORDER BY surveyed_at DESC, scoring_version DESC LIMIT 50`;
const NEWEST = "SELECT address, surveyed_at FROM reports ORDER BY surveyed_at DESC, address DESC LIMIT ?1";
const VOTES = `SELECT (${VOTE_SUMS}?1) AS votes`;

/**
 * Opens a mirror of a primary's database. An address that the copy does not hold, or while there is no copy yet, is not
 * found; what is there and cannot be read rejects, and another copy is made. Nothing is ever written but the copy.
 * @throws {StoreError} when its folder cannot be used.
 */
export async function openMirror(options: ReplicaOptions): Promise<Mirror> {
  const replica = await openReplica(options);

  async function attempt<Result>(
    what: string,
    fallback: Result,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    try {
      return (await replica.read(work)) ?? fallback;
    } catch (error) {
      // A primary on which no service has run yet.
      if (/no such (?:table|column)/i.test(listCauses(error))) return fallback;
      throw new StoreError(`Cannot ${what} mirror: ${listCauses(error)}`, { cause: error });
    }
  }

  /** Undefined for what another version wrote and this one does not read. @throws when nobody wrote that. */
  function readAssessment(address: string, json: string): Assessment | undefined {
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch (error) {
      replica.suspect("a report is no JSON");
      throw error;
    }
    const parsed = v.safeParse(AssessmentSchema, value);
    if (!parsed.success) return undefined;
    if (parsed.output.address === address) return parsed.output;
    replica.suspect("a report stands under another address");
    throw new TypeError("a report stands under another address");
  }

  return {
    state: replica.state,
    store: {
      find(address) {
        return attempt<FoundReport | undefined>("read a report from", undefined, async (client) => {
          const { rows } = await client.execute({ sql: FIND, args: [address] });
          const [row] = rows;
          if (row === undefined) return undefined;
          const found = {
            address,
            surveyedAt: Number(row.surveyed_at),
            liveHeard: Number(row.live_heard),
            votes: readVoteSums(row.votes),
          };
          const assessment = readAssessment(address, String(row.assessment));
          return assessment === undefined ? found : { ...found, assessment };
        });
      },
      findSurvey(address) {
        return attempt<string | undefined>("read a survey from", undefined, async (client) => {
          const { rows } = await client.execute({ sql: SURVEY, args: [address] });
          const survey = rows[0]?.survey;
          if (!(survey instanceof ArrayBuffer)) return undefined;
          return new TextDecoder().decode(Bun.zstdDecompressSync(new Uint8Array(survey)));
        });
      },
      history(address) {
        return attempt<readonly HistoryEntry[]>("read a history from", [], async (client) => {
          const { rows } = await client.execute({ sql: HISTORY, args: [address] });
          return rows.map((row) => ({
            surveyedAt: Number(row.surveyed_at),
            purity: Number(row.purity),
            band: String(row.band),
            scoringVersion: Number(row.scoring_version),
          }));
        });
      },
      newest(limit) {
        return attempt<readonly StoredName[]>("list the reports of", [], async (client) => {
          const { rows } = await client.execute({ sql: NEWEST, args: [limit] });
          return rows.map((row) => ({ address: String(row.address), surveyedAt: Number(row.surveyed_at) }));
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

import { LRUCache } from "lru-cache";
import { type Address, isBogon } from "#address";
import type { Client } from "#limits";
import type { Answer } from "#lookup";
import { type Assessment, type KnownVisitor, type PolicyFacts, readPolicyFacts } from "#report";
import type { Operation, Reports } from "./context.ts";

/** The longest wait for the database; after it the tables answer. With the rest of the request it stays under 5 ms. */
const DATABASE_WAIT_MS = 3;

/** A survey of the same visitor is started at most this often. */
const SURVEY_REST_MS = 60_000;

/** Time between two starts: more would be refused by the limits, and every refusal takes time of the visitors. */
const SURVEY_GAP_MS = 200;

/** Surveys of visitors that run or wait at once, so that visitors leave places in the queue to people. */
const MOST_SURVEYS = 8;

const MOST_VISITORS = 10_000;

/** Where the answer about a visitor came from. */
export type VisitorSource = "memory" | "database" | "tables" | "none";

/** What the answer says about a visitor. */
export type VisitorFacts = PolicyFacts & Pick<Assessment, "band" | "confidence">;

/** What was found about a visitor. */
export interface FoundVisitor {
  readonly source: VisitorSource;
  /** Absent with the source `none`. */
  readonly known?: KnownVisitor<VisitorFacts>;
}

/** Finds what is known of a visitor without waiting for a survey. Without a client it starts none. Never rejects. */
export type FindVisitor = (address: Address, client: Client | undefined) => Promise<FoundVisitor>;

/**
 * Creates the search for visitors: memory, then the database for at most 3 ms, then the tables alone. If only the
 * tables know a public address, a survey starts in the background: at most 8 at once, five a second and one a minute
 * for an address, with the limits and the allowance of the visitor. So a later request finds a report.
 */
export function createFindVisitor(context: Reports & Operation): FindVisitor {
  const { now, live, findKnownSync } = context;
  const startedAt = new LRUCache<string, number>({ max: MOST_VISITORS });
  let surveys = 0;
  let lastStart = Number.NEGATIVE_INFINITY;

  function startSurvey(address: Address, client: Client): void {
    const last = startedAt.get(address.text);
    if (surveys >= MOST_SURVEYS || context.mirror !== undefined) return;
    if (last !== undefined && now() - last < SURVEY_REST_MS) return;
    if (now() - lastStart < SURVEY_GAP_MS) return;
    lastStart = now();
    startedAt.set(address.text, now());
    surveys += 1;
    // In the next turn of the event loop, so that the visitor is answered first.
    setImmediate(() => {
      context
        .lookup({ address, refresh: false, client }, NEVER_ABORTED)
        .catch((error) => context.log("warn", "visitor_survey_failed", { message: String(error) }))
        .finally(() => {
          surveys -= 1;
        });
    });
  }

  function findByTables(address: Address): FoundVisitor {
    try {
      // A mirror has no tables except that of special-purpose addresses.
      if (context.mirror !== undefined && !isBogon(address)) return { source: "none" };
      return {
        source: "tables",
        known: { assessment: context.classifier.classify(address), isProven: !live },
      };
    } catch (error) {
      context.log("error", "tables_unreadable", { message: String(error) });
      return { source: "none" };
    }
  }

  function toFound({ tier, assessment, liveAnswers }: Answer): FoundVisitor {
    const isProven = !live || liveAnswers > 0;
    return {
      source: tier === "cache" ? "memory" : "database",
      known: { assessment: { ...assessment, ...readPolicyFacts(assessment) }, isProven },
    };
  }

  return async (address, client) => {
    if (isBogon(address)) return findByTables(address);
    const answer = findKnownSync?.(address) ?? (await withinWait(context.findKnown(address)));
    if (answer !== undefined) return toFound(answer);
    if (client !== undefined) startSurvey(address, client);
    return findByTables(address);
  };
}

const NEVER_ABORTED = new AbortController().signal;

/** The answer of the database, or undefined if it does not come in time or fails. */
async function withinWait(reading: Promise<Answer | undefined>): Promise<Answer | undefined> {
  let timer: Timer | undefined;
  const wait = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, DATABASE_WAIT_MS, undefined);
  });
  try {
    return await Promise.race([reading.catch(() => undefined), wait]);
  } finally {
    clearTimeout(timer);
  }
}

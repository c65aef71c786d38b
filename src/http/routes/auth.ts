import { type AnyElysia, status } from "elysia";
import { LRUCache } from "lru-cache";
import * as v from "valibot";
import { type Address, isBogon } from "#address";
import { isRecent } from "#common";
import { within } from "#concurrency";
import { type Client, readForwardedClient } from "#limits";
import {
  type Assessment,
  findContradiction,
  isAskingNothing,
  judgeVisitor,
  type KnownVisitor,
  POLICY_WORDS,
  type PolicyFacts,
  wordsOf,
} from "#report";
import { toVisitor } from "../answer_report.ts";
import type { Clients, Operation, Reports } from "../context.ts";
import { choice, lang, percent, words } from "../parameters.ts";
import { createRoutes, findPeer } from "../plugins/request_context.ts";
import { refuseVisitor } from "../problem.ts";
import { noContent, textReply } from "../reply.ts";
import { empty, operation, orProblem, problems, text } from "../responses.ts";

const KINDS = POLICY_WORDS.map((word) => `\`${word}\``).join(", ");

const VERDICT_HEADERS = [
  "X-IP-Verdict",
  "X-IP-Source",
  "X-IP-Purity",
  "X-IP-Level",
  "X-IP-Confidence",
  "X-IP-Type",
  "X-IP-Flags",
];

/**
 * `/auth`: whether a web server in front of a site lets a visitor in, for `auth_request` of nginx, `forward_auth` of
 * Caddy and `ForwardAuth` of Traefik. Costs no lookup: one page of a site can send a hundred requests.
 */
export function authRoute(path: string, context: Reports & Clients & Operation, app: AnyElysia) {
  const findVisitor = createFindVisitor(context);
  return createRoutes().get(
    path,
    async ({ query, requestContext }) => {
      const { request, client } = requestContext;
      const peer = findPeer(context, request, app.server);
      const address = readForwardedClient(request.headers, peer, context.clientRules);
      if (address === undefined) return refuseVisitor("forbidden", { reason: "no_proxy" });
      const { min, deny = [], allow = [], unknown = "allow" } = query;
      const policy = { deny, allow, unknown, ...(min === undefined ? {} : { min }) };
      const both = findContradiction(policy);
      if (both !== undefined)
        return refuseVisitor("invalid_parameter", { parameter: "allow", value: both, reason: "denied_too" });
      if (unknown === "deny" && isAskingNothing(policy))
        return refuseVisitor("invalid_parameter", {
          parameter: "unknown",
          value: unknown,
          reason: "asks_nothing",
        });
      const found = await findVisitor(address, query.survey === undefined ? client : undefined);
      const { isAllowed, verdict } = judgeVisitor(found.known, policy);
      const headers = { "x-ip-verdict": verdict, ...describeVisitor(found) };
      if (isAllowed) return noContent(headers);
      const denial = verdict === "unknown" ? "deny unknown" : verdict;
      const cacheControl = "no-store";
      return status(403, textReply(`${denial.toUpperCase()}\n`, { cacheControl, shared: false, headers }));
    },
    {
      query: v.object({
        min: percent("Least purity, 0 to 100; without it no purity is too low."),
        deny: words(POLICY_WORDS, `Kinds of addresses that are denied, separated by commas: ${KINDS}.`),
        allow: words(
          POLICY_WORDS,
          "Kinds of addresses that pass whatever their purity, as in `deny`. `deny` is stronger, except that an allowed crawler always passes.",
        ),
        unknown: choice(
          ["allow", "deny"],
          "What happens if the evidence is not enough: the visitor passes (the default), or is denied.",
        ),
        survey: choice(["0"], "Starts no survey."),
        lang,
      }),
      response: {
        ...problems("nothing", "text", [], {
          access: "private",
          explainInvalid: ({ details }) => [refuseVisitor("invalid_parameter", details.data ?? {}).response],
        }),
        204: empty("The visitor may pass.", { headers: VERDICT_HEADERS }),
        403: orProblem(
          text(
            "The visitor is denied. With the header X-IP-Error, nobody was judged: the policy is wrong, or no trusted proxy named the visitor; the body says which.",
            {
              headers: [...VERDICT_HEADERS, "X-IP-Error"],
              isCacheable: false,
              shared: false,
              example: "DENY VPN\n",
            },
          ),
        ),
      },
      detail: operation("authorizeVisitor"),
    },
  );
}

/** The headers about a visitor: numbers and words of closed lists only. */
function describeVisitor({ source, known }: FoundVisitor): Readonly<Record<string, string>> {
  if (known === undefined) return { "x-ip-source": source };
  const { assessment } = known;
  const flags = wordsOf(assessment);
  return {
    "x-ip-source": source,
    "x-ip-purity": String(assessment.purity),
    "x-ip-level": assessment.band,
    "x-ip-confidence": assessment.confidence,
    "x-ip-type": assessment.usage,
    "x-ip-flags": flags.length === 0 ? "none" : flags.join(","),
  };
}

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
type VisitorSource = "memory" | "database" | "tables" | "none";

/** What the answer says about a visitor. */
type VisitorFacts = PolicyFacts & Pick<Assessment, "band" | "confidence">;

/** What was found about a visitor. */
interface FoundVisitor {
  readonly source: VisitorSource;
  /** Absent with the source `none`. */
  readonly known?: KnownVisitor<VisitorFacts>;
}

/** Finds what is known of a visitor without waiting for a survey. Without a client it starts none. Never rejects. */
type FindVisitor = (address: Address, client: Client | undefined) => Promise<FoundVisitor>;

/**
 * Creates the search for visitors: memory, then the database for at most 3 ms, then the tables alone. If only the
 * tables know a public address, a survey starts in the background: at most 8 at once, five a second and one a minute
 * for an address, with the limits and the allowance of the visitor. So a later request finds a report.
 */
function createFindVisitor(context: Reports & Operation): FindVisitor {
  const { now, live, findKnownSync } = context;
  const startedAt = new LRUCache<string, number>({ max: MOST_VISITORS });
  let surveys = 0;
  let lastStart: number | undefined;

  function startSurvey(address: Address, client: Client): void {
    if (surveys >= MOST_SURVEYS || context.mirror !== undefined) return;
    const startedNow = now();
    if (isRecent(startedAt.get(address.text), startedNow, SURVEY_REST_MS)) return;
    if (isRecent(lastStart, startedNow, SURVEY_GAP_MS)) return;
    lastStart = startedNow;
    startedAt.set(address.text, startedNow);
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

  return async (address, client) => {
    if (isBogon(address)) return findByTables(address);
    const read = () => context.findKnown(address).catch(() => undefined);
    const answer = findKnownSync?.(address) ?? (await within(read(), DATABASE_WAIT_MS));
    if (answer !== undefined) {
      const source = answer.tier === "cache" ? "memory" : "database";
      return { source, known: toVisitor(context, answer) };
    }
    if (client !== undefined) startSurvey(address, client);
    return findByTables(address);
  };
}

const NEVER_ABORTED = new AbortController().signal;

import type { ReportReplies } from "./create_report_replies.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { isOwn } from "./is_own.ts";
import type { KnownLines } from "./known_lines.ts";
import { type Found, lookUp } from "./look_up.ts";
import type { Reply } from "./reply.ts";
import type { ReportWish } from "./report_wish.ts";
import { whenReady } from "./when_ready.ts";

/** What the routes of a report share: their finished replies, and the request lines that were answered. */
export interface ReportDesk {
  readonly replies: ReportReplies;
  readonly lines: KnownLines;
}

/**
 * Looks up what a request wishes and replies with the report; its line is known from then on. `readWish` must depend on
 * the request line alone.
 * @throws {HttpProblem} for everything that is not an answer.
 */
export function replyReport(
  deps: HttpDeps,
  { replies, lines }: ReportDesk,
  exchange: Exchange,
  readWish: () => ReportWish,
): Reply | Promise<Reply> {
  return whenReady(lookUp(deps, exchange, readWish), (found) => {
    const { path, query, language, shape, route, request } = exchange;
    const reply = makeReply(deps, replies, exchange, found);
    const { wish } = found;
    if (!(reply instanceof Promise) && request.method === "GET" && !wish.refresh)
      lines.keep(request.url, { path, query, language, shape, route, wish });
    return reply;
  });
}

/** The same for a line that is known. */
export function replyKnown(
  deps: HttpDeps,
  { replies }: ReportDesk,
  exchange: Exchange,
  wish: ReportWish,
): Reply | Promise<Reply> {
  return whenReady(
    lookUp(deps, exchange, () => wish),
    (found) => makeReply(deps, replies, exchange, found),
  );
}

function makeReply(
  deps: HttpDeps,
  replies: ReportReplies,
  exchange: Exchange,
  { answer, wish }: Found<ReportWish>,
): Reply | Promise<Reply> {
  const own = deps.mirror === undefined && isOwn(exchange, answer.assessment);
  return replies(answer, { language: exchange.language, format: wish.format, own });
}

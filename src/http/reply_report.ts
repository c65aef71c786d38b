import type { ReportReplies } from "./create_report_replies.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { isOwn } from "./is_own.ts";
import type { KnownLines } from "./known_lines.ts";
import { lookUp } from "./look_up.ts";
import type { Reply } from "./reply.ts";
import type { ReportWish } from "./report_wish.ts";
import { whenReady } from "./when_ready.ts";

/** What the routes of a report share: their finished replies, and the request lines that were answered. */
export interface ReportDesk {
  readonly replies: ReportReplies;
  readonly lines: KnownLines;
}

/**
 * Looks up what a request wishes and replies with the report; its line is known from then on. `readWish` must depend on the request line alone.
 * @throws {HttpProblem} for everything that is not an answer.
 */
export function replyReport(
  deps: HttpDeps,
  { replies, lines }: ReportDesk,
  exchange: Exchange,
  readWish: () => ReportWish,
): Reply | Promise<Reply> {
  return whenReady(lookUp(deps, exchange, readWish), ({ answer, wish }) => {
    const { path, query, language, shape, route, request } = exchange;
    const own = deps.mirror === undefined && isOwn(exchange, answer.assessment);
    const reply = replies(answer, { language, format: wish.format, own });
    if (!(reply instanceof Promise) && request.method === "GET" && !wish.refresh)
      lines.keep(request.url, { path, query, language, shape, route, wish });
    return reply;
  });
}

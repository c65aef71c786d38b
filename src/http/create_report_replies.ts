import { LRUCache } from "lru-cache";
import { speak } from "#locale";
import type { Answer } from "#lookup";
import { renderPage, renderText } from "#render";
import type { Assessment, Language, Report } from "#report";
import { type Body, createBody } from "./body.ts";
import type { Shape } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { pageReply } from "./page_reply.ts";
import { createReply, type Reply } from "./reply.ts";
import { reportUrlOf } from "./report_url.ts";

/** Memory for finished replies; a JSON report is about 6 kB, a page about 25 kB. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A compressed copy may join a body later; it is a quarter of it at most, beside the heads. */
const SIZE_FACTOR = 1.25;
const OVERHEAD_BYTES = 2048;

/** In what form an answer is wanted; `own` when it is about the visitor's own address. */
export interface Form {
  readonly language: Language;
  readonly shape: Shape;
  readonly own?: boolean;
}

/** Makes the reply that carries an answer. */
export type ReportReplies = (answer: Answer, form: Form) => Reply;

interface Kept {
  readonly assessment: Assessment;
  readonly votes: Answer["votes"];
  readonly reply: Reply;
}

/**
 * Speaks and serialises an answer once and keeps the bytes: the lookup hands out the same assessment object
 * for as long as it is current, and the same votes until one is cast, so another object under the same key means newer
 * contents. The page of one's own address is another page than everybody else's.
 */
export function createReportReplies(deps: Pick<HttpDeps, "baseUrl">): ReportReplies {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ reply }) => Math.ceil((reply.body?.bytes.length ?? 0) * SIZE_FACTOR) + OVERHEAD_BYTES,
  });
  return (answer, form) => {
    const { assessment, votes } = answer;
    const own = form.shape === "page" && form.own === true;
    const key = `${assessment.address} ${form.language} ${form.shape} ${own} ${answer.tier} ${answer.stale}`;
    const known = kept.get(key);
    if (known?.assessment === assessment && known.votes === votes) return known.reply;
    const reply = makeReply(answer, { ...form, own }, deps.baseUrl);
    kept.set(key, { assessment, votes, reply });
    return reply;
  };
}

/** A report comes with the caller's limits, so nobody but the caller may keep it. */
function makeReply(answer: Answer, { language, shape, own = false }: Form, baseUrl: string): Reply {
  const { assessment, tier, stale, votes } = answer;
  const reportUrl = reportUrlOf(baseUrl, assessment.address, language);
  const report = speak(assessment, { language, tier, stale, reportUrl, votes });
  const parts = {
    status: 200,
    keeping: "private, no-cache",
    headers: { "last-modified": new Date(assessment.surveyedAt).toUTCString() },
  } as const;
  switch (shape) {
    case "page":
      return pageReply(renderPage(report, { own }), parts);
    case "json":
      return createReply({ ...parts, shared: true, body: jsonBody(report) });
    case "text":
      return createReply({ ...parts, shared: true, body: textBody(report) });
  }
}

function jsonBody(report: Report): Body {
  return createBody("application/json; charset=utf-8", JSON.stringify(report));
}

function textBody(report: Report): Body {
  return createBody("text/plain; charset=utf-8", renderText(report));
}

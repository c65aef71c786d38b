import { LRUCache } from "lru-cache";
import { speak } from "#locale";
import type { Answer } from "#lookup";
import { renderPage, renderText } from "#render";
import type { Assessment, Language, Report } from "#report";
import { createBody } from "./body.ts";
import type { Shape } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { createReply, type Reply } from "./reply.ts";
import { reportUrlOf } from "./report_url.ts";

/** Memory for finished replies; a JSON report is about 6 kB, a page about 25 kB. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A compressed copy may join a body later; it is a quarter of it at most, beside the heads. */
const SIZE_FACTOR = 1.25;
const OVERHEAD_BYTES = 2048;

/** Makes the reply that carries an answer in one language and shape. */
export type ReportReplies = (answer: Answer, language: Language, shape: Shape) => Reply;

const WRITERS: Readonly<Record<Shape, readonly [contentType: string, write: (report: Report) => string]>> = {
  json: ["application/json; charset=utf-8", JSON.stringify],
  text: ["text/plain; charset=utf-8", renderText],
  page: ["text/html; charset=utf-8", renderPage],
};

interface Kept {
  readonly assessment: Assessment;
  readonly reply: Reply;
}

/**
 * Speaks and serialises an answer once and keeps the bytes: the lookup hands out the same assessment object
 * for as long as it is current, so another object under the same key means newer contents.
 */
export function createReportReplies(deps: Pick<HttpDeps, "baseUrl">): ReportReplies {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ reply }) => Math.ceil((reply.body?.bytes.length ?? 0) * SIZE_FACTOR) + OVERHEAD_BYTES,
  });
  return (answer, language, shape) => {
    const { assessment } = answer;
    const key = `${assessment.address} ${language} ${shape} ${answer.tier} ${answer.stale}`;
    const known = kept.get(key);
    if (known?.assessment === assessment) return known.reply;
    const reply = makeReply(answer, language, shape, deps.baseUrl);
    kept.set(key, { assessment, reply });
    return reply;
  };
}

/** A report comes with the caller's limits, so nobody but the caller may keep it. */
function makeReply(answer: Answer, language: Language, shape: Shape, baseUrl: string): Reply {
  const { assessment, tier, stale } = answer;
  const reportUrl = reportUrlOf(baseUrl, assessment.address, language);
  const report = speak(assessment, { language, tier, stale, reportUrl });
  const [contentType, write] = WRITERS[shape];
  return createReply({
    status: 200,
    body: createBody(contentType, write(report)),
    keeping: "private, no-cache",
    shared: shape !== "page",
    headers: { "last-modified": new Date(assessment.surveyedAt).toUTCString() },
  });
}

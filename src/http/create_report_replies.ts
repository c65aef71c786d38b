import { LRUCache } from "lru-cache";
import type { Answer } from "#lookup";
import {
  renderBadge,
  renderLine,
  renderMarkdown,
  renderReportPage,
  renderTerminal,
  renderText,
} from "#render";
import type { Assessment, Language, Report } from "#report";
import { createBody } from "./body.ts";
import { createHistoryReader } from "./create_history_reader.ts";
import type { Conclusion, HttpDeps } from "./http_deps.ts";
import { listLinks } from "./list_links.ts";
import { pageReply } from "./page_reply.ts";
import { createReply, type Reply, type ReplyParts } from "./reply.ts";
import type { ReportFormat } from "./report_format.ts";
import { speakAnswer } from "./speak_answer.ts";

/** Memory for finished replies: some 3500 JSON reports of 14 kB with their copies, or half as many pages. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A body that is sent again has a second copy to share, and a compressed one may join it, beside the heads. */
const SIZE_FACTOR = 2.5;
const OVERHEAD_BYTES = 2048;

/** In what form an answer is wanted; `own` when it is about the visitor's own address. */
export interface Form {
  readonly language: Language;
  readonly format: ReportFormat;
  readonly own?: boolean;
}

/** Makes the reply that carries an answer: at once from memory, and later only where a page needs its history. */
export type ReportReplies = (answer: Answer, form: Form) => Reply | Promise<Reply>;

/** The assessment is held by the lookup, which counts it; whoever it has let go of cannot ask for its reply. */
interface Kept {
  readonly assessment: WeakRef<Assessment>;
  readonly votes: Answer["votes"];
  readonly reply: Reply;
}

interface Drawing {
  readonly answer: Answer;
  readonly page: Promise<Reply>;
}

/**
 * Speaks and serialises an answer once and keeps the bytes: the lookup hands out the same assessment object
 * for as long as it is current, and the same votes until one is cast, so another object under the same key means newer
 * contents. The page of one's own address is another page than everybody else's. A page's history is read when it is
 * drawn, once for all who wait for it; without one, while the database is away, it is shown but not kept.
 */
export function createReportReplies(
  deps: Pick<HttpDeps, "baseUrl" | "delistUrls" | "mirror" | "shelf" | "now" | "log" | "watch">,
): ReportReplies {
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ reply }) => Math.ceil((reply.body?.bytes.length ?? 0) * SIZE_FACTOR) + OVERHEAD_BYTES,
  });
  deps.watch?.replies(() => ({ entries: kept.size, bytes: kept.calculatedSize }));
  const drawings = new Map<string, Drawing>();
  const readHistory = createHistoryReader(deps);

  /** What a full service reads from its database comes from memory the next time, and is another reply then. */
  function keep(key: string, { assessment, votes, tier }: Answer, reply: Reply): Reply {
    if (tier !== "store" || deps.mirror !== undefined)
      kept.set(key, { assessment: new WeakRef(assessment), votes, reply });
    return reply;
  }

  async function draw(key: string, answer: Answer, form: Form): Promise<Reply> {
    const history = await readHistory(answer.assessment.address);
    const reply = makePage(deps, speakAnswer(deps, answer, form.language), answer, form, history);
    return history === undefined ? reply : keep(key, answer, reply);
  }

  function drawOnce(key: string, answer: Answer, form: Form): Promise<Reply> {
    const running = drawings.get(key);
    if (running?.answer.assessment === answer.assessment && running.answer.votes === answer.votes)
      return running.page;
    const page = draw(key, answer, form).finally(() => {
      if (drawings.get(key)?.page === page) drawings.delete(key);
    });
    drawings.set(key, { answer, page });
    return page;
  }

  return (answer, form) => {
    const { assessment, votes, tier, stale } = answer;
    const { language, format } = form;
    const own = format === "page" && form.own === true;
    const key = `${assessment.address} ${language} ${format} ${own} ${tier} ${stale}`;
    const known = kept.get(key);
    if (known?.assessment.deref() === assessment && known.votes === votes) return known.reply;
    if (format !== "page") return keep(key, answer, makeReply(deps, answer, language, format));
    if (!assessment.flags.isBogon) return drawOnce(key, answer, { ...form, own });
    return keep(key, answer, makePage(deps, speakAnswer(deps, answer, language), answer, form, []));
  };
}

/** A report comes with the caller's limits, so nobody but the caller may keep it. */
function partsOf({ assessment }: Answer): Omit<ReplyParts, "shared"> {
  const headers = { "last-modified": new Date(assessment.surveyedAt).toUTCString() };
  return { status: 200, keeping: "private, no-cache", headers };
}

function makePage(
  { delistUrls }: Pick<HttpDeps, "delistUrls">,
  report: Report,
  answer: Answer,
  { language, own = false }: Form,
  history: readonly Conclusion[] = [],
): Reply {
  const parts = partsOf(answer);
  const headers = { ...parts.headers, link: listLinks(language, answer.assessment.address) };
  return pageReply(renderReportPage(report, { own, history, delistUrls }), { ...parts, headers });
}

function makeReply(
  deps: Pick<HttpDeps, "baseUrl">,
  answer: Answer,
  language: Language,
  format: Exclude<ReportFormat, "page">,
): Reply {
  const report = speakAnswer(deps, answer, language);
  const [mediaType, text] = write(report, format);
  const body = createBody(`${mediaType}; charset=utf-8`, text);
  // A badge says nothing of the caller, and is shown where many look.
  const keeping = format === "badge" ? { keeping: "public, max-age=300" as const } : {};
  return createReply({ ...partsOf(answer), ...keeping, shared: true, body });
}

function write(report: Report, format: Exclude<ReportFormat, "page">): readonly [string, string] {
  switch (format) {
    case "json":
      return ["application/json", JSON.stringify(report)];
    case "text":
      return ["text/plain", renderText(report)];
    case "markdown":
      return ["text/markdown", renderMarkdown(report)];
    case "colour":
      return ["text/plain", renderTerminal(report, { colour: true })];
    case "line":
      return ["text/plain", renderLine(report)];
    case "badge":
      return ["image/svg+xml", renderBadge(report)];
  }
}

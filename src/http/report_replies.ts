import { LRUCache } from "lru-cache";
import { localize } from "#locale";
import type { Answer } from "#lookup";
import {
  renderBadge,
  renderLine,
  renderMarkdown,
  renderReportPage,
  renderScreen,
  renderStix,
  renderTerminal,
  renderText,
  reportUrlOf,
} from "#render";
import type { Assessment, Language, Report } from "#report";
import type { Conclusion, HttpContext } from "./context.ts";
import type { ReportFormat } from "./parameters.ts";
import { linkHeader } from "./paths.ts";
import { pageReply, type Reply, textReply } from "./reply.ts";
import { type ReportSelection, selectFields } from "./report_part.ts";

/**
 * Memory of a reply per byte of its body: it also holds a copy to send, often a compressed copy, and the heads; and the
 * heap takes about twice what is in use.
 */
const SIZE_FACTOR = 4;
const OVERHEAD_BYTES = 2048;

/** After a failed read, pages have no history for this time, so that they do not wait for a missing database. */
const HISTORY_REST_MS = 5000;

/** The content of a report in each format. */
export type ReportContent<F extends ReportFormat> = F extends "json"
  ? Report
  : F extends "page"
    ? "page"
    : "text";

/**
 * The language and format of an answer; `own` = it is about the client's own address, or for a badge, its URL means the
 * caller.
 */
export interface ReportOptions<F extends ReportFormat = ReportFormat> {
  readonly language: Language;
  readonly format: F;
  readonly own?: boolean;
}

/** Renders an answer, or returns the cached reply. Only a page can return a promise, because it reads the history. */
export type ReportReplies = <F extends ReportFormat>(
  answer: Answer,
  options: ReportOptions<F>,
) => Reply<ReportContent<F>> | Promise<Reply<ReportContent<F>>>;

/** The report that a reply shows. A later request with the same URL can be answered from it. */
export interface ReportSubject {
  readonly address: string;
  readonly format: ReportFormat;
}

const SUBJECTS = new WeakMap<Reply, ReportSubject>();

/** Returns the report that a reply shows, if it shows one. */
export function reportSubjectOf(reply: Reply): ReportSubject | undefined {
  return SUBJECTS.get(reply);
}

/** The lookup counts the memory of an assessment. When the lookup drops it, the reply to it is never used again. */
interface Kept {
  readonly assessment: WeakRef<Assessment>;
  readonly votes: Answer["votes"];
  readonly reply: Reply;
}

interface Rendering {
  readonly answer: Answer;
  readonly page: Promise<Reply>;
}

/**
 * Creates the cache of rendered reports. The lookup returns the same assessment object while it is current, and the
 * same votes until one is added, so a different object under the same key means newer contents. A page of the client's
 * own address differs from the page for others. Requests for the same page share one read of its history. A page
 * without history, because the database is down, is not cached.
 */
export function createReportReplies(context: HttpContext): ReportReplies {
  const kept = new LRUCache<string, Kept>({
    maxSize: context.replyCacheBytes,
    sizeCalculation: ({ reply }) => Math.ceil(reply.size * SIZE_FACTOR) + OVERHEAD_BYTES,
  });
  context.watch?.replies(() => ({ entries: kept.size, bytes: kept.calculatedSize }));
  const renderings = new Map<string, Rendering>();
  let noHistoryUntil = Number.NEGATIVE_INFINITY;

  /** Caches a reply. A full service answers from memory after a read from the database, with a different reply. */
  function keep(key: string, { assessment, votes, tier }: Answer, reply: Reply): Reply {
    if (tier !== "store" || context.mirror !== undefined)
      kept.set(key, { assessment: new WeakRef(assessment), votes, reply });
    return reply;
  }

  async function readHistory(address: string): Promise<readonly Conclusion[] | undefined> {
    if (context.now() < noHistoryUntil) return undefined;
    try {
      return await context.history.history(address);
    } catch (error) {
      noHistoryUntil = context.now() + HISTORY_REST_MS;
      context.log("error", "history_unreadable", { message: String(error) });
      return undefined;
    }
  }

  async function renderWithHistory(key: string, answer: Answer, options: ReportOptions): Promise<Reply> {
    const history = await readHistory(answer.assessment.address);
    const reply = replyPage(context, answer, options, history);
    return history === undefined ? reply : keep(key, answer, reply);
  }

  function renderOnce(key: string, answer: Answer, options: ReportOptions): Promise<Reply> {
    const running = renderings.get(key);
    if (running?.answer.assessment === answer.assessment && running.answer.votes === answer.votes)
      return running.page;
    const page = renderWithHistory(key, answer, options).finally(() => {
      if (renderings.get(key)?.page === page) renderings.delete(key);
    });
    renderings.set(key, { answer, page });
    return page;
  }

  function reply(answer: Answer, options: ReportOptions): Reply | Promise<Reply> {
    const { assessment, votes, tier, stale } = answer;
    const { language, format } = options;
    const own = (format === "page" || format === "badge") && options.own === true;
    const key = `${assessment.address} ${language} ${format} ${own} ${tier} ${stale}`;
    const known = kept.get(key);
    if (known?.assessment.deref() === assessment && known.votes === votes) return known.reply;
    if (format !== "page") return keep(key, answer, renderReport(context, answer, { language, format, own }));
    if (!assessment.flags.isBogon) return renderOnce(key, answer, { ...options, own });
    return keep(key, answer, replyPage(context, answer, options, []));
  }

  // The format decides the content of a reply; the compiler cannot derive this through the cache.
  return reply as ReportReplies;
}

/** Renders a part of the JSON report. It is not cached, because there are many parts. */
export function replyReportPart(
  context: Pick<HttpContext, "baseUrl">,
  answer: Answer,
  language: Language,
  selection: ReportSelection,
): Reply<Report> {
  const { text, essence } = writeReport(localizeAnswer(context, answer, language), (report) =>
    JSON.stringify(selectFields(report, selection)),
  );
  const headers = lastModified(answer.assessment.surveyedAt);
  // The description declares the whole report; a client that selects fields knows which ones it gets.
  return textReply(
    text,
    { headers, essence, languages: [language] },
    "application/json",
  ) as Reply as Reply<Report>;
}

/** The answer of an assessment from the local tables, which nobody stores. */
export function answerFromTables(assessment: Assessment): Answer {
  return { tier: "fresh", stale: false, assessment, votes: [], heard: 0 };
}

/** The report of an answer in one language, with the URL of its page on this service. */
export function localizeAnswer(
  { baseUrl }: Pick<HttpContext, "baseUrl">,
  { assessment, tier, stale, votes }: Answer,
  language: Language,
): Report {
  const reportUrl = reportUrlOf(baseUrl, assessment.address, language);
  return localize(assessment, { language, tier, stale, reportUrl, votes });
}

function replyPage(
  context: HttpContext,
  answer: Answer,
  { language, own = false }: ReportOptions,
  history: readonly Conclusion[] = [],
): Reply {
  const { address, surveyedAt } = answer.assessment;
  const headers = { ...lastModified(surveyedAt), link: linkHeader(language, address) };
  const options = {
    own,
    takesRatings: context.mirror === undefined,
    history,
    delistUrls: context.delistUrls,
  };
  const { text, essence } = writeReport(localizeAnswer(context, answer, language), (report) =>
    renderReportPage(report, options),
  );
  const reply = pageReply(text, {
    cacheControl: "private, no-cache",
    languages: [language],
    essence,
    headers,
  });
  return noteSubject(reply, address, "page");
}

function renderReport(
  context: HttpContext,
  answer: Answer,
  { language, format, own = false }: ReportOptions<Exclude<ReportFormat, "page">>,
): Reply {
  const { address, surveyedAt } = answer.assessment;
  const { mediaType, isShared, isNeutral, write } = FORMATS[format];
  const { text, essence } = writeReport(localizeAnswer(context, answer, language), write);
  const reply = textReply(
    text,
    {
      headers: lastModified(surveyedAt),
      essence,
      ...(isShared === true && !own ? { cacheControl: "public, max-age=300" } : {}),
      ...(isNeutral === true ? {} : { languages: [language] }),
    },
    mediaType,
  );
  return noteSubject(reply, address, format);
}

/**
 * Writes a report, and its essence: the same as the database would answer it. A survey keeps its tag in every tier,
 * because the tag depends on the essence alone.
 */
function writeReport(
  report: Report,
  write: (report: Report) => string,
): { readonly text: string; readonly essence: string } {
  const text = write(report);
  return { text, essence: report.source === "store" ? text : write({ ...report, source: "store" }) };
}

/** A format of a report: its media type, and how it is written. */
interface WrittenFormat {
  readonly mediaType: string;
  readonly write: (report: Report) => string;
  /** Any cache may keep it. The others are sent with the client's limits, so only the client may. */
  readonly isShared?: true;
  /** It is the same in both languages. */
  readonly isNeutral?: true;
}

const FORMATS: Readonly<Record<Exclude<ReportFormat, "page">, WrittenFormat>> = {
  json: { mediaType: "application/json", write: (report) => JSON.stringify(report) },
  text: { mediaType: "text/plain", write: renderText },
  markdown: { mediaType: "text/markdown", write: renderMarkdown },
  colour: { mediaType: "text/plain", write: (report) => renderTerminal(report, { colour: true }) },
  screen: { mediaType: "text/plain", write: (report) => renderScreen(report, { colour: false }) },
  colour_screen: { mediaType: "text/plain", write: (report) => renderScreen(report, { colour: true }) },
  stix: { mediaType: "application/stix+json;version=2.1", write: renderStix },
  line: { mediaType: "text/plain", write: renderLine, isNeutral: true },
  badge: { mediaType: "image/svg+xml", write: renderBadge, isShared: true },
};

function noteSubject(reply: Reply, address: string, format: ReportFormat): Reply {
  SUBJECTS.set(reply, { address, format });
  return reply;
}

function lastModified(surveyedAt: string): Readonly<Record<string, string>> {
  return { "last-modified": new Date(surveyedAt).toUTCString() };
}

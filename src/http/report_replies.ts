import { LRUCache } from "lru-cache";
import { isBogon, isWithin, parseAddress, parsePrefix } from "#address";
import { isRecent } from "#common";
import { createSingleFlight } from "#concurrency";
import { localize } from "#locale";
import type { Answer } from "#lookup";
import { neighbourhoodOf } from "#network";
import { type Neighbours, renderReportPage, reportUrlOf, type ShownChange } from "#render";
import {
  type Assessment,
  CORRECTION_ID,
  type Conclusion,
  type Language,
  type Report,
  type Tier,
} from "#report";
import type { Operation, Reports, Site } from "./context.ts";
import { linkHeader, policyOfPage } from "./plugins/headers.ts";
import { pageReply, type Reply, textReply } from "./reply.ts";
import {
  FORMATS,
  type ReportFormat,
  type ReportSelection,
  selectFields,
  type WrittenFormat,
} from "./report_formats.ts";

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
  /** Whether the operator of the site asks, by an exempt client. Only the page differs. */
  readonly operator?: boolean;
  /** What the operator sees on the page of a watched address. Such a page is not cached. */
  readonly changes?: readonly ShownChange[];
}

/** Renders an answer, or returns the cached reply. Only a page can return a promise, because it reads the history. */
export type ReportReplies = <F extends ReportFormat>(
  answer: Answer,
  options: ReportOptions<F>,
) => Reply<ReportContent<F>> | Promise<Reply<ReportContent<F>>>;

/** The lookup counts the memory of an assessment. When the lookup drops it, the reply to it is never used again. */
interface CachedReply {
  readonly assessment: WeakRef<Assessment>;
  readonly votes: Answer["votes"];
  readonly tier: Tier;
  readonly reply: Reply;
}

/**
 * Creates the cache of rendered reports. The lookup returns the same assessment object while it is current, and the
 * same votes until one is added, so a different object under the same key means newer contents. A page of the client's
 * own address differs from the page for others. Requests for the same page share one read of its history. A page without
 * history, because the database is down, is not cached.
 */
export function createReportReplies(context: Reports & Site & Operation): ReportReplies {
  const cache = new LRUCache<string, CachedReply>({
    maxSize: context.replyCacheBytes,
    sizeCalculation: ({ reply }) => Math.ceil(reply.size * SIZE_FACTOR) + OVERHEAD_BYTES,
  });
  context.watch?.replies(() => ({ entries: cache.size, bytes: cache.calculatedSize }));
  const renderings = createSingleFlight<Reply>();
  let noHistoryAt: number | undefined;

  function remember(key: string, { assessment, votes, tier }: Answer, reply: Reply): Reply {
    cache.set(key, { assessment: new WeakRef(assessment), votes, tier, reply });
    return reply;
  }

  async function readHistory(address: string): Promise<readonly Conclusion[] | undefined> {
    if (isRecent(noHistoryAt, context.now(), HISTORY_REST_MS)) return undefined;
    try {
      return await context.history.history(address);
    } catch (error) {
      noHistoryAt = context.now();
      context.log("error", "history_unreadable", { message: String(error) });
      return undefined;
    }
  }

  async function renderWithHistory(key: string, answer: Answer, options: ReportOptions): Promise<Reply> {
    const history = await readHistory(answer.assessment.address);
    const reply = renderPage(context, answer, options, history);
    return history === undefined ? reply : remember(key, answer, reply);
  }

  async function renderForOperator(answer: Answer, options: ReportOptions): Promise<Reply> {
    return renderPage(context, answer, options, await readHistory(answer.assessment.address));
  }

  function reply(answer: Answer, options: ReportOptions): Reply | Promise<Reply> {
    const { assessment, votes, tier, stale } = answer;
    const { language, format } = options;
    if (options.changes !== undefined) return renderForOperator(answer, options);
    const own = (format === "page" || format.endsWith("badge")) && options.own === true;
    const operator = format === "page" && options.operator === true;
    const key = `${assessment.address} ${language} ${format} ${own} ${operator} ${stale}`;
    const known = cache.get(key);
    if (known?.assessment.deref() === assessment && known.votes === votes && known.tier === tier)
      return known.reply;
    if (format !== "page")
      return remember(key, answer, renderReport(context, answer, { language, format, own }));
    if (assessment.flags.isBogon)
      return remember(key, answer, renderPage(context, answer, { ...options, own, operator }, []));
    // All who ask for the page in one tier, while its history is read, wait for the same page.
    const rendering = `${key} ${tier} ${tagOf(context, answer, language, [])}`;
    return renderings.run(rendering, () => renderWithHistory(key, answer, { ...options, own, operator }));
  }

  // The format decides the content of a reply; the compiler cannot derive this through the cache.
  return reply as ReportReplies;
}

/** Renders a part of the JSON report. It is not cached, because there are many parts. */
export function replyReportPart(
  site: Pick<Site, "baseUrl" | "version">,
  answer: Answer,
  language: Language,
  selection: ReportSelection,
): Reply<Report> {
  const text = JSON.stringify(selectFields(localizeAnswer(site, answer, language), selection));
  const tag = tagOf(site, answer, language, [selection.fields, selection.sources]);
  // The description declares the whole report; a client that selects fields knows which ones it gets.
  return textReply(text, { tag, languages: [language] }, "application/json") as Reply as Reply<Report>;
}

/** The answer of an assessment from the local tables, which nobody stores. */
export function answerFromTables(assessment: Assessment): Answer {
  return { tier: "fresh", stale: false, assessment, votes: [], liveAnswers: 0 };
}

/** The report of an answer in one language, with the URL of its page on this service. */
export function localizeAnswer(
  { baseUrl }: Pick<Site, "baseUrl">,
  { assessment, tier, stale, votes }: Answer,
  language: Language,
): Report {
  const reportUrl = reportUrlOf(baseUrl, assessment.address, language);
  return localize(assessment, { language, tier, stale, reportUrl, votes });
}

function renderPage(
  context: Reports & Site & Operation,
  answer: Answer,
  { language, own = false, operator = false, changes = [] }: ReportOptions,
  history: readonly Conclusion[] = [],
): Reply {
  const { address } = answer.assessment;
  const neighbours = findNeighbours(context, answer);
  const { date, listed, use } = neighbours?.summary ?? {};
  const shown = [date, listed, use];
  const page = renderReportPage(localizeAnswer(context, answer, language), {
    own,
    operator,
    takesRatings: context.mirror === undefined,
    history,
    changes,
    delistUrls: context.delistUrls,
    ...(neighbours === undefined ? {} : { neighbours }),
    ...(context.families === undefined ? {} : { families: context.families }),
  });
  return pageReply(page, {
    policy: policyOfPage(page, context.families),
    cacheControl: "private, no-cache",
    languages: [language],
    tag: tagOf(context, answer, language, ["page", own, operator, history, changes, shown]),
    headers: { link: linkHeader(language, address) },
  });
}

/** The addresses beside that of an answer; none for public services, of which nobody is a neighbour, or without tables. */
function findNeighbours({ networks }: Reports, { assessment }: Answer): Neighbours | undefined {
  const address = parseAddress(assessment.address);
  if (networks === undefined || address === undefined || isBogon(address)) return undefined;
  const summary = networks.prefix(neighbourhoodOf(address));
  const at = summary.cells.findIndex(({ prefix }) => {
    const cell = parsePrefix(prefix);
    return cell !== undefined && isWithin(address, cell);
  });
  return at < 0 ? undefined : { summary, at };
}

function renderReport(
  context: Reports & Site & Operation,
  answer: Answer,
  { language, format, own = false }: ReportOptions<Exclude<ReportFormat, "page">>,
): Reply {
  const { mediaType, isShared, isNeutral, write }: WrittenFormat = FORMATS[format];
  return textReply(
    write(localizeAnswer(context, answer, language)),
    {
      tag: tagOf(context, answer, language, [format]),
      ...(isShared === true && !own ? { cacheControl: "public, max-age=300" } : {}),
      ...(isNeutral === true ? {} : { languages: [language] }),
    },
    mediaType,
  );
}

/**
 * What a rendered report depends on, so that its entity tag changes with it. The tier is left out: a survey keeps its tag
 * when the answer comes from memory or from the database.
 */
export function tagOf(
  { baseUrl, version }: Pick<Site, "baseUrl" | "version">,
  { assessment: { address, surveyedAt, scoringVersion, purity, sources }, stale, votes }: Answer,
  language: Language,
  more: readonly unknown[],
): string {
  const corrected = sources.find(({ id }) => id === CORRECTION_ID);
  const survey = [address, surveyedAt, scoringVersion, purity, corrected, stale, votes];
  return JSON.stringify([version, baseUrl, survey, language, more]);
}

import type { ReportPageTexts } from "#locale";
import type { Report } from "#report";
import type { ReportContext } from "../report_context.ts";
import { divideAbuse } from "../report_fields.ts";
import { COLUMNS, concludeFlag, countExitLists, isRaising, listVoices, type Voice } from "../voices.ts";
import { type Html, html } from "./html.ts";
import { NONE, renderBar, renderCard, renderWide } from "./parts.ts";

/** More voices than this are folded, except those that raise a flag. */
const MAX_ROWS = 9;

/**
 * Renders what each source says of the same facts, with the conclusion and its agreement in the last row, and the risk
 * scores of other services. Renders nothing when no source says anything.
 */
export function renderMatrix(context: ReportContext, operator: boolean): Html | false {
  const { report, facts, texts, page } = context;
  const speaking = listVoices(report);
  const scores = renderScores(context, operator);
  if (speaking.length === 0) return scores !== false && renderCard(page.matrix, scores);
  const most = Math.max(MAX_ROWS, speaking.filter((voice) => isRaising(voice, report)).length);
  const [shown, folded] = [speaking.slice(0, most), speaking.slice(most)];
  const { listsAnswered } = facts;
  const exitLists = renderExitLists(context);
  const counts = [page.voices(speaking.length), ...(listsAnswered === 0 ? [] : [page.lists(listsAnswered)])];
  const shortColumns: Readonly<Record<string, string>> = page.shortColumns;
  const more = page.moreSources(folded.length);
  const notes = [
    ...(speaking.some((voice) => isDiffering(voice, report)) ? [page.matrixOther] : []),
    ...(COLUMNS.some((flag) => report.flags[flag]) ? [page.matrixNote] : []),
    ...(isOpen(facts) || COLUMNS.some((flag) => concludeFlag(flag, report, speaking) === "open")
      ? [page.matrixOpen]
      : []),
    ...(exitLists === false ? [] : [page.matrixExits]),
    page.matrixDash,
  ];
  const renderRows = (sources: typeof speaking) => sources.map((source) => renderRow(source, report, page));
  const renderSection = (title: string, caption: Html, body: Html) =>
    renderWide(
      title,
      html`<table class="matrix">${caption}
<thead><tr>${Object.entries(page.columns).map(([id, name]) => html`<th scope="col">${shortColumns[id] === undefined ? name : html`<span class="long">${name}</span><abbr class="short" title="${name}">${shortColumns[id]}</abbr>`}</th>`)}</tr></thead>
<tbody>${body}</table>`,
    );
  return renderCard(
    page.matrix,
    html`${renderSection(
      page.matrix,
      html`<caption>${page.matrixLead(texts.joinItems(counts))}</caption>`,
      html`${renderRows(shown)}${exitLists}${renderLists(context)}
</tbody>
<tfoot>${renderConclusion(context, speaking)}</tfoot>`,
    )}
${
  folded.length > 0 &&
  html`<details><summary>${more}</summary>${renderSection(
    more,
    html`<caption class="unseen">${page.matrix}: ${more}</caption>`,
    html`${renderRows(folded)}
</tbody>`,
  )}</details>\n`
}<p class="quiet">${texts.joinSentences(notes)}</p>${scores}`,
    { name: "who" },
  );
}

/** The style of what a voice states, which is "same" unless another is given for what agrees. */
function styleOf<T>(stated: T | undefined, concluded: T | undefined, agreeing = "same"): string {
  return stated === undefined || stated === concluded ? agreeing : "other";
}

/** Whether a voice states another type, another country or another flag than the report. */
function isDiffering({ answer: { usageType, country, flags } }: Voice, report: Report): boolean {
  const styles = COLUMNS.map((flag) => styleOf(flags?.[flag], report.flags[flag]));
  return [...styles, styleOf(usageType, report.usageType), styleOf(country, report.geo?.country)].includes(
    "other",
  );
}

function renderRow({ name, answer }: Voice, report: Report, page: ReportPageTexts): Html {
  const { usageType, country, flags } = answer;
  const kind = usageType && page.usages[usageType];
  return html`
<tr><th scope="row"><bdi>${name.split(/(?=\.)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)}</bdi></th>${renderCell(kind, styleOf(usageType, report.usageType), page)}${renderCell(country, styleOf(country, report.geo?.country), page)}${COLUMNS.map((flag) => renderFlag(flags?.[flag], report.flags[flag], page))}${renderCell(answer.listed && page.listed, "yes", page)}</tr>`;
}

/** Renders what is stated, or the sign for nothing. What differs from the conclusion stands out by its style. */
function renderCell(text: string | false | undefined, style: string, page: ReportPageTexts): Html {
  return text ? html`<td class="${style}">${text}</td>` : renderSilence(page);
}

function renderFlag(value: boolean | undefined, concluded: boolean, page: ReportPageTexts): Html {
  const style = styleOf(value, concluded, value ? "yes" : "no");
  return renderCell(value === undefined ? undefined : value ? page.yes : page.no, style, page);
}

function renderSilence({ silent }: ReportPageTexts): Html {
  return html`<td class="mute"><span aria-hidden="true">${NONE}</span><span class="unseen">${silent}</span></td>`;
}

/** Renders the lists of exits that do not name the address as one row: how many there are of each kind. */
function renderExitLists(context: ReportContext): Html | false {
  const { page } = context;
  const counts = COLUMNS.map((flag) => countExitLists(flag, context));
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum === 0) return false;
  return html`
<tr><th scope="row">${page.exitLists(sum)}</th>${renderSilence(page)}${renderSilence(page)}${counts.map((count) => renderCell(count > 0 && `0/${count}`, "same", page))}${renderSilence(page)}</tr>`;
}

/** Renders all blocklists as one row: how many of those that answered list the address. */
function renderLists({ facts, page }: ReportContext): Html | false {
  const { lists, listsAnswered } = facts;
  if (listsAnswered === 0) return false;
  return html`
<tr><th scope="row">${page.lists(listsAnswered)}</th>${Array.from({ length: 6 }, () => renderSilence(page))}${renderListed(lists.listed.length, page)}</tr>`;
}

function renderListed(listed: number, page: ReportPageTexts): Html {
  return renderCell(String(listed), listed > 0 ? "yes" : "no", page);
}

/** Whether no list that answered has the address, and some did not answer: that is no "no". */
function isOpen({ lists, listsAnswered }: ReportContext["facts"]): boolean {
  return listsAnswered > 0 && lists.listed.length === 0 && lists.unavailable.length > 0;
}

/** Renders the conclusion of the report with the agreement on each flag. "No" needs a source that says no. */
function renderConclusion({ report, facts, page }: ReportContext, speaking: readonly Voice[]): Html {
  const { usageType, geo, flagAgreement } = report;
  return html`<tr><th scope="row">${page.conclusion}</th><td>${page.usages[usageType]}</td><td>${geo?.country ?? NONE}</td>${COLUMNS.map(
    (flag) => {
      const verdict = concludeFlag(flag, report, speaking);
      if (verdict === "yes")
        return html`<td class="yes">${page.yes} <small>${page.agreement(flagAgreement[flag] ?? 1)}</small></td>`;
      return verdict === "open"
        ? renderCell("?", "mute", page)
        : renderCell(verdict === "no" && page.no, "same", page);
    },
  )}${concludeLists(facts, page)}</tr>`;
}

function concludeLists(facts: ReportContext["facts"], page: ReportPageTexts): Html {
  const listed = facts.lists.listed.length;
  if (facts.listsAnswered === 0) return renderSilence(page);
  if (isOpen(facts)) return renderCell("?", "mute", page);
  return listed > 0 ? renderListed(listed, page) : renderCell("0", "same", page);
}

/**
 * Renders the risk scores that other services give, as bars, and to the operator the services that need a key. Nothing
 * when there are neither.
 */
function renderScores(context: ReportContext, operator: boolean): Html | false {
  const { report, texts, page } = context;
  const scored = divideAbuse(context).records.filter(({ score }) => score !== undefined);
  const locked = report.sources.filter(({ skipped }) => operator && skipped === texts.skips.no_key);
  const hint =
    locked.length > 0 &&
    html`<p class="quiet">${page.withKey(texts.joinItems(locked.map(({ name }) => name)))}</p>`;
  if (scored.length === 0) return hint;
  return html`
<h3>${page.scores} <small>${page.scoresScale}</small></h3>
<ul class="scores">${scored.map(
    ({ source, score = 0 }) => html`
<li class="${score >= 50 ? "cost" : score >= 20 ? "fair" : "nil"}"><bdi>${source}</bdi> ${renderBar(score)} <span class="figure">${score}</span></li>`,
  )}</ul>${hint}`;
}

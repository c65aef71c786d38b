import { type PageTexts, type PartialTexts, pageWordsOf, wordsOf } from "#locale";
import { type Language, type Problem, type Report, SCENARIOS } from "#report";
import { comparePathOf } from "./compare_path_of.ts";
import { describeFlags } from "./describe_flags.ts";
import { drawAddress } from "./draw_address.ts";
import { drawCard } from "./draw_card.ts";
import { drawCompareForm } from "./draw_compare_form.ts";
import { drawDocument } from "./draw_document.ts";
import { drawHead } from "./draw_head.ts";
import { type Html, html } from "./html.ts";
import { makeBill } from "./make_bill.ts";
import { reportPathOf } from "./report_path_of.ts";
import { sortBlocklists } from "./sort_blocklists.ts";
import { webLinkOf } from "./web_link_of.ts";

/** What is compared. */
export interface CompareParts {
  /** Reports in the order asked for; at most five. */
  readonly reports: readonly Report[];
  /** What the visitor asked for, as written. */
  readonly asked: readonly string[];
  readonly language: Language;
  /** Why some of what was asked for could not be had. */
  readonly problems: readonly { readonly asked: string; readonly problem: Problem }[];
  /** Public origin without a trailing slash; with it the empty page tells search engines what it is. */
  readonly origin?: string;
}

/** Most deductions shown of each. */
const DEDUCTIONS = 3;

/** Up to five candidates side by side, and what could not be had, with the reason. A comparison is not for search engines. */
export function renderComparePage({ reports, asked, language, problems, origin }: CompareParts): string {
  const texts = wordsOf(language);
  const words = pageWordsOf(language);
  const query =
    asked.length === 0 ? "" : `?ips=${asked.map(encodeURIComponent).join(",").replaceAll("%3A", ":")}`;
  const title = `${words.compareTitle} - limpid`;
  const description = words.compareDescription;
  const path = { zh: comparePathOf("zh"), en: comparePathOf("en") };
  const head =
    asked.length > 0
      ? html`<meta name="robots" content="noindex">\n`
      : html`${origin !== undefined && drawHead({ language, title, description, origin, path })}`;
  return drawDocument({
    language,
    title,
    description,
    head,
    path: { zh: path.zh + query, en: path.en + query },
    body: html`<section class="card"><h1>${words.compareTitle}</h1>
${drawCompareForm(language, asked.join(", "))}
</section>
${reports.length > 0 && drawVersus(reports, texts, words, language)}
${problems.length > 0 && drawCard(words.notHad, drawProblems(problems, words))}
${asked.length === 0 && html`<p class="note">${words.nothingCompared}</p>`}`,
    footer: html`<p>${texts.headings.disclaimer}</p>\n`,
  });
}

function drawVersus(
  reports: readonly Report[],
  texts: PartialTexts,
  page: PageTexts,
  language: Language,
): Html {
  const rows = listRows(texts, page);
  return html`<section class="card"><section class="wide" aria-label="${page.compareCaption}" tabindex="0"><table class="versus"><caption class="unseen">${page.compareCaption}</caption>
<thead><tr><th scope="col">${page.candidate}</th>${reports.map(
    ({ ip }) => html`<th scope="col"><a href="${reportPathOf(ip, language)}">${drawAddress(ip)}</a></th>`,
  )}</tr></thead>
<tbody>${rows.map(
    ([title, drawCell]) => html`
<tr><th scope="row">${title}</th>${reports.map((report) => html`<td>${drawCell(report)}</td>`)}</tr>`,
  )}</tbody></table></section>
<p class="quiet">${texts.headings.unavailableNote}</p>
</section>`;
}

type Row = readonly [title: string, drawCell: (report: Report) => string | number | Html];

function listRows(texts: PartialTexts, page: PageTexts): readonly Row[] {
  const words = texts.headings;
  return [
    [
      words.purity,
      ({ risk }) =>
        html`<span class="total">${risk.purity}</span> <span class="band-${risk.level}"><strong class="band">${risk.label}</strong></span>`,
    ],
    [
      words.confidence,
      ({ risk, stale }) =>
        html`${texts.confidences[risk.confidence]}${stale && html` <span class="stale">${words.stale}</span>`}`,
    ],
    [words.usage, ({ usageType }) => texts.usages[usageType]],
    [words.native, ({ nativeType }) => texts.natives[nativeType]],
    [words.flags, (report) => drawList(describeFlags(report, texts), words.none)],
    ...SCENARIOS.map((id): Row => [texts.scenarios[id], (report) => drawScenario(report, id)]),
    [page.listedOn, (report) => sortBlocklists(report).listed.length],
    [page.unheardLists, (report) => sortBlocklists(report).unavailable.length],
    [page.topDeductions, (report) => drawList(listDeductions(report), words.noFactors)],
  ];
}

function drawScenario(report: Report, id: (typeof SCENARIOS)[number]): Html | string {
  const scenario = report.scenarios.find((it) => it.id === id);
  if (scenario === undefined) return "--";
  const { level, levelLabel, score } = scenario;
  return html`<span class="level level-${level}">${levelLabel}</span>${score !== null && html` <b class="figure">${score}</b>`}`;
}

/** The items that took most, dearest first. */
function listDeductions({ risk }: Report): readonly string[] {
  return makeBill(risk)
    .lines.filter((line) => line.kind === "factor" && line.effect < 0)
    .toSorted((one, other) => one.effect - other.effect)
    .slice(0, DEDUCTIONS)
    .map((line) => (line.kind === "factor" ? `${line.factor.label} \u2212${-line.effect}` : ""));
}

function drawList(items: readonly string[], nothing: string): Html {
  return items.length === 0
    ? html`<span class="quiet">${nothing}</span>`
    : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function drawProblems(problems: CompareParts["problems"], page: PageTexts): Html {
  return html`<dl class="unknowns">${problems.map(
    ({ asked, problem }) => html`
<div><dt><bdi>${asked}</bdi></dt><dd>${problem.error}${problem.hint !== undefined && html` ${problem.hint}`}${
      problem.reportUrl !== undefined &&
      html` <a href="${webLinkOf(problem.reportUrl) ?? "#"}" rel="nofollow">${page.openReport}<span class="unseen"> (${asked})</span></a>`
    }</dd></div>`,
  )}</dl>`;
}

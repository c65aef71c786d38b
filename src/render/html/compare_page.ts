import { type PageTexts, pageTextsOf, type ReportTexts, reportTextsOf } from "#locale";
import { type Language, type Problem, type Report, SCENARIOS } from "#report";
import { groupBlocklists } from "../groups.ts";
import { comparePathOf, reportPathOf, webLinkOf } from "../paths.ts";
import { describeFlags } from "../report_fields.ts";
import { breakDownScore } from "../score_breakdown.ts";
import { renderDocument, renderHead } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderAddress, renderCard, renderCompareForm } from "./parts.ts";

/** What the page compares. */
export interface ComparePageParts {
  /** At most five reports, in the order of the request. */
  readonly reports: readonly Report[];
  /** The addresses as the visitor wrote them. */
  readonly asked: readonly string[];
  readonly language: Language;
  /** The addresses without a report, and why. */
  readonly problems: readonly { readonly asked: string; readonly problem: Problem }[];
  /** Public origin without a trailing slash. With it, the page without addresses has metadata for search engines. */
  readonly origin?: string;
}

/** Most deductions shown for each address. */
const MAX_DEDUCTIONS = 3;

/** Renders up to five reports in columns, and the addresses without a report. Comparisons are not indexed. */
export function renderComparePage({ reports, asked, language, problems, origin }: ComparePageParts): string {
  const texts = reportTextsOf(language);
  const page = pageTextsOf(language);
  const query =
    asked.length === 0 ? "" : `?ips=${asked.map(encodeURIComponent).join(",").replaceAll("%3A", ":")}`;
  const title = `${page.compareTitle} - limpid`;
  const description = page.compareDescription;
  const path = { zh: comparePathOf("zh"), en: comparePathOf("en") };
  const head =
    asked.length > 0
      ? html`<meta name="robots" content="noindex">\n`
      : html`${origin !== undefined && renderHead({ language, title, description, origin, path })}`;
  return renderDocument({
    language,
    title,
    description,
    head,
    path: { zh: path.zh + query, en: path.en + query },
    body: html`<section class="card"><h1>${page.compareTitle}</h1>
${renderCompareForm(language, asked.join(", "))}
</section>
${reports.length > 0 && renderTable(reports, texts, page, language)}
${problems.length > 0 && renderCard(page.notAvailable, renderProblems(problems, page))}
${asked.length === 0 && html`<p class="note">${page.compareEmpty}</p>`}`,
    footer: html`<p>${texts.labels.disclaimer}</p>\n`,
  });
}

function renderTable(
  reports: readonly Report[],
  texts: ReportTexts,
  page: PageTexts,
  language: Language,
): Html {
  const rows = listRows(texts, page);
  return html`<section class="card"><section class="wide" aria-label="${page.compareCaption}" tabindex="0"><table class="versus"><caption class="unseen">${page.compareCaption}</caption>
<thead><tr><th scope="col">${page.candidate}</th>${reports.map(
    ({ ip }) => html`<th scope="col"><a href="${reportPathOf(ip, language)}">${renderAddress(ip)}</a></th>`,
  )}</tr></thead>
<tbody>${rows.map(
    ([title, renderCell]) => html`
<tr><th scope="row">${title}</th>${reports.map((report) => html`<td>${renderCell(report)}</td>`)}</tr>`,
  )}</tbody></table></section>
<p class="quiet">${texts.labels.unavailableNote}</p>
</section>`;
}

type Row = readonly [title: string, renderCell: (report: Report) => string | number | Html];

function listRows(texts: ReportTexts, page: PageTexts): readonly Row[] {
  const { labels } = texts;
  return [
    [
      labels.purity,
      ({ risk }) =>
        html`<span class="total">${risk.purity}</span> <span class="band-${risk.level}"><strong class="band">${risk.label}</strong></span>`,
    ],
    [
      labels.confidence,
      ({ risk, stale }) =>
        html`${texts.confidences[risk.confidence]}${stale && html` <span class="stale">${labels.stale}</span>`}`,
    ],
    [labels.usage, ({ usageType }) => texts.usages[usageType]],
    [labels.native, ({ nativeType }) => texts.natives[nativeType]],
    [labels.flags, (report) => renderList(describeFlags(report, texts), labels.none)],
    ...SCENARIOS.map((id): Row => [texts.scenarios[id], (report) => renderScenario(report, id)]),
    [page.listedOn, (report) => groupBlocklists(report).listed.length],
    [page.unknownLists, (report) => groupBlocklists(report).unavailable.length],
    [page.topDeductions, (report) => renderList(listDeductions(report), labels.noFactors)],
  ];
}

function renderScenario(report: Report, id: (typeof SCENARIOS)[number]): Html | string {
  const scenario = report.scenarios.find((it) => it.id === id);
  if (scenario === undefined) return "--";
  const { level, levelLabel, score } = scenario;
  return html`<span class="level level-${level}">${levelLabel}</span>${score !== null && html` <b class="figure">${score}</b>`}`;
}

/** Lists the largest deductions, largest first. */
function listDeductions({ risk }: Report): readonly string[] {
  return breakDownScore(risk)
    .lines.filter((line) => line.kind === "factor" && line.effect < 0)
    .toSorted((one, other) => one.effect - other.effect)
    .slice(0, MAX_DEDUCTIONS)
    .map((line) => (line.kind === "factor" ? `${line.factor.label} \u2212${-line.effect}` : ""));
}

function renderList(items: readonly string[], nothing: string): Html {
  return items.length === 0
    ? html`<span class="quiet">${nothing}</span>`
    : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function renderProblems(problems: ComparePageParts["problems"], page: PageTexts): Html {
  return html`<dl class="unknowns">${problems.map(
    ({ asked, problem }) => html`
<div><dt><bdi>${asked}</bdi></dt><dd>${problem.error}${problem.hint !== undefined && html` ${problem.hint}`}${
      problem.reportUrl !== undefined &&
      html` <a href="${webLinkOf(problem.reportUrl) ?? "#"}" rel="nofollow">${page.openReport}<span class="unseen"> (${asked})</span></a>`
    }</dd></div>`,
  )}</dl>`;
}

import { type PageTexts, pageTextsOf, type ReportTexts, reportTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { countSources, groupSources, type SourceGroup, type SourceOutcome } from "../groups.ts";
import { type Html, html } from "./html.ts";
import { renderCard, renderGroup } from "./parts.ts";

type Source = Report["sources"][number];

// Failures come first.
const OUTCOMES: readonly Exclude<SourceOutcome, "skipped">[] = ["failed", "answered", "foundNothing"];

/** Renders every source with its outcome and how long it took. The sources are grouped, and long groups are folded. */
export function renderSources(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const { labels } = texts;
  const page = pageTextsOf(language);
  const groups = groupSources(report, texts);
  const of = (outcome: SourceOutcome) => groups.filter((group) => group.outcome === outcome);
  const count = (outcome: SourceOutcome) => countSources(groups, outcome);
  const answered = count("answered") + count("foundNothing");
  return renderCard(
    labels.sources,
    html`<p>${texts.sourceCount(answered, count("failed"), count("skipped"))}${texts.period}</p>
${answered < report.sources.length && html`<p class="quiet">${labels.sourcesNote}</p>\n`}${OUTCOMES.map(
  (outcome) => {
    const title = page.outcomes[outcome];
    return renderGroup(title, count(outcome), outcome, () => renderTable(title, of(outcome), texts, page));
  },
)}${renderGroup(page.outcomes.skipped, count("skipped"), "skipped", () => renderSkipped(of("skipped"), texts))}`,
  );
}

function renderTable(
  caption: string,
  groups: readonly SourceGroup[],
  texts: ReportTexts,
  page: PageTexts,
): Html {
  const { labels } = texts;
  return html`<table class="sources"><caption class="unseen">${labels.sources}: ${caption}</caption>
<thead><tr><th scope="col">${labels.source}</th><th scope="col">${page.detail}</th><th scope="col" class="figure">${labels.time}</th></tr></thead>
<tbody>${groups.map(({ fact, sources }) =>
    sources.map(
      (source) => html`
<tr><th scope="row"><bdi>${source.name}</bdi>${renderKind(source, texts)}</th><td>${fact}</td><td class="figure">${source.ms} ms</td></tr>`,
    ),
  )}</tbody></table>`;
}

/** Renders each reason with the sources that it applies to. */
function renderSkipped(groups: readonly SourceGroup[], texts: ReportTexts): Html {
  return html`<dl class="skips">${groups.map(
    ({ fact, sources }) => html`
<div><dt>${fact}</dt><dd><ul class="names">${sources.map((source) => html`<li><bdi>${source.name}</bdi>${renderKind(source, texts)}</li>`)}</ul></dd></div>`,
  )}</dl>`;
}

function renderKind({ kind }: Source, texts: ReportTexts): Html | false {
  return kind === "commercial" && html` <span class="tag">${texts.kinds.commercial}</span>`;
}

import { type PageTexts, type PartialTexts, pageWordsOf, wordsOf } from "#locale";
import type { Language, Report } from "#report";
import { drawCard } from "./draw_card.ts";
import { drawGroup } from "./draw_group.ts";
import { groupSources, type SourceGroup, type SourceOutcome } from "./group_sources.ts";
import { type Html, html } from "./html.ts";

type Source = Report["sources"][number];

// What went wrong comes first.
const OUTCOMES: readonly Exclude<SourceOutcome, "skipped">[] = ["failed", "answered", "foundNothing"];

/** Who was asked, what became of it and how long it took; grouped, long groups folded. */
export function drawSources(report: Report, language: Language): Html {
  const texts = wordsOf(language);
  const words = texts.headings;
  const page = pageWordsOf(language);
  const groups = groupSources(report, texts);
  const of = (outcome: SourceOutcome) => groups.filter((group) => group.outcome === outcome);
  const count = (found: readonly SourceGroup[]) =>
    found.reduce((sum, { sources }) => sum + sources.length, 0);
  const skipped = of("skipped");
  const heard = count(of("answered")) + count(of("foundNothing"));
  return drawCard(
    words.sources,
    html`<p>${texts.sourceCount(heard, count(of("failed")), count(skipped))}${texts.stop}</p>
${heard < report.sources.length && html`<p class="quiet">${words.sourcesNote}</p>\n`}${OUTCOMES.map(
  (outcome) => {
    const found = of(outcome);
    const title = page.outcomes[outcome];
    return drawGroup(title, count(found), outcome, () => drawTable(title, found, texts, page));
  },
)}${drawGroup(page.outcomes.skipped, count(skipped), "skipped", () => drawSkipped(skipped, texts))}`,
  );
}

function drawTable(
  caption: string,
  groups: readonly SourceGroup[],
  texts: PartialTexts,
  page: PageTexts,
): Html {
  const words = texts.headings;
  return html`<table class="sources"><caption class="unseen">${words.sources}: ${caption}</caption>
<thead><tr><th scope="col">${words.source}</th><th scope="col">${page.detail}</th><th scope="col" class="figure">${words.time}</th></tr></thead>
<tbody>${groups.map(({ fact, sources }) =>
    sources.map(
      (source) => html`
<tr><th scope="row"><bdi>${source.name}</bdi>${drawKind(source, texts)}</th><td>${fact}</td><td class="figure">${source.ms} ms</td></tr>`,
    ),
  )}</tbody></table>`;
}

/** The reason, and whom it concerns. */
function drawSkipped(groups: readonly SourceGroup[], texts: PartialTexts): Html {
  return html`<dl class="skips">${groups.map(
    ({ fact, sources }) => html`
<div><dt>${fact}</dt><dd><ul class="names">${sources.map((source) => html`<li><bdi>${source.name}</bdi>${drawKind(source, texts)}</li>`)}</ul></dd></div>`,
  )}</dl>`;
}

function drawKind({ kind }: Source, texts: PartialTexts): Html | false {
  return kind === "commercial" && html` <span class="tag">${texts.kinds.commercial}</span>`;
}

import type { ReportTexts } from "#locale";
import type { Report, SkipReason } from "#report";
import type { ReportContext } from "../report_context.ts";
import { groupOutcomes, type SourceGroup, type SourceOutcome } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderCard, renderGroup, renderTable } from "./parts.ts";

type Source = Report["sources"][number];

/** In the list of sources the failures come first. */
const LISTED_FIRST: readonly SourceOutcome[] = ["failed", "pending"];

/** Reasons that say something to the operator of the site and nothing to a visitor. */
const OPERATOR_REASONS: readonly SkipReason[] = [
  "no_key",
  "noncommercial",
  "no_contact",
  "turned_off",
  "live_off",
];

/** Renders a bar of the sources that were asked, by state, and a folded list of all sources with their facts. */
export function renderSources(context: ReportContext): Html {
  const { texts, page } = context;
  const { sourceStates } = texts;
  const groups = groupOutcomes(context);
  const of = (state: SourceOutcome) => groups.filter(({ outcome }) => outcome === state);
  const counts = (Object.keys(sourceStates) as SourceOutcome[])
    .map((state) => [state, of(state).reduce((sum, { sources }) => sum + sources.length, 0)] as const)
    .filter(([, count]) => count > 0);
  const isFirst = ([state]: (typeof counts)[number]) => LISTED_FIRST.includes(state);
  const listed = [...counts.filter(isFirst), ...counts.filter((count) => !isFirst(count))];
  const asked = counts.filter(([state]) => state !== "skipped");
  const legend = asked.map(([state, count]) => `${sourceStates[state]} ${count}`);
  const isFailing = counts.some(([state]) => state === "failed");
  const note = html`<p class="quiet">${texts.labels.sourcesNote}</p>\n`;
  return renderCard(
    texts.labels.sources,
    html`${renderShares(asked, texts.joinDetails(legend))}
<ul class="legend">${asked.map(([state, count]) => html`<li><i class="is-${state}"></i>${sourceStates[state]} <b>${count}</b></li>`)}</ul>
${isFailing && note}<details class="each"><summary>${page.eachSource}</summary>${!isFailing && asked.length < counts.length && note}${listed.map(
      ([state, count]) =>
        renderGroup(sourceStates[state], count, state, () =>
          state === "skipped"
            ? renderSkipped(of(state), context)
            : renderAnswers(sourceStates[state], of(state), context),
        ),
    )}</details>`,
    { id: "sources" },
  );
}

/** Renders the shares of the states as parts of one bar, with a small gap between them. */
function renderShares(counts: readonly (readonly [SourceOutcome, number])[], label: string): Html {
  const whole = counts.reduce((sum, [, count]) => sum + count, 0);
  let from = 0;
  const parts = counts.map(([state, count]) => {
    const start = from;
    from += (count / whole) * 1000;
    return html`<rect class="is-${state}" x="${Math.round(start)}" width="${Math.max(Math.round(from - start) - 4, 4)}" height="8"></rect>`;
  });
  return html`<svg class="shares" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="${label}">${parts}</svg>`;
}

function renderAnswers(
  state: string,
  groups: readonly SourceGroup[],
  { texts, common }: ReportContext,
): Html {
  const { labels } = texts;
  return renderTable({
    caption: `${labels.sources}: ${state}`,
    style: "sources",
    heads: [labels.source, common.detail, labels.time],
    figuresFrom: 2,
    rows: groups.flatMap(({ fact, sources }) =>
      sources.map((source) => [
        html`<bdi>${source.name}</bdi>${renderKind(source, texts)}`,
        fact,
        `${source.ms} ms`,
      ]),
    ),
  });
}

/** Renders each reason with the sources that it applies to. All reasons of the operator are one. */
function renderSkipped(groups: readonly SourceGroup[], { texts, page }: ReportContext): Html {
  const isOurs = ({ fact }: SourceGroup) =>
    OPERATOR_REASONS.some((reason) => fact.startsWith(texts.skips[reason]));
  const ours = groups.filter(isOurs).flatMap(({ sources }) => sources);
  const reasons = groups.filter((group) => !isOurs(group));
  return html`<dl class="skips">${[
    ...reasons,
    ...(ours.length === 0 ? [] : [{ fact: page.unusedNote, sources: ours }]),
  ].map(
    ({ fact, sources }) => html`
<div><dt>${fact}</dt><dd>${renderNames(sources, texts)}</dd></div>`,
  )}</dl>`;
}

function renderNames(sources: readonly Source[], texts: ReportTexts): Html {
  return html`<ul class="names">${sources.map((source) => html`<li><bdi>${source.name}</bdi>${renderKind(source, texts)}</li>`)}</ul>`;
}

function renderKind({ kind }: Source, texts: ReportTexts): Html | false {
  return kind === "commercial" && html` <span class="tag">${texts.kinds.commercial}</span>`;
}

import type { ReportPageTexts, ReportTexts } from "#locale";
import type { Report, SkipReason } from "#report";
import type { ReportContext } from "../report_context.ts";
import { groupOutcomes, type SourceGroup } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderCard, renderGroup, renderTable } from "./parts.ts";

type Source = Report["sources"][number];

/** What a visitor sees of a source. `unused`: the operator does not use it, or the address needs no answer of it. */
type StripState = keyof ReportPageTexts["strip"];

/** In the list of sources the failures come first. */
const LISTED_FIRST: readonly StripState[] = ["failed", "pending"];

/** Reasons that say something to the operator of the site and nothing to a visitor. */
const OPERATOR_REASONS: readonly SkipReason[] = [
  "no_key",
  "noncommercial",
  "no_contact",
  "turned_off",
  "live_off",
];

/** A list that will soon be there has not failed. */
const PENDING = ["not downloaded yet", "not compiled yet"] as const;

/** Groups of the same state as the strip. */
type StateGroup = SourceGroup & { readonly state: StripState };

/** Nobody asked these sources: they are only in the folded list. */
const NOT_ASKED: readonly StripState[] = ["skipped", "unused"];

/** Renders a bar of the sources that were asked, by state, and a folded list of all sources with their facts. */
export function renderSources(context: ReportContext): Html {
  const { texts, page } = context;
  const groups = groupOutcomes(context).map(
    (group): StateGroup => ({ ...group, state: stateOf(group, texts) }),
  );
  const of = (state: StripState) => groups.filter((group) => group.state === state);
  const counts = (Object.keys(page.strip) as StripState[])
    .map((state) => [state, of(state).reduce((sum, { sources }) => sum + sources.length, 0)] as const)
    .filter(([, count]) => count > 0);
  const isFirst = ([state]: (typeof counts)[number]) => LISTED_FIRST.includes(state);
  const listed = [...counts.filter(isFirst), ...counts.filter((count) => !isFirst(count))];
  const asked = counts.filter(([state]) => !NOT_ASKED.includes(state));
  const legend = asked.map(([state, count]) => `${page.strip[state]} ${count}`);
  return renderCard(
    texts.labels.sources,
    html`${renderShares(asked, texts.joinDetails(legend))}
<ul class="legend">${asked.map(([state, count]) => html`<li><i class="is-${state}"></i>${page.strip[state]} <b>${count}</b></li>`)}</ul>
${counts.some(([state]) => state === "failed" || state === "skipped") && html`<p class="quiet">${texts.labels.sourcesNote}</p>\n`}<details class="each"><summary>${page.eachSource}</summary>${listed.map(
      ([state, count]) =>
        renderGroup(page.strip[state], count, state, () =>
          state === "unused"
            ? html`<p class="quiet">${page.unusedNote}</p>${renderNames(
                of(state).flatMap(({ sources }) => sources),
                texts,
              )}`
            : state === "skipped"
              ? renderSkipped(of(state), texts)
              : renderAnswers(page.strip[state], of(state), context),
        ),
    )}</details>`,
  );
}

/** Renders the shares of the states as parts of one bar, with a small gap between them. */
function renderShares(counts: readonly (readonly [StripState, number])[], label: string): Html {
  const whole = counts.reduce((sum, [, count]) => sum + count, 0);
  let from = 0;
  const parts = counts.map(([state, count]) => {
    const start = from;
    from += (count / whole) * 1000;
    return html`<rect class="is-${state}" x="${Math.round(start)}" width="${Math.max(Math.round(from - start) - 4, 4)}" height="8"></rect>`;
  });
  return html`<svg class="shares" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="${label}">${parts}</svg>`;
}

function stateOf({ outcome, fact }: SourceGroup, texts: ReportTexts): StripState {
  if (outcome === "failed")
    return PENDING.some((detail) => fact === texts.sourceDetails[detail]) ? "pending" : "failed";
  if (outcome !== "skipped") return outcome;
  return OPERATOR_REASONS.some((reason) => fact.startsWith(texts.skips[reason])) ? "unused" : "skipped";
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

/** Renders each reason with the sources that it applies to. */
function renderSkipped(groups: readonly SourceGroup[], texts: ReportTexts): Html {
  return html`<dl class="skips">${groups.map(
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

import type { ReportTexts } from "#locale";
import type { Report, SkipReason } from "#report";
import type { ReportContext } from "../report_context.ts";
import {
  countSources,
  divideUnknowns,
  explainUnasked,
  groupOutcomes,
  type SourceGroup,
  type SourceOutcome,
} from "../source_groups.ts";
import { type Html, html } from "./html.ts";
import { renderCard, renderGroup, renderTable } from "./parts.ts";

type Source = Report["sources"][number];

/** The states that come first in the list of sources. */
const FIRST: ReadonlySet<SourceOutcome> = new Set(["failed", "pending", "absent"]);

/** Reasons that say something to the operator of the site and nothing to a visitor. */
const OURS: readonly SkipReason[] = ["no_key", "noncommercial", "no_contact", "turned_off", "live_off"];

/** Sources with the same fact are one paragraph from this number on. */
const SHARED_FROM = 3;

/** Renders a bar of the sources by state, and names those that failed. */
export function renderSources(context: ReportContext): Html {
  const { report, texts, plain, page } = context;
  const { sourceStates } = texts;
  const numbers = countSources(context);
  const why = explainUnasked(context);
  const counts = (Object.keys(sourceStates) as SourceOutcome[])
    .map((state) => [state, numbers[state === "answered" ? "found" : state]] as const)
    .filter(([, count]) => count > 0);
  const legend = counts.map(([state, count]) => `${sourceStates[state]} ${count}`);
  const { missing } = divideUnknowns(report);
  return renderCard(
    texts.labels.sources,
    html`${renderShares(counts, texts.joinDetails(legend))}
<ul class="legend">${counts.map(([state, count]) => html`<li><i class="is-${state}"></i>${sourceStates[state]} <b>${count}</b>${state === "skipped" && why !== "" && texts.withDetail("", why)}</li>`)}</ul>
${missing !== undefined && html`<p class="quiet"><b>${plain.field(missing.label, "")}</b>${missing.detail}</p>\n`}<p class="quiet"><a href="#each">${page.eachSource}</a></p>`,
    { id: "sources" },
  );
}

/** Renders the folded list of all sources with their facts. */
export function renderEachSource(context: ReportContext): Html {
  const { texts, page } = context;
  const groups = groupOutcomes(context);
  const states = Object.keys(texts.sourceStates) as SourceOutcome[];
  const listed = states.toSorted((one, other) => Number(FIRST.has(other)) - Number(FIRST.has(one)));
  return html`<details class="card each"><summary><h2>${page.eachSource}</h2></summary>
<p class="quiet" id="each">${texts.labels.sourcesNote}</p>
${listed.map((state) => {
  const name = texts.sourceStates[state];
  const those = groups.filter(({ outcome }) => outcome === state);
  const count = those.reduce((sum, { sources }) => sum + sources.length, 0);
  return renderGroup(name, count, state, () =>
    state === "skipped" ? renderSkipped(those, context) : renderAnswers(name, those, context),
  );
})}</details>`;
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

/** Renders each source with its fact, then the facts that many sources share. */
function renderAnswers(state: string, all: readonly SourceGroup[], { texts, common }: ReportContext): Html {
  const { labels } = texts;
  const isShared = ({ sources }: SourceGroup) => sources.length >= SHARED_FROM;
  const single = all.filter((group) => !isShared(group));
  const table = {
    caption: `${labels.sources}: ${state}`,
    style: "sources",
    heads: [labels.source, common.detail, labels.time],
    figuresFrom: 2,
    rows: single.flatMap(({ fact, sources }) =>
      sources.map((source) => [
        html`<bdi>${source.name}</bdi>${renderKind(source, texts)}`,
        fact,
        `${source.ms} ms`,
      ]),
    ),
  };
  return html`${single.length > 0 && renderTable(table)}${renderShared(all.filter(isShared), texts)}`;
}

/** Renders each reason with the sources that it applies to. All reasons of the operator are one. */
function renderSkipped(groups: readonly SourceGroup[], { texts, page }: ReportContext): Html {
  const isOurs = ({ fact }: SourceGroup) =>
    fact === "" || OURS.some((reason) => fact.startsWith(texts.skips[reason]));
  const ours = groups.filter(isOurs).flatMap(({ sources }) => sources);
  const reasons = groups.filter((group) => !isOurs(group));
  const own = ours.length === 0 ? [] : [{ fact: page.unusedNote, sources: ours }];
  return html`${renderShared([...reasons, ...own], texts)}`;
}

/** Renders each fact once with the names of its sources, and how long each took. */
function renderShared(groups: readonly Omit<SourceGroup, "outcome">[], texts: ReportTexts): Html | false {
  const renderName = (source: Source) =>
    html`<li><bdi>${source.name}</bdi>${renderKind(source, texts)}${source.ms > 0 && html` <small>${source.ms} ms</small>`}</li>`;
  if (groups.length === 0) return false;
  return html`<div class="skips">${groups.map(
    ({ fact, sources }) => html`
<div>${fact !== "" && html`<p class="quiet">${fact}</p>`}<ul class="names">${sources.map(renderName)}</ul></div>`,
  )}</div>`;
}

function renderKind({ kind }: Source, texts: ReportTexts): Html | false {
  return kind === "commercial" && html` <span class="tag">${texts.kinds.commercial}</span>`;
}

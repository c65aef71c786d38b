import { percentOf } from "#common";
import { type MethodTexts, reportTextsOf } from "#locale";
import type { Band, Language, Method, MethodRule } from "#report";
import { nameOf } from "../report_fields.ts";
import { describeWeight, nameRule } from "../rule_description.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./parts.ts";

/** What the functions that render a part of the method page need. */
export interface MethodContext {
  readonly method: Method;
  readonly language: Language;
  readonly texts: MethodTexts;
}

/** A deduction of the worked example. */
interface ExampleLine {
  readonly id: string;
  readonly points: number;
  readonly why: "full" | "lone" | "list";
}

/** Renders every rule with a bar of its weight, folded: inside what it looks at and all its numbers. */
export function renderRules({ method, language, texts }: MethodContext): Html {
  const { categories } = reportTextsOf(language);
  return renderCard(
    texts.rulesTitle,
    html`<p class="quiet">${texts.rulesLead}</p>
<div class="rules">${method.rules.map(
      (rule) => html`
<details><summary><h3>${nameRule(rule.id, language)}</h3>${renderWeight(rule)}<span class="figure">${formatWeight(rule)}</span></summary>
<div class="inside" id="${rule.id}"><p>${nameOf(texts.rules, rule.id)}</p>
<ul>${describeWeight(rule, language).map((line) => html`<li>${line}</li>`)}</ul>
<p class="quiet"><span class="tag">${nameOf(categories, rule.category)}</span> <code>${rule.id}</code></p></div></details>`,
    )}</div>`,
    { id: "rules" },
  );
}

/** Renders how the score of one address is computed, with the numbers of the method. */
export function renderExample({ method, language, texts }: MethodContext): Html {
  const { labels, bands } = reportTextsOf(language);
  const lines = listExampleLines(method);
  const risk = Math.min(
    100,
    lines.reduce((sum, { points }) => sum + points, 0),
  );
  const purity = Math.round(100 - risk);
  const band = bandOf(method, purity);
  let left = 100;
  const rows = lines.map(({ id, points, why }) => {
    left -= points;
    const from = Math.max(0, left);
    return html`
<tr><th scope="row">${nameRule(id, language)} <span class="quiet">${texts.exampleWhy[why]}</span></th><td>${renderBar(["off", from + points, from])}</td><td class="figure">−${points}</td></tr>`;
  });
  return renderCard(
    texts.exampleTitle,
    html`<p>${texts.exampleLead}</p>
<table class="example"><caption class="unseen">${texts.exampleTitle}</caption>
<thead class="unseen"><tr><th scope="col">${labels.item}</th><th scope="col">${labels.effect}</th><th scope="col">${labels.score}</th></tr></thead>
<tbody>
<tr><th scope="row">${labels.start}</th><td>${renderBar(["rest", 100])}</td><td class="figure">100</td></tr>${rows}
<tr class="band-${band}"><th scope="row"><strong>${labels.purity}</strong> <span class="band">${bands[band]}</span></th><td>${renderBar(["rest", purity])}</td><td class="figure"><strong>${purity}</strong></td></tr></tbody></table>`,
    { id: "example" },
  );
}

/** A VPN exit that two providers report, in a data centre that one reports, on a list of one provider. */
function listExampleLines(method: Method): readonly ExampleLine[] {
  const find = (id: string) => method.rules.find((rule) => rule.id === id);
  const vpn = find("vpn")?.points;
  const hosting = find("hosting")?.points;
  const listed = find("blocklists")?.steps?.find(({ from }) => from === 1)?.points;
  const lines: readonly (ExampleLine | undefined)[] = [
    vpn === undefined ? undefined : { id: "vpn", points: vpn, why: "full" },
    hosting === undefined
      ? undefined
      : { id: "hosting", points: Math.round(hosting * method.loneShare * 2) / 2, why: "lone" },
    listed === undefined ? undefined : { id: "blocklists", points: listed, why: "list" },
  ];
  return lines.filter((line) => line !== undefined);
}

function bandOf(method: Method, purity: number): Band {
  return method.bands.find(([, from]) => purity >= from)?.[0] ?? "dangerous";
}

/** The most points of a rule, as the figure beside its bar. */
function formatWeight(rule: MethodRule): string {
  if (rule.share !== undefined) return `+${percentOf(rule.share)}%`;
  if (rule.cap !== undefined) return `≤ ${rule.cap}`;
  const most = mostPoints(rule);
  // What it costs depends on the other rules.
  if (most === 0) return "–";
  return most < 0 ? `+${-most}` : `−${most}`;
}

function mostPoints({ steps, points = 0 }: MethodRule): number {
  return steps === undefined ? points : Math.max(0, ...steps.map((step) => step.points));
}

/** A bar of 100 points. Steps are drawn over each other, the smallest on top. */
function renderWeight(rule: MethodRule): Html {
  const { share, cap, steps } = rule;
  if (share !== undefined) return renderBar(["back", share * 100]);
  if (cap !== undefined) return renderBar(["cap", cap]);
  const points = steps?.map((step) => step.points).toSorted((one, other) => other - one);
  if (points !== undefined) return renderBar(...points.map((to): BarPart => ["part", to]));
  const most = mostPoints(rule);
  return renderBar([most < 0 ? "back" : "off", Math.abs(most)]);
}

/** Points off, one step of a rule, points back, a cap, or the points that are left, up to `to` and from `from`. */
type BarPart = readonly [tone: "off" | "part" | "back" | "cap" | "rest", to: number, from?: number];

/** The text beside the bar says the same, so readers of the page do not need the bar. */
function renderBar(...parts: readonly BarPart[]): Html {
  return html`<svg class="weight" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8"></rect>${parts.map(
    ([tone, to, from = 0]) =>
      html`<rect class="${tone}" x="${from}" width="${Math.max(0, to - from)}" height="8"></rect>`,
  )}</svg>`;
}

import { percentOf } from "#common";
import { type MethodTexts, reportTextsOf } from "#locale";
import type { Language, Method, MethodRule } from "#report";
import { nameOf } from "../report_fields.ts";
import { nameRule } from "../rule_description.ts";
import { type Html, html } from "./html.ts";
import { renderCard, renderTable } from "./parts.ts";

/** What the functions that render a part of the method page need. */
export interface MethodContext {
  readonly method: Method;
  readonly language: Language;
  readonly texts: MethodTexts;
}

/** Rules under one title. `cap` limits their sum. */
interface RuleGroup {
  readonly title: string;
  readonly rules: readonly MethodRule[];
  readonly cap?: MethodRule | undefined;
}

/**
 * Renders all rules in groups: deductions by category and points added back, each with a bar of its points, then what
 * is no amount of points, in words.
 */
export function renderRules(context: MethodContext): Html {
  const { texts } = context;
  return renderCard(
    texts.rulesTitle,
    html`<p class="quiet">${texts.rulesLead}</p>
<ul class="legend">${(["off", "part", "cap", "back"] as const).map((tone) => html`<li class="${tone}">${texts.legend[tone]}</li>\n`)}</ul>
<div class="rules">${listGroups(context).map((group) => renderGroup(group, context))}</div>`,
    { id: "rules" },
  );
}

/** The groups, the highest cap first. The categories without a cap have few rules, which share one group. */
function listGroups({ method: { rules }, language, texts }: MethodContext): readonly RuleGroup[] {
  const { categories } = reportTextsOf(language);
  const capOf = (category: string) => rules.find(({ id, cap }) => cap && id === `${category}_cap`);
  const charges = rules.filter((rule) => mostPoints(rule) > 0 && !isSpecial(rule));
  return [
    ...[...Map.groupBy(charges, ({ category }) => (capOf(category) ? category : ""))]
      .map(([category, members]) => ({
        title: category === "" ? texts.uncapped : nameOf(categories, category),
        rules: members.toSorted((one, other) => mostPoints(other) - mostPoints(one)),
        cap: capOf(category),
      }))
      .toSorted((one, other) => (other.cap?.cap ?? 0) - (one.cap?.cap ?? 0)),
    { title: texts.backTitle, rules: rules.filter(({ points = 0 }) => points < 0) },
    { title: texts.sharesTitle, rules: rules.filter(({ share }) => share !== undefined) },
    {
      title: texts.limitsTitle,
      rules: rules.filter((rule) => rule.counted !== undefined || isSpecial(rule)),
    },
  ].filter((group) => group.rules.length > 0);
}

/** A special-purpose address has no score, so its points are no deduction. */
function isSpecial({ category }: MethodRule): boolean {
  return category === "special";
}

/** Renders the cap of a group, and each of its rules, folded: inside is what it looks at and what the row does not say. */
function renderGroup({ title, rules, cap }: RuleGroup, { language, texts }: MethodContext): Html {
  const renderNote = (note: string | false | undefined) => note && html` <small>${note}</small>`;
  return html`
<section><div class="head"${cap !== undefined && html` id="${cap.id}"`}><h3>${title}</h3>${cap !== undefined && html`${renderWeight(cap)}<span class="figure">${formatWeight(cap)}</span>`}</div>${rules.map(
    (rule) => html`
<details><summary><h4>${nameRule(rule.id, language)}${renderNote(texts.effect(rule))}${renderNote(!isSpecial(rule) && rule.floor !== undefined && texts.floor(rule.floor))}</h4>${!isSpecial(rule) && mostPoints(rule) !== 0 && renderWeight(rule)}<span class="figure">${!isSpecial(rule) && formatWeight(rule)}</span></summary>
<div class="inside" id="${rule.id}"><p>${nameOf(texts.rules, rule.id)}</p>
${rule.steps !== undefined && html`<dl class="steps">${rule.steps.map(({ from, points }, at, steps) => html`<div><dt>${texts.amount(rule.id, from, steps[at - 1]?.from)}</dt><dd>−${points}</dd></div>`)}</dl>`}
${rule.least !== undefined && html`<p>${texts.least(rule.least)}</p>`}${rule.counted !== undefined && html`<p>${texts.counted(rule.counted)}</p>`}
<p class="quiet"><code>${rule.id}</code></p></div></details>`,
  )}</section>`;
}

/** Renders how the score of one address is computed, with the numbers of the method. */
export function renderExample({ method, language, texts }: MethodContext): Html {
  const { labels, bands } = reportTextsOf(language);
  const lines = listExampleLines(method, texts);
  const purity = Math.max(0, Math.round(100 - lines.reduce((sum, { points }) => sum + points, 0)));
  const band = method.bands.find(([, from]) => purity >= from)?.[0] ?? "dangerous";
  let left = 100;
  const rows = lines.map(({ id, points, why }) => {
    left -= points;
    const from = Math.max(0, left);
    return [
      html`${nameRule(id, language)} <small>${why}</small>`,
      renderBar("off", from + points, from),
      `−${points}`,
    ];
  });
  const total = html`<strong>${labels.purity}</strong> <span class="band band-${band}">${bands[band]}</span>`;
  const table = renderTable({
    caption: texts.exampleTitle,
    style: "example",
    heads: [labels.item, labels.effect, labels.score],
    figuresFrom: 2,
    rows: [
      [labels.start, renderBar("rest", 100), 100],
      ...rows,
      [total, renderBar("rest", purity), html`<strong>${purity}</strong>`],
    ],
  });
  return renderCard(
    texts.exampleTitle,
    html`<p>${texts.exampleLead}</p>
${table}
<p class="quiet">${texts.exampleEnd}</p>`,
    { id: "example" },
  );
}

/** A VPN exit that two providers report, in a data centre that one reports, on a list of one provider. */
function listExampleLines({ rules, loneShare }: Method, texts: MethodTexts) {
  const find = (id: string) => rules.find((rule) => rule.id === id);
  const hosting = find("hosting")?.points ?? 0;
  const half = Math.round(hosting * loneShare * 2) / 2;
  const listed = find("blocklists")?.steps?.find(({ from }) => from === 1);
  return [
    { id: "vpn", points: find("vpn")?.points ?? 0, why: texts.exampleWhy.full },
    { id: "hosting", points: half, why: texts.exampleLone(hosting, loneShare) },
    { id: "blocklists", points: listed?.points ?? 0, why: texts.exampleWhy.list },
  ].filter(({ points }) => points > 0);
}

/** The most points of a rule, the cap of a category, or what is added back, as the figure beside its name. */
function formatWeight(rule: MethodRule): string {
  if (rule.share !== undefined) return `${percentOf(rule.share)}%`;
  if (rule.cap !== undefined) return `≤ ${rule.cap}`;
  // A limit of the score, which the note names, is no amount of points.
  if (rule.counted !== undefined) return "";
  const most = mostPoints(rule);
  return most < 0 ? `+${-most}` : `−${most}`;
}

function mostPoints({ steps, points = 0 }: MethodRule): number {
  return steps === undefined ? points : Math.max(0, ...steps.map((step) => step.points));
}

/** A bar of 100 points with the cap of a group, or with the most points of a rule. */
function renderWeight(rule: MethodRule): Html {
  if (rule.cap !== undefined) return renderBar("cap", rule.cap);
  const most = mostPoints(rule);
  return renderBar(most < 0 ? "back" : rule.steps === undefined ? "off" : "part", Math.abs(most));
}

/** Points up to `to` and from `from`. The text beside the bar says the same, so readers of the page do not need the bar. */
function renderBar(tone: "off" | "part" | "back" | "cap" | "rest", to: number, from = 0): Html {
  return html`<svg class="weight" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8"></rect><rect class="${tone}" x="${from}" width="${Math.max(0, to - from)}" height="8"></rect></svg>`;
}

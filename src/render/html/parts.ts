import * as flags from "country-flag-icons/string/3x2";
import { checkTextsOf, pageTextsOf, siteTextsOf } from "#locale";
import type { Language, Report, ScenarioId, UsageType } from "#report";
import { homePathOf, pagePathOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import { describeDegree } from "../report_fields.ts";
import { countSources, listTurnedOff } from "../source_groups.ts";
import { Html, html, type Insert } from "./html.ts";
import PATHS from "./icons.json" with { type: "json" };

/** Groups of this size or more are folded. They open without script and print open. */
const FOLDED_FROM = 7;

/** Stands in place of a value that nobody stated or measured. */
export const NONE = "\u2013";

interface CardOptions {
  readonly name?: string;
  readonly id?: string;
}

/** Renders a section of a page with a title. `name` is a class for its style, `id` the target of links to it. */
export function renderCard(title: string, body: Html, { name, id }: CardOptions = {}): Html {
  return html`<section class="card${name !== undefined && ` ${name}`}"><h2${id !== undefined && html` id="${id}"`}>${title}</h2>
${body}
</section>`;
}

/** Renders a section like {@link renderCard}, which a narrow page shows on demand and a wide one always. */
export function renderRoomyCard(title: string, body: Html): Html {
  return html`<section class="card"><details class="roomy"><summary><h2>${title}</h2></summary>
${body}
</details></section>`;
}

/**
 * Renders a group inside a card, with its title and size, or nothing when it is empty. `state` colours the title. A group
 * of what is not listed is always folded.
 */
export function renderGroup(title: string, count: number, state: string, body: () => Html): Html | false {
  if (count === 0) return false;
  const head = html`<h3 class="state state-${state}">${title} <span class="count">${count}</span></h3>`;
  return count < FOLDED_FROM && state !== "notListed"
    ? html`<div class="group">${head}
${body()}</div>\n`
    : html`<details class="group"><summary>${head}</summary>
${body()}</details>\n`;
}

/** Renders labels with their values. */
export function renderFields(rows: readonly (readonly [label: string, value: string | Html])[]): Html {
  return html`<dl class="fields">${rows.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`,
  )}</dl>`;
}

/** Renders an address, which stays on one line and keeps its text direction. */
export function renderAddress(ip: string): Html {
  return html`<bdi class="whole">${ip}</bdi>`;
}

/** Text between backticks is code: every second piece, except the last piece after an unpaired backtick. */
export function renderCode(text: string): readonly (Html | string)[] {
  const pieces = text.split("`");
  return pieces.map((piece, index) =>
    index % 2 === 1 && index < pieces.length - 1 ? html`<code>${piece}</code>` : piece,
  );
}

/**
 * Renders the search field. The home page reads what is pasted into it, so it works without script. `cause` says why `text`
 * is wrong.
 */
export function renderSearch(language: Language, text = "", cause?: string): Html {
  const texts = pageTextsOf(language);
  return html`<search><form id="lookup-form" action="${homePathOf(language)}" method="get">
<label for="ip">${texts.field}</label>
<div class="ask"><input id="ip" name="ip" type="text" value="${text}" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="${siteTextsOf(language).placeholder}" aria-describedby="${cause !== undefined && "cause "}ip-hint"${cause !== undefined && html` aria-invalid="true"`} required>
<button type="submit">${texts.lookUp}</button></div>${cause !== undefined && html`\n<p class="cause" id="cause">${cause}</p>`}
<p class="quiet" id="ip-hint">${texts.fieldHint}</p>
</form></search>`;
}

/** Renders the small search field in the header. It works without script: the home page reads what it sends. */
export function renderHeaderSearch(language: Language): Html {
  const { seek, lookUp } = pageTextsOf(language);
  return html`<search class="seek"><form action="${homePathOf(language)}" method="get">
<label class="unseen" for="seek">${seek}</label>
<input id="seek" name="ip" type="text" placeholder="${seek}" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" required><button type="submit" aria-label="${lookUp}">${renderIcon(PATHS.search)}</button>
</form></search>
`;
}

/** Renders the field for several addresses to compare, below a heading. `remarks` say what is wrong with the text. */
export function renderCompareForm(language: Language, text = "", remarks: Html | false = false): Html {
  const texts = pageTextsOf(language);
  const lines = text.split("\n");
  return html`<form action="${pagePathOf("compare", language)}" method="get">
<label class="unseen" for="ips">${texts.compareField}</label>
<div class="ask"><textarea id="ips" name="ips" rows="${Math.min(8, Math.max(3, lines.length))}" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="1.2.3.4&#10;2001:db8::7" aria-describedby="${remarks && "ips-remarks "}ips-hint" required>${lines.map((line, at) => html`${at > 0 && html`\n`}${line}`)}</textarea>
<button type="submit">${texts.compareSubmit}</button></div>${remarks && html`\n<div id="ips-remarks">${remarks}</div>`}
<p class="quiet" id="ips-hint">${texts.compareHint}</p>
</form>`;
}

/**
 * Renders the empty, hidden element in which scripts show the progress of a survey. Its texts are JSON in `data-words`.
 * The style sheet comes with it, unless `styled` says that the head of the page has it.
 */
export function renderProgress(language: Language, { styled = false } = {}): Html {
  return html`${!styled && html`<link rel="stylesheet" href="/static/check.css">\n`}<div id="progress" hidden data-words="${JSON.stringify(checkTextsOf(language).progress)}"></div>`;
}

/** Renders the credits that the terms of data publishers require. */
export function renderCredits(credits: readonly { readonly text: string; readonly url: string }[]): Html {
  return html`<p class="credits">${credits.map(({ text, url }) => html`<a href="${url}" rel="noreferrer">${text}</a> `)}</p>\n`;
}

/** The band of a report as its style classes name it: thin if too little was obtained, none without a score. */
export function bandOf({ report, facts }: ReportContext): Report["risk"]["level"] | "thin" | "none" {
  return facts.isScored ? (facts.isThin ? "thin" : report.risk.level) : "none";
}

/** How far a score can be trusted: the confidence, the coverage if data is missing, and how many sources failed. */
export function listTrust(context: ReportContext): readonly string[] {
  const { facts, texts, plain, card } = context;
  const { percent = 100 } = facts;
  const { failed } = countSources(context);
  const off = listTurnedOff(context).length;
  return [
    plain.field(texts.labels.confidence, describeDegree(context).toLowerCase()),
    ...(percent < 100 ? [card.coverage(percent)] : []),
    ...(failed > 0 ? [plain.say("failed", failed)] : []),
    ...(off > 0 ? [plain.say("turnedOff", off)] : []),
  ];
}

/** Renders a bar filled to `score` percent. Screen readers skip it, because the number is next to it. */
export function renderBar(score: number, style = "", low = score): Html {
  return html`<svg class="bar${style}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"></rect>${low < score && html`<rect class="open" width="${Math.min(score, 100)}" height="8"></rect>`}<rect class="fill" width="${Math.min(low, 100)}" height="8"></rect></svg>`;
}

/** A table whose first column names the rows. Columns from `figuresFrom` on hold numbers. `style` is its class. */
export interface TableParts {
  /** For screen readers, unless the style is `titled`. */
  readonly caption?: string;
  readonly style?: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Insert[])[];
  readonly figuresFrom?: number;
}

/** Renders a table with one line of heads. */
export function renderTable({ caption, style, heads, rows, figuresFrom = heads.length }: TableParts): Html {
  const figure = (column: number) => column >= figuresFrom && html` class="figure"`;
  return html`<table${style !== undefined && html` class="${style}"`}>${caption !== undefined && html`<caption${style !== "titled" && html` class="unseen"`}>${caption}</caption>`}
<thead><tr>${heads.map((head, column) => html`<th scope="col"${figure(column)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name, ...cells]) => html`
<tr><th scope="row">${name}</th>${cells.map((cell, index) => html`<td${figure(index + 1)}>${cell}</td>`)}</tr>`,
  )}</tbody></table>`;
}

/** Renders a table that scrolls by itself where the page is too narrow for it. */
export function renderWide(title: string, table: Html): Html {
  return html`<section class="wide" aria-label="${title}" tabindex="0">${table}</section>`;
}

const FLAGS: Readonly<Record<string, string>> = { ...flags };

/** The opening tag of every flag in the package. The name space is not needed inside HTML. */
const FLAG_START = '<svg xmlns="http://www.w3.org/2000/svg" ';

/** Elements of the package end with a slash. In these pages every element has an end tag. */
const EMPTY_ELEMENT = /<((\w+)[^>]*)\/>/g;

/** Renders the flag of a country, or nothing when the code has none. `code` is ISO 3166-1 alpha-2. */
export function renderFlag(code: string | undefined): Html | false {
  const flag = code !== undefined && Object.hasOwn(FLAGS, code) ? FLAGS[code] : undefined;
  if (flag === undefined) return false;
  // The package holds only drawings. The name of the country is next to it, so screen readers skip it.
  return new Html(
    flag.replace(FLAG_START, '<svg class="flag" aria-hidden="true" ').replace(EMPTY_ELEMENT, "<$1></$2>"),
  );
}

/** Renders the sign of the use of a network. Its name is next to it. */
export function renderUsageIcon(usage: UsageType): Html {
  return renderIcon(PATHS.usages[usage]);
}

/** Renders the sign of a use case. Its name is next to it. */
export function renderScenarioIcon(scenario: ScenarioId): Html {
  return renderIcon(PATHS.scenarios[scenario]);
}

/** Draws a path of `icons.json` with strokes, on a square of 16 units. */
function renderIcon(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"></path></svg>`;
}

/** Lets a URL break before each slash of its path. */
export function breakUrl(url: string): readonly Html[] {
  return url.split(/(?<=\w)(?=\/)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`);
}

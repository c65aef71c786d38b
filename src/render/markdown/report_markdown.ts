import { formatCount } from "#locale";
import type { Report } from "#report";
import { sanitize } from "../characters.ts";
import { type Block, listSections, listSummary } from "../report_blocks.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  describeCaution,
  describeLow,
  describeScore,
  describeUseLow,
  describeUsePoints,
  type Field,
  formatEffect,
  listCredits,
} from "../report_fields.ts";

// A URL that can be written between angle brackets, also in a table cell, without ending either.
const WEB_LINK = /^https?:\/\/[^\s<>"`|\\\p{C}]+$/iu;

/**
 * Renders the whole report as GitHub-flavoured Markdown: headings, lists and tables, no front matter and no raw HTML.
 * Strings from outside cannot become a link, markup, a cell or a line. The only links are the report, the method and the
 * credits. The language is that of the report (no `lang` means Chinese).
 */
export function renderMarkdown(report: Report): string {
  const context = contextOf(report);
  const { texts, plain } = context;
  const { labels } = texts;
  const parts = [renderSummary(context)];
  for (const { title, blocks } of listSections(context)) {
    parts.push(`## ${title}`);
    for (const [index, block] of blocks.entries()) {
      const text = renderBlock(block, context);
      // A value in code is one more item of the list above it.
      if (block.kind === "code" && blocks[index - 1]?.kind === "rows") parts.push(`${parts.pop()}\n${text}`);
      else parts.push(text);
    }
  }
  const credits = listCredits(context).map(({ text, url }) =>
    texts.withDetail(escapeMarkdown(text), link(url)),
  );
  const citation = report.reportUrl === "" ? [] : [plain.field(labels.cite, link(report.reportUrl))];
  const caution = describeCaution(context);
  const { isBogon } = report.flags;
  if (!isBogon) parts.push(`## ${plain.legend}`, listOf(context, plain.listTerms(context.facts)));
  parts.push("---", ...(isBogon ? [] : [labels.disclaimer]), ...(caution === undefined ? [] : [caution]));
  parts.push(...credits, ...citation);
  return `${parts.join("\n\n")}\n`;
}

function renderSummary(context: ReportContext): string {
  const { report, texts, plain } = context;
  const { labels } = texts;
  const { before, after } = listSummary(context);
  const address = [labels.address, texts.withDetail(report.ip, `IPv${report.version}`)] as const;
  return [
    `# ${plain.field(labels.title, escapeMarkdown(report.ip))}`,
    texts.joinDetails([
      `**${plain.field(labels.purity, escapeMarkdown(describeScore(context)))}**`,
      ...describeLow(context),
    ]),
    escapeMarkdown(report.risk.verdict),
    listOf(context, [address, ...[...before, ...after].map(([label, value]) => [label, value] as const)]),
  ].join("\n\n");
}

function renderBlock(block: Block, context: ReportContext): string {
  const { report, facts, texts, plain, page } = context;
  const { labels } = texts;
  switch (block.kind) {
    case "prose":
      return escapeMarkdown(block.text);
    case "link":
      return plain.field(block.name, link(block.url));
    case "rows":
      return listOf(context, block.rows);
    case "terms":
      return listOf(context, block.terms);
    case "code":
      return `- ${plain.field(`**${block.name}**`, quoteMarkdown(block.value))}`;
    case "figures":
      return table(
        block.heads,
        block.rows.map(({ name, figures, note }) => [
          escapeMarkdown(name),
          ...figures.map((figure) => (figure === undefined ? "\u2013" : formatCount(figure))),
          ...(note === undefined ? [] : [escapeMarkdown(note) || "\u2013"]),
        ]),
        1,
        block.rows[0]?.figures.length,
      );
    case "names":
      return block.groups
        .map(({ state, fact, names }) => {
          const head = fact === "" ? state : texts.withDetail(state, escapeMarkdown(fact));
          const items = names.map(({ name, mark }) => escapeMarkdown(name) + mark.replace("*", "\\*"));
          return plain.field(`**${head}**`, items.join(plain.comma));
        })
        .join("\n\n");
    case "breakdown":
      return table(
        [labels.item, labels.effect, labels.reason],
        [
          [labels.start, "100", ""],
          ...facts.steps.map(({ label, points, detail }) => [
            escapeMarkdown(label),
            formatEffect(-points),
            escapeMarkdown(detail),
          ]),
          ...(facts.steps.length === 0 ? [[labels.noFactors, "0", ""]] : []),
          [`**${labels.purity}**`, `**${report.risk.purity}**`, ""],
        ],
        1,
      );
    case "uses":
      return [
        table(
          [labels.scenario, labels.score, labels.level],
          report.scenarios.map((scenario) => [
            page.scenarios[scenario.id],
            scenario.score === null ? "\u2013" : String(scenario.score),
            escapeMarkdown(texts.joinDetails([scenario.levelLabel, ...describeUseLow(scenario, context)])),
          ]),
          1,
          1,
        ),
        listOf(context, describeUsePoints(context)),
      ].join("\n\n");
  }
}

/** Formats a list of names and values. Returns an empty string when there are none. */
function listOf({ plain }: ReportContext, fields: readonly Field[]): string {
  return fields
    .map(([name, value]) => `- ${plain.field(`**${escapeMarkdown(name)}**`, escapeMarkdown(value))}`)
    .join("\n");
}

/** Formats a table of cells that are Markdown. The columns `from` to `to` hold numbers. */
function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  from = heads.length,
  to = from,
): string {
  const rule = heads.map((_, column) => (column >= from && column <= to ? "---:" : "---"));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Formats one of our own URLs as a link. Anything that is not surely a URL stays text. */
function link(url: string): string {
  return WEB_LINK.test(url) ? `<${url}>` : escapeMarkdown(url);
}

// Characters that begin emphasis, code, a link, an image, raw HTML, a cell, struck-through or mathematical text.
const MARKS = /[\\`*[\]<>|~$]/g;
// An underscore inside a word is harmless. Elsewhere it may begin emphasis.
const LOOSE_UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const ENTITY = /&(?=#?[a-z0-9]+;)/gi;
const SCHEME = /\b(https?|ftp|mailto|xmpp):/gi;
const WWW = /\b(www)\./gi;
// At the beginning of a paragraph: a heading, a quotation, a list or a rule.
const BLOCK_START = /^(?:([#+=-])|(\d+)([.)])(?= |$))/;

/**
 * Escapes a string from outside as the text of a paragraph or a table cell of GitHub-flavoured Markdown
 * (https://github.github.com/gfm/). It sanitizes the string into one line, and nothing in it can become a link, markup
 * or a cell. A string with `@` becomes code, because no escape prevents a link to an e-mail address.
 */
export function escapeMarkdown(text: string): string {
  const plain = sanitize(text).trim();
  if (plain.includes("@")) return quoteMarkdown(plain);
  return plain
    .replace(MARKS, "\\$&")
    .replace(LOOSE_UNDERSCORE, "\\_")
    .replace(ENTITY, "\\&")
    .replace(SCHEME, "$1\\:")
    .replace(WWW, "$1\\.")
    .replace(BLOCK_START, (_, sign: string | undefined, digits: string, end: string) =>
      sign === undefined ? `${digits}\\${end}` : `\\${sign}`,
    );
}

/**
 * Formats a string from outside as inline code, for example a URL that must not become a link. A pipe is shown as its
 * code point, because a pipe in the code of a table cell cannot be escaped after a backslash.
 */
export function quoteMarkdown(text: string): string {
  const plain = sanitize(text).trim().replaceAll("|", "\\u{7c}");
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const gap = longest > 0 || plain === "" ? " " : "";
  return `${fence}${gap}${plain}${gap}${fence}`;
}

import { type NetworkTexts, networkTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import type { AsSummary, Language, NetworkCell, NetworkSummary } from "#report";
import {
  describeCell,
  describeDispute,
  describeNetwork,
  describeSources,
  formatCount,
  formatPercent,
  LISTED_SIGN,
  listAsFields,
  listPrefixFields,
  listUses,
  nameNetworks,
  SIGNS,
  signOf,
} from "../network/network_fields.ts";
import { asPathOf, networkPathOf, reportPathOf } from "../paths.ts";
import { renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderAddress, renderCard, renderFields, renderTable } from "./parts.ts";

/** Cells of a row, and of a row whose cells are links: a finger must hit them. */
const ROW_CELLS = { shown: 16, linked: 8 } as const;

/** Cells with accused addresses that are named one by one. */
const MOST_NAMED = 32;

/** What a page about a network is rendered with. `origin` is the public one, without a trailing slash. */
export interface NetworkPageOptions {
  readonly language: Language;
  readonly origin: string;
}

/** Renders the summary of a prefix as a page: what it is, its cells as a grid, shares by use, and lists. */
export function renderNetworkPage(summary: NetworkSummary, { language, origin }: NetworkPageOptions): string {
  const texts = networkTextsOf(language);
  const { joinItems } = reportTextsOf(language);
  const { prefix, above, beside, cells, lists, version } = summary;
  const sentence = describeNetwork(summary, language);
  const toNetworks = (found: readonly string[]) =>
    html`${found.map((one, at) => html`${at > 0 && joinItems(["", ""])}<a href="${networkPathOf(one, language)}">${one}</a>`)}`;
  const networks = nameNetworks(summary);
  const fields: readonly (readonly [string, string | Html])[] = [
    [
      texts.announcedBy,
      networks.length === 0
        ? texts.nobody
        : html`${networks.map(({ asn, text }, at) => html`${at > 0 && joinItems(["", ""])}<a href="${asPathOf(asn, language)}">${text}</a>`)}`,
    ],
    ...listPrefixFields(summary, language),
    ...(above.length === 0 ? [] : [[texts.above, toNetworks(above)] as const]),
    ...(beside.length === 0 ? [] : [[texts.beside, toNetworks(beside)] as const]),
  ];
  return renderPage(summary, {
    language,
    title: texts.say("prefixTitle", { prefix }),
    description: texts.say("prefixDescription", { prefix }),
    lead: sentence,
    fields,
    origin,
    pathIn: (one, suffix) => networkPathOf(prefix, one, suffix),
    card: { alt: texts.say("cardAlt", { prefix, sentence }) },
    more: html`${cells.length > 1 && renderCard(texts.gridTitle, renderGrid(summary, language))}
${renderUse(summary, language)}${renderCard(
  texts.lists,
  lists.length === 0
    ? html`<p>${texts.noLists}</p>`
    : html`<p class="quiet">${texts.listsNote}</p>
${renderTable({
  caption: texts.lists,
  heads: [texts.list, version === 4 ? texts.addresses : texts.listEntries],
  rows: lists.map(({ name, count }) => [name, formatCount(count)]),
  figuresFrom: 1,
})}`,
)}`,
  });
}

/** Renders the summary of an AS as a page: its kind and why, shares by use, and its largest prefixes. */
export function renderAsPage(summary: AsSummary, { language, origin }: NetworkPageOptions): string {
  const texts = networkTextsOf(language);
  // The short names leave room for the prefix.
  const { usages } = reportPageTextsOf(language);
  const { asn, name, prefixes } = summary;
  return renderPage(summary, {
    language,
    title: texts.say("asTitle", { asn }),
    description: texts.say("asDescription", { asn, name }),
    lead: name,
    fields: listAsFields(summary, language).map(([label, value]) => [
      label,
      label === texts.siblings ? renderSiblings(summary, language) : value,
    ]),
    origin,
    pathIn: (one, suffix) => asPathOf(asn, one, suffix),
    more: html`${renderUse(summary, language)}${renderCard(
      texts.prefixes,
      renderTable({
        caption: texts.prefixes,
        heads: [texts.prefix, texts.use, texts.accusedColumn],
        rows: prefixes.map(({ prefix, usageType, listed }) => [
          html`<a href="${networkPathOf(prefix, language)}">${renderAddress(prefix)}</a>`,
          usages[usageType],
          formatCount(listed),
        ]),
        figuresFrom: 2,
      }),
    )}`,
  });
}

interface PageParts extends NetworkPageOptions {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly fields: readonly (readonly [string, string | Html])[];
  readonly pathIn: (language: Language, suffix?: string) => string;
  readonly card?: { readonly alt: string };
  readonly more: Html;
}

function renderPage(summary: NetworkSummary | AsSummary, parts: PageParts): string {
  const { language, title, description, lead, fields, pathIn, card, more, origin } = parts;
  const texts = networkTextsOf(language);
  const dispute = describeDispute(summary, language);
  const path = { zh: pathIn("zh"), en: pathIn("en") };
  return renderDocument({
    language,
    title: `${title} - limpid`,
    description,
    path,
    // There are millions of them, and each costs a lookup.
    published: {
      origin,
      hidden: true,
      ...(card === undefined
        ? {}
        : { card: { path: { zh: pathIn("zh", ".png"), en: pathIn("en", ".png") }, alt: card.alt } }),
    },
    head: html`<link rel="stylesheet" href="/static/network.css">\n`,
    body: html`<section class="card"><h1>${title}</h1>
<p class="gist">${lead}</p>
${dispute !== undefined && html`<p class="dispute">${dispute}</p>\n`}${renderFields(fields)}</section>
${more}
<section class="note">${describeSources(summary, language).map((sentence) => html`<p class="quiet">${sentence}</p>\n`)}
<p class="quiet">${texts.otherFormats} <a href="${pathIn(language, ".json")}">JSON</a> <a href="${pathIn(language, ".txt")}">TXT</a></p></section>`,
  });
}

function renderSiblings({ siblings }: AsSummary, language: Language): Html {
  return html`${siblings.map((asn) => html`<a href="${asPathOf(asn, language)}">AS${asn}</a> `)}`;
}

/** Renders the share of each use as a bar with its number; nothing when all have one use. */
function renderUse({ use }: NetworkSummary | AsSummary, language: Language): Html | false {
  const texts = networkTextsOf(language);
  const { usages } = reportTextsOf(language);
  if (use.length < 2) return false;
  return renderCard(
    texts.use,
    html`<ul class="portions">${use.map(
      ({ usageType, share }) =>
        html`<li class="use-${usageType}"><span>${usages[usageType]}</span> <b>${formatPercent(share)}</b><svg class="bar" viewBox="0 0 1000 4" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="1000" height="4"></rect><rect class="fill" width="${Math.round(share * 1000)}" height="4"></rect></svg></li>\n`,
    )}</ul>`,
  );
}

function renderGrid(summary: NetworkSummary, language: Language): Html {
  const texts = networkTextsOf(language);
  const { usages } = reportTextsOf(language);
  const { cells, isSampled, version } = summary;
  const isLinked = isSampled && cells.length <= 64;
  const width = Math.min(cells.length, isLinked ? ROW_CELLS.linked : ROW_CELLS.shown);
  const rows = Array.from({ length: Math.ceil(cells.length / width) }, (_, at) =>
    cells.slice(at * width, (at + 1) * width),
  );
  const named = cells.filter(({ listed }) => listed > 0);
  const isEach = !isSampled && version === 4;
  return html`<p class="quiet">${isSampled ? texts.say("gridSampled", { count: cells.length }) : texts.gridEach}</p>
<ul class="legend">${listUses(summary).map((use) => html`<li><span class="cell use-${use}" aria-hidden="true">${SIGNS[use]}</span> ${usages[use]}</li>\n`)}<li><span class="cell accused" aria-hidden="true">${LISTED_SIGN}</span> ${texts.legendListed}</li></ul>
<table class="grid${isLinked && " linked"}"><caption class="unseen">${texts.gridCaption}</caption>
<tbody>${rows.map(
    (row) =>
      html`<tr>${isEach && html`<th scope="row">${nameRow(row[0])}</th>`}${row.map(
        (cell) =>
          html`<td class="cell ${cell.listed > 0 ? "accused" : `use-${cell.usageType}`}" title="${describeCell(cell, language)}">${
            isLinked
              ? html`<a href="${networkPathOf(cell.prefix, language)}" aria-label="${describeCell(cell, language)}">${signOf(cell)}</a>`
              : signOf(cell)
          }</td>`,
      )}</tr>\n`,
  )}</tbody></table>
${isEach && named.length > 0 && named.length < cells.length && renderNamed(named, texts, language)}`;
}

/** The last part of the first address of a row. */
function nameRow(cell: NetworkCell | undefined): string {
  return cell?.prefix.slice(cell.prefix.lastIndexOf(".")) ?? "";
}

function renderNamed(named: readonly NetworkCell[], texts: NetworkTexts, language: Language): Html {
  const left = named.length - MOST_NAMED;
  return html`<h3 class="named">${texts.listedTitle}</h3>
<ul class="names">${named
    .slice(0, MOST_NAMED)
    .map(
      ({ prefix, marks }) =>
        html`<li><a href="${reportPathOf(prefix, language)}" rel="nofollow">${prefix}</a> <span class="quiet">${marks.map((mark) => texts.marks[mark]).join(" · ")}</span></li>\n`,
    )}</ul>${left > 0 && html`<p class="quiet">${texts.say("more", { count: left })}</p>`}`;
}

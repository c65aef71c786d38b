import {
  formatCount,
  type NetworkTexts,
  nameSource,
  networkTextsOf,
  reportPageTextsOf,
  reportTextsOf,
} from "#locale";
import { type AsSummary, type Language, MARKS, type NetworkCell, type NetworkSummary } from "#report";
import {
  describeAccused,
  describeCell,
  describeDispute,
  describeListed,
  describeNetwork,
  describePrefixes,
  describeSample,
  describeSize,
  describeSources,
  type Fact,
  heightOf,
  isAlike,
  isMixed,
  listFacts,
  listRuns,
  nameMarks,
  nameSummary,
  type Part,
  SIGNS,
  type Summary,
  sizeOf,
} from "../network/network_fields.ts";
import { networkPathOf, reportPathOf, summaryPathOf } from "../paths.ts";
import { creditPlaces } from "../report_fields.ts";
import { renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderAddress, renderBar, renderCard, renderCredits, renderFields, renderTable } from "./parts.ts";

/** The side of a cell in units of the picture. */
const CELL = 20;

/** Cells of a row, the side of a cell in pixels, and the width of a letter in units. A finger must hit cells that are links. */
const SHOWN = { rowCells: 16, pixels: 24, letter: 8 } as const;
const LINKED = { rowCells: 8, pixels: 44, letter: 5.5 } as const;

/** The least prefixes of an AS that a narrow page shows before the others are asked for. */
const UNFOLDED = 6;

/** Accused addresses that are named one by one. Of more, the open table has the ranges. */
const MOST_NAMED = 32;

/** Renders the summary of a prefix or an AS as a page. `origin` is the public one, without a trailing slash. */
export function renderSummaryPage(
  summary: Summary,
  { language, origin, now }: { readonly language: Language; readonly origin: string; readonly now: number },
): string {
  const texts = networkTextsOf(language);
  const isAs = "asn" in summary;
  const title = nameSummary(summary, language);
  const sentence = describeNetwork(summary, language);
  const dispute = describeDispute(summary, language);
  const sample = describeSample(summary, language);
  const pathIn = (one: Language, suffix?: string) => summaryPathOf(summary, one, suffix);
  const facts = listFacts(summary, language);
  const isRelated = ([label]: Fact) => [texts.siblings, texts.above, texts.beside].includes(label);
  const single = facts.filter((fact) => !isMixed(fact) && !isRelated(fact));
  // A prefix of one address has the report of that address.
  const ip = isAs ? undefined : /^([\d.]+)\/32$|^(.+)\/128$/.exec(summary.prefix)?.slice(1).join("");
  // The picture of the cells shows their uses.
  const mixed = facts.filter((fact) => isMixed(fact) && (isAs || fact[0] !== texts.use));
  return renderDocument({
    language,
    title: `${title} - limpid`,
    description: isAs
      ? texts.say("asDescription", { asn: summary.asn, name: summary.name })
      : texts.say("prefixDescription", { prefix: summary.prefix }),
    path: { zh: pathIn("zh"), en: pathIn("en") },
    isWithoutSources: true,
    footer: renderCredits([creditPlaces(reportTextsOf(language))]),
    // There are millions of them, and each costs a lookup.
    published: {
      origin,
      hidden: true,
      ...(isAs
        ? {}
        : {
            card: {
              path: { zh: pathIn("zh", ".png"), en: pathIn("en", ".png") },
              alt: texts.say("cardAlt", { prefix: summary.prefix, sentence }),
            },
          }),
    },
    head: html`<link rel="stylesheet" href="/static/network.css">\n`,
    body: html`<section class="card net"><h1>${title}</h1>
<p class="gist">${renderGist(summary, sentence, language)}</p>
${ip !== undefined && html`<p><a href="${reportPathOf(ip, language)}" rel="nofollow">${texts.say("reportOf", { ip })}</a></p>\n`}${dispute !== undefined && html`<p class="dispute">${dispute}</p>\n`}${sample !== undefined && html`<p class="quiet">${sample}</p>\n`}<div class="about">${renderFacts(single, texts.between)}${mixed.length > 0 && html`<div class="mixes">${mixed.map((fact) => renderMix(fact, summary, texts))}</div>`}</div>${renderFacts(facts.filter(isRelated), texts.links)}</section>
${renderLists(summary, language)}
${isAs ? renderPrefixes(summary, language) : summary.cells.length > 1 && renderCells(summary, language)}
${renderCard(
  texts.readTitle,
  html`${describeSources(summary, language, now).map((text) => html`<p>${text.split(/(\d{4}-\d\d-\d\d)/).map((piece, at) => (at % 2 === 1 ? renderAddress(piece) : piece))}</p>\n`)}
<p>${texts.formats} <a href="${pathIn(language, ".json")}">JSON</a> · <a href="${pathIn(language, ".txt")}">TXT</a>${!isAs && html` · <a href="${pathIn(language, ".png")}">PNG</a>`}</p>`,
  { name: "limits" },
)}`,
  });
}

/** Renders the first sentences: of little data "Not enough data:" is bold, and many listed addresses have a colour. */
function renderGist(summary: Summary, sentence: string, language: Language): Html {
  // How many lists were read is no finding.
  const [found = ""] = describeListed(summary, language).split(/[;；]/);
  const [before = "", after] = heightOf(summary) === 1 ? sentence.split(found) : [];
  if (after !== undefined) return html`${before}<span class="accused">${found}</span>${after}`;
  const [lead = "", ...rest] = sentence.split(/(?<=^\D{1,20}[:：])/);
  return rest.length > 0 ? html`<b>${lead}</b>${rest}` : html`${lead}`;
}

/** Renders facts below each other; nothing where there are none. */
function renderFacts(facts: readonly Fact[], between: string): Html | false {
  const rows = facts.map(([label, parts, note = ""]): readonly [string, Html] => [
    label,
    html`${parts.map((part, at) => html`${at > 0 && between}${renderPart(part)}`)}${note.startsWith(" ") && " "}${note !== "" && html`<span class="quiet">${note.trim()}</span>`}`,
  ]);
  return facts.length > 0 && renderFields(rows);
}

function renderPart({ text, path }: Part): Html {
  return path === undefined ? html`${text}` : html`<a href="${path}">${text}</a>`;
}

/** Renders the parts of a fact as bars with their numbers of judged addresses. */
function renderMix(
  [label, parts, note = ""]: Fact,
  { asked, isSampled }: Summary,
  texts: NetworkTexts,
): Html {
  const unit = isSampled ? texts.say("ofSample", { asked }) : "";
  return html`<div><h2>${label}<span class="quiet">${unit}${note}</span></h2>
<ul class="portions">${parts.map(
    ({ count = 0, use, ...part }) =>
      html`<li${use !== undefined && html` class="use-${use}"`}><span>${renderPart(part)}</span>${renderShare(count / asked)}<b>${count}</b></li>\n`,
  )}</ul></div>\n`;
}

/** Renders the lists that contain addresses of a network; nothing where there are none. */
function renderLists(summary: Summary, language: Language): Html | false {
  const texts = networkTextsOf(language);
  const { lists = [] } = summary;
  const isIpv6 = "version" in summary && summary.version === 6;
  const table = renderTable({
    caption: texts.listsTitle,
    heads: [texts.list, texts.meaning, isIpv6 ? texts.listEntries : texts.addresses],
    rows: lists.map(({ name, count, marks }) => [
      nameSource(name, language),
      marks.length === 0 ? texts.noRisk : nameMarks(marks, language),
      formatCount(count),
    ]),
    figuresFrom: 2,
  });
  return lists.length > 0 && renderCard(texts.listsTitle, table, { name: "lists" });
}

/** Renders a share as a bar, which is never empty for more than nothing. */
function renderShare(share: number): Html {
  return renderBar(Math.ceil(share * 1000) / 10);
}

/** Renders the largest prefixes of an AS: what they have in common once, and beside each what differs. */
function renderPrefixes(summary: AsSummary, language: Language): Html {
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const { blocks } = summary;
  const { title, prefixes, sentence, isOneUse, isClean } = describePrefixes(summary, language);
  // Listed blocks have a whole row each: the others fill rows of three.
  const shown = UNFOLDED + (prefixes.filter(({ listed }) => listed > 0).length % 3);
  const list = (some: AsSummary["prefixes"]) =>
    html`<ul class="prefixes">${some.map(
      ({ prefix, usageType, listed }) =>
        html`<li><a href="${networkPathOf(prefix, language)}">${renderAddress(prefix)}</a> <span class="quiet">${describeSize(prefix, language)}</span>${!isOneUse && html` <span>${usages[usageType]}</span>`}${listed > 0 && html` <span>${describeAccused(prefix, listed, language)}</span>${renderShare(Math.min(1, listed / sizeOf(prefix)))}`}</li>\n`,
    )}</ul>`;
  return renderCard(
    title,
    html`<p>${sentence}${!isClean && prefixes.some(({ listed }) => listed === 0) && texts.prefixesListed}</p>
${list(prefixes.slice(0, shown))}${
  prefixes.length > shown &&
  html`<details class="roomy"><summary>${texts.say("prefixesMore", { count: prefixes.length - shown })}</summary>
${list(prefixes.slice(shown))}</details>\n`
}<p class="quiet">${texts.joined}</p>
${blocks.length > prefixes.length && ([4, 6] as const).map((version) => renderBlocks(summary, version, language))}`,
  );
}

/** Renders links to the blocks of an AS of one family, folded. */
function renderBlocks({ blocks }: AsSummary, version: 4 | 6, language: Language): Html | false {
  const found = blocks.filter((block) => block.includes(":") === (version === 6));
  const title = networkTextsOf(language).say("blocks", { count: formatCount(found.length), version });
  return (
    found.length > 0 &&
    html`<details><summary>${title}</summary>
<ul class="names${version === 6 && " long"}">${found.map((block) => html`<li><a href="${networkPathOf(block, language)}" rel="nofollow">${renderAddress(block)}</a></li>\n`)}</ul></details>\n`
  );
}

/** Renders the cells of a prefix: a picture, and beside it what its colours mean, the accused ones and a table. */
function renderCells(summary: NetworkSummary, language: Language): Html {
  const texts = networkTextsOf(language);
  const { cells, isSampled, version } = summary;
  const runs = listRuns(cells);
  const found = MARKS.filter((mark) => summary.marks[mark] > 0);
  const accused = isSampled || version === 6 ? [] : cells.filter(({ listed }) => listed > 0);
  const pathOf = (prefix: string) => (isSampled ? networkPathOf : reportPathOf)(prefix, language);
  const link = (prefix: string) =>
    html`<a href="${pathOf(prefix)}" rel="nofollow">${renderAddress(prefix)}</a>`;
  const bits = cells[0]?.prefix.split("/")[1] ?? "";
  // The first lines of the page say what they all are.
  if (isAlike(summary))
    return html`<section class="card alike"><details><summary><h2>${texts.say(isSampled ? "linksParts" : "linksAddresses", { count: cells.length, bits })}</h2></summary>
<ul class="names">${cells.map(({ prefix }) => html`<li>${link(prefix)}</li>\n`)}</ul></details></section>`;
  const note = hasLinks(summary) ? "gridLinked" : isSampled ? "gridSampled" : "gridEach";
  return renderCard(
    texts.gridTitle,
    html`<p class="quiet">${texts.say(note, { bits })}</p>
<div class="cells">${renderPicture(summary, language)}
<div>${renderLegend(summary, language)}
${
  accused.length > 0 &&
  accused.length <= MOST_NAMED &&
  html`<h3>${texts.listedTitle}</h3>
<ul class="names">${accused.map(
    ({ prefix, marks }) =>
      html`<li><a href="${reportPathOf(prefix, language)}" rel="nofollow">${prefix}</a>${found.length > 1 && html` <span class="quiet">${nameMarks(marks, language)}</span>`}</li>\n`,
  )}</ul>`
}<details${accused.length > MOST_NAMED && html` open`}><summary><h3>${texts.runsTitle}</h3></summary>
${renderTable({
  caption: texts.gridTitle,
  heads: [texts.runsRange, texts.runsCount, texts.use, texts.accused],
  rows: runs.map((run) => [
    html`${link(run.cell.prefix)}${run.length > 1 && html` – ${link(run.last.prefix)}`}`,
    run.length,
    reportPageTextsOf(language).usages[run.cell.usageType],
    run.cell.marks.length === 0 ? "–" : nameMarks(run.cell.marks, language),
  ]),
})}</details></div></div>`,
  );
}

/** Renders the meaning of the colours with the number of cells of each. */
function renderLegend(summary: NetworkSummary, language: Language): Html {
  const { cells, use, isSampled, version, listsRead } = summary;
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const marks = nameMarks(
    MARKS.filter((mark) => summary.marks[mark] > 0),
    language,
  );
  const row = (name: string, style: string, sign: Html, isOf: (cell: NetworkCell) => boolean) => {
    const count = cells.filter(isOf).length;
    return html`<li class="use-${style}"><svg viewBox="0 0 20 20" width="24" aria-hidden="true">${sign}</svg><span>${name}</span>${renderShare(count / cells.length)}<b>${count}</b></li>\n`;
  };
  const heights = ([1, 0.5, 0.25] as const).filter((height) =>
    cells.some((cell) => heightOf(cell) === height),
  );
  return html`<h3>${isSampled ? texts.keyUseSampled : texts.keyUse}</h3>
<ul class="key portions">${use.map(({ usageType }) =>
    row(
      usages[usageType],
      usageType,
      html`<rect class="block" width="20" height="20"></rect><text x="10" y="15">${SIGNS[usageType]}</text>`,
      (cell) => cell.usageType === usageType,
    ),
  )}</ul>${
    listsRead > 0 &&
    html`<h3>${isSampled ? texts.say("keyListsSampled", { count: cells.length }) : texts.keyLists}</h3>
<ul class="key portions">${heights.map((height) =>
      row(
        texts.say(version === 6 ? "legendEntries" : isSampled ? `legend${height}` : "legendListed", {
          marks,
        }),
        "none",
        html`<path fill="url(#hatch)" d="${drawMark(0, 0, height)}"></path><rect class="frame" x="0.5" y="0.5" width="19" height="19"></rect>`,
        (cell) => heightOf(cell) === height,
      ),
    )}${heights.length === 0 && row(texts.say("legendNone", { read: listsRead }), "none", html``, () => false)}</ul>`
  }`;
}

/** Whether the parts of a wide network are links to their own pages. */
function hasLinks({ isSampled, cells }: NetworkSummary): boolean {
  return isSampled && cells.length <= 64;
}

/** Renders cells in blocks of equal ones, with the first address of each row. */
function renderPicture(summary: NetworkSummary, language: Language): Html {
  const { cells } = summary;
  const isLinked = hasLinks(summary);
  const { rowCells, pixels, letter } = isLinked ? LINKED : SHOWN;
  const width = Math.min(cells.length, rowCells);
  const rows = cells.flatMap((cell, at) => (at % width === 0 ? [nameRow(cell, summary)] : []));
  const isNamed = rows.length > 1;
  const left = isNamed ? Math.max(...rows.map((row) => row.length)) * letter + 6 : 0;
  const [right, bottom] = [width * CELL, rows.length * CELL];
  const place = (at: number) => ({ x: (at % width) * CELL, y: Math.floor(at / width) * CELL });
  const placed = cells.map((cell, at) => ({ cell, ...place(at) }));
  return html`<svg class="picture${isLinked && " linked"}" viewBox="${-left} 0 ${right + left} ${bottom}" width="${((right + left) / CELL) * pixels}" role="${isLinked ? "group" : "img"}" aria-label="${describeNetwork(summary, language)}">
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="mark" width="6" height="6"></rect><rect class="gap" width="1.5" height="6"></rect></pattern><pattern id="lines" width="${CELL}" height="${CELL}" patternUnits="userSpaceOnUse"><path class="lines" d="M0 0H${CELL}M0 0V${CELL}"></path></pattern></defs>
${listRuns(cells).map(
  ({ from, length, cell, last }) =>
    html`<path class="block use-${cell.usageType}" d="${placed.slice(from, from + length).map(({ x, y }) => drawMark(x, y, 1))}"><title>${describeCell(cell, language, last)}</title></path>\n`,
)}<path class="marks" fill="url(#hatch)" d="${placed.map(({ cell, x, y }) => drawMark(x, y, heightOf(cell)))}"></path>
<rect class="marks" fill="url(#lines)" width="${right}" height="${bottom}"></rect>
${rows.map((row, at) => {
  const signed = placed.slice(at * width, (at + 1) * width).filter(({ cell }) => heightOf(cell) < 1);
  // In a linked cell the sign stands above the mark.
  const baseOf = (height = 0) => (isLinked ? (height < 0.5 ? 12.5 : 9) : 15);
  return (
    isNamed &&
    html`<text class="row" x="-5" y="${at * CELL + baseOf()}">${row}</text><text x="${signed.map(({ x }) => x + CELL / 2).join(" ")}" y="${signed.map(({ cell, y }) => y + baseOf(heightOf(cell))).join(" ")}">${signed.map(({ cell }) => SIGNS[cell.usageType])}</text>\n`
  );
})}${placed.map(
  ({ cell, x, y }) =>
    isLinked &&
    html`<a href="${networkPathOf(cell.prefix, language)}" aria-label="${describeCell(cell, language)}"><rect x="${x}" y="${y}" width="${CELL}" height="${CELL}"><title>${describeCell(cell, language)}</title></rect></a>\n`,
)}</svg>`;
}

/** Where a row starts: the address, as in "2a01:4f8:2000::", in a wide prefix, else the part that differs: ".64", ":4000". */
function nameRow(cell: NetworkCell, { prefix, version, isSampled }: NetworkSummary): string {
  const [sign, bits] = version === 4 ? ([".", 8] as const) : ([":", 16] as const);
  const [address = "", length = 32] = cell.prefix.split("/");
  if (isSampled && (version === 4 || Number(length) <= 48)) return address;
  const groups = [...address.split(sign), "", "", "", ""].slice(0, Math.ceil(Number(length) / bits));
  const differing = groups.slice(Math.floor(Number(prefix.split("/")[1]) / bits));
  return differing.map((group) => `${sign}${group || 0}`).join("");
}

/** Draws the lower part of a cell that the height says; nothing without height. */
function drawMark(x: number, y: number, height: number): string {
  return height === 0 ? "" : `M${x} ${y + CELL}h${CELL}v${-CELL * height}h${-CELL}z`;
}

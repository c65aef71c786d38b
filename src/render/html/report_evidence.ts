import { formatCount, type NetworkTexts, networkTextsOf, type ReportTexts } from "#locale";
import { type NetworkSummary, POLICY_FLAGS, type Report } from "#report";
import { describeListed, describeNetwork, listRuns, signOf } from "../network/network_fields.ts";
import { networkPathOf, webLinkOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import {
  describeAttacks,
  describeExposure,
  describeSharing,
  describeVpn,
  divideAbuse,
  type Field,
} from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { NONE, renderCard, renderFields, renderGroup, renderRoomyCard, renderTable } from "./parts.ts";

type Blocklist = Report["blocklists"][number];

/** An id of the list of Common Vulnerabilities and Exposures (https://www.cve.org/). */
const CVE = /^CVE-\d{4}-\d{4,19}$/;

/** URLs of the pages where a blocklist explains or removes an entry, by zone id. `{ip}` stands for the address. */
export type DelistUrls = ReadonlyMap<string, string>;

/** Renders the blocklists in groups: listed, counted as an exit, benign, unknown, not listed. */
export function renderBlocklists(context: ReportContext, delistUrls: DelistUrls): Html {
  const { report, facts, texts } = context;
  const { labels } = texts;
  const urlOf = ({ zone }: Blocklist) =>
    delistUrls.get(zone)?.replace("{ip}", () => encodeURIComponent(report.ip));
  if (report.blocklists.length === 0)
    return renderCard(labels.blocklists, html`<p class="quiet">${labels.noLists}</p>`);
  const renderEntries = (entries: readonly Blocklist[]) =>
    html`<ul class="rows">${entries.map((entry) => renderEntry(entry, urlOf(entry), context))}</ul>`;
  const groups = [
    ["listed", "listed", undefined, renderEntries],
    ["exit", "listed", labels.exitNote, renderEntries],
    ["benign", "benign", labels.benignNote, renderEntries],
    ["unavailable", "unavailable", labels.unavailableNote, renderNames],
    ["notListed", "notListed", undefined, renderNames],
  ] as const;
  return renderCard(
    labels.blocklists,
    html`${groups.map(([state, colour, note, render]) => {
      const entries = facts.lists[state];
      const body = () =>
        html`${note !== undefined && html`<p class="quiet">${note}</p>\n`}${render(entries)}`;
      return renderGroup(labels[state], entries.length, colour, body);
    })}`,
  );
}

function renderEntry(
  { label, benign, countedAs }: Blocklist,
  url: string | undefined,
  { texts, common }: ReportContext,
): Html {
  return html`
<li><span><bdi><b>${label}</b></bdi>${countedAs !== undefined && html` <span class="tag">${texts.flags[POLICY_FLAGS[countedAs]]}</span>`}</span>${
    url !== undefined &&
    html` <a href="${url}" rel="nofollow noreferrer">${benign ? common.listDetails : common.delisting}<span class="unseen"> (${label})</span></a>`
  }</li>`;
}

function renderNames(entries: readonly Blocklist[]): Html {
  return html`<ul class="names">${entries.map(({ label }) => html`<li><bdi>${label}</bdi></li>`)}</ul>`;
}

/** Renders the VPN operator, abuse, exposure and sharing. What nobody reported is one paragraph. */
export function renderEvidence(context: ReportContext): Html {
  const { report, texts } = context;
  const { labels } = texts;
  const exposure = describeExposure(context);
  const sharing = describeSharing(context);
  const isNothingKnown = exposure === labels.noExposure && sharing === labels.noSharing;
  const { records, none } = divideAbuse(context);
  const silent = [
    ...none,
    ...(isNothingKnown
      ? [context.page.noExposureOrSharing]
      : [exposure, sharing].filter((text) => typeof text === "string")),
  ];
  const rows = [
    ...(typeof exposure === "string" ? [] : exposure.map((field) => keepWhole(field, report, labels.vulns))),
    ...(typeof sharing === "string" ? [] : sharing),
  ];
  const known = html`${rows.length > 0 && html`${renderFields(rows)}\n`}${records.length > 0 && renderAbuse(records, texts)}`;
  const unknown = silent.length > 0 && html`<p class="quiet">${texts.joinSentences(silent)}</p>`;
  const title = context.page.evidence;
  // The headline has the name.
  const isMore = describeVpn(context).length > 1 || report.vpnOperator?.url !== undefined;
  const vpn = isMore && renderVpn(context);
  if (vpn === false && records.length === 0 && rows.length === 0)
    return unknown === false ? html`` : renderCard(title, unknown);
  return renderRoomyCard(title, html`<div>${vpn}${known}${unknown}</div>`);
}

/** Keeps each id of a vulnerability on one line, and links a CVE to its record. */
function keepWhole(
  [label, value]: Field,
  { exposure }: Report,
  vulns: string,
): readonly [string, string | Html] {
  if (label !== vulns || exposure === null || exposure.vulns.length === 0) return [label, value];
  return [
    label,
    html`${exposure.vulns.map((id) => html`<span class="whole">${CVE.test(id) ? html`<a href="https://www.cve.org/CVERecord?id=${id}" rel="noreferrer noopener">${id}</a>` : id}</span> `)}`,
  ];
}

function renderVpn(context: ReportContext): Html {
  const url = context.report.vpnOperator?.url;
  const link = url === undefined ? undefined : webLinkOf(url);
  const { vpn, vpnName } = context.texts.labels;
  const site = link === undefined ? url : html`<a href="${link}" rel="nofollow noreferrer">${url}</a>`;
  const fields = describeVpn(context).map(
    ([label, value]) => [label, label === vpnName ? html`${value} ${site}` : value] as const,
  );
  return html`<h3>${vpn}</h3>
${renderFields(fields)}`;
}

function renderAbuse(abuse: Report["abuse"], texts: ReportTexts): Html {
  const { labels } = texts;
  const isScored = abuse.some(({ score }) => score !== undefined);
  return renderTable({
    caption: labels.abuse,
    style: "titled",
    heads: [labels.source, ...(isScored ? [labels.abuseScore] : []), labels.reports, labels.attacks],
    figuresFrom: 1,
    rows: abuse.map((record) => {
      const attacks = describeAttacks(record, texts);
      const words = attacks.length > 0 && html`<p class="words">${texts.joinDetails(attacks)}</p>`;
      const name = html`<bdi>${record.source}</bdi>${words}`;
      const score = record.score === undefined ? NONE : `${record.score}/100`;
      const figures = [record.reports, record.attacks?.total];
      return [
        name,
        ...(isScored ? [score] : []),
        ...figures.map((figure) => (figure === undefined ? NONE : formatCount(figure))),
      ];
    }),
  });
}

const HEIGHT = 24;

/** Heights of a cell by its sign, so that the strip is readable without colour; an accused one has the full height. */
const HEIGHTS: Readonly<Record<string, number>> = { ".": 8, m: 8, b: 12, e: 12, g: 12, h: 16, "?": 4 };

/** The neighbours of an address: the summary of its prefix, and the position of its cell. */
export interface Neighbours {
  readonly summary: NetworkSummary;
  readonly at: number;
}

/** Renders an address among its neighbours: a small strip unless all are alike, a sentence, and the link to the network. */
export function renderStrip(
  { summary, at }: Neighbours,
  { report, language, page, texts: { joinSentences } }: ReportContext,
  own: boolean,
): Html {
  const texts = networkTextsOf(language);
  const { prefix, cells } = summary;
  const title = own ? texts.ownStripTitle : texts.stripTitle;
  const concluded = report.usageType;
  const isOther = concluded !== "unknown" && concluded !== (cells[at]?.usageType ?? concluded);
  // Where the report says another use, that of the tables would be read as a mistake.
  const sentence = isOther ? describeListed(summary, language) : describeNetwork(summary, language);
  const words = joinSentences([texts.stripNote, sentence, ""]);
  const runs = listRuns(cells).map((run) => ({ ...run, height: HEIGHTS[signOf(run.cell)] ?? HEIGHT }));
  const tallest = Math.max(...runs.map(({ height }) => height));
  const isAccused = cells.some(({ listed }) => listed > 0);
  const kinds = [
    ...summary.use.map(({ usageType }) => [`use-${usageType}`, page.usages[usageType]] as const),
    ...(isAccused ? [["accused", texts.accused] as const] : []),
  ];
  return renderCard(
    title,
    html`${
      kinds.length > 1 &&
      html`<svg class="strip" viewBox="0 0 ${cells.length} ${tallest}" preserveAspectRatio="none" role="img" aria-label="${title}: ${sentence}">
${runs.map(
  ({ from, length, cell, height }) =>
    html`<rect class="${cell.listed > 0 ? "accused" : `use-${cell.usageType}`}" x="${from}" y="${tallest - height}" width="${length}" height="${height}"></rect>`,
)}</svg>
${renderHere(summary, at, texts)}<ul class="legend">${kinds.map(([kind, name]) => html`<li><i class="${kind}"></i>${name}</li>`)}</ul>
`
    }<p class="quiet">${words}<a href="${networkPathOf(prefix, language)}">${texts.say("stripLink", { prefix })}</a></p>`,
    { name: "neighbours" },
  );
}

/** Renders the mark below the strip at the cell of the address, with its end or the size of its block. It is not stretched. */
function renderHere({ cells }: NetworkSummary, at: number, texts: NetworkTexts): Html {
  const [address = "", bits] = cells[at]?.prefix.split("/") ?? [];
  const name =
    bits === undefined
      ? texts.say("stripHere", { end: address.slice(address.lastIndexOf(".")) })
      : texts.say("stripHereBlock", { bits });
  const share = (at + 0.5) / cells.length;
  const x = `${Math.round(share * 1000) / 10}%`;
  const [side, dx] = share < 0.5 ? ["start", 9] : ["end", -9];
  return html`<svg class="here" aria-hidden="true"><svg class="tick" x="${x}"><path d="M0 1l5 9h-10z"></path></svg><text class="${side}" x="${x}" dx="${dx}" y="12">${name}</text></svg>
`;
}

import { pageTextsOf, type ReportTexts, reportPageTextsOf, reportTextsOf } from "#locale";
import { type Language, type Report, readFacts } from "#report";
import { webLinkOf } from "../paths.ts";
import {
  describeAttacks,
  describeExposure,
  describeLists,
  describeSharing,
  describeVpn,
  type Field,
} from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderCard, renderFields, renderGroup, renderRoomyCard } from "./parts.ts";

type Blocklist = Report["blocklists"][number];

/** An id of the list of Common Vulnerabilities and Exposures (https://www.cve.org/). */
const CVE = /^CVE-\d{4}-\d{4,19}$/;

/** URLs of the pages where a blocklist explains or removes an entry, by zone id. `{ip}` stands for the address. */
export type DelistUrls = ReadonlyMap<string, string>;

/** Renders the blocklists in groups: listed, counted as an exit, benign, unknown, not listed. */
export function renderBlocklists(report: Report, language: Language, delistUrls: DelistUrls): Html {
  const texts = reportTextsOf(language);
  const facts = readFacts(report);
  const { labels } = texts;
  if (report.blocklists.length === 0)
    return renderCard(labels.blocklists, html`<p class="quiet">${labels.noLists}</p>`);
  const { listed, exit, benign, unavailable, notListed } = facts.lists;
  const linkText = pageTextsOf(language).delisting;
  const renderEntries = (entries: readonly Blocklist[]) =>
    html`<ul class="rows">${entries.map((entry) => renderEntry(entry, delistUrlOf(entry.zone, report.ip, delistUrls), linkText, texts))}</ul>`;
  return renderCard(
    labels.blocklists,
    html`<p>${describeLists(facts, texts)}${texts.period}</p>
${renderGroup(labels.listed, listed.length, "listed", () => renderEntries(listed))}${renderGroup(
  labels.exit,
  exit.length,
  "listed",
  () => html`<p class="quiet">${labels.exitNote}</p>
${renderEntries(exit)}`,
)}${renderGroup(
  labels.benign,
  benign.length,
  "benign",
  () => html`<p class="quiet">${labels.benignNote}</p>
${renderEntries(benign)}`,
)}${renderGroup(
  labels.unavailable,
  unavailable.length,
  "unavailable",
  () => html`<p class="quiet">${labels.unavailableNote}</p>
${renderNames(unavailable)}`,
)}${renderGroup(labels.notListed, notListed.length, "notListed", () => renderNames(notListed))}`,
  );
}

/** The flag of each kind of exit that a list can name. */
const EXIT_FLAGS = { tor: "isTor", vpn: "isVpn", proxy: "isProxy" } as const;

function renderEntry(
  { label, zone, countedAs }: Blocklist,
  delistUrl: string | undefined,
  linkText: string,
  texts: ReportTexts,
): Html {
  return html`
<li><span><bdi><b>${label}</b></bdi> <code>${zone}</code>${countedAs !== undefined && html` <span class="tag">${texts.flags[EXIT_FLAGS[countedAs]]}</span>`}</span>${
    delistUrl !== undefined &&
    html` <a href="${delistUrl}" rel="nofollow noreferrer">${linkText}<span class="unseen"> (${label})</span></a>`
  }</li>`;
}

function renderNames(entries: readonly Blocklist[]): Html {
  return html`<ul class="names">${entries.map(({ label, zone }) => html`<li><bdi>${label}</bdi> <code>${zone}</code></li>`)}</ul>`;
}

function delistUrlOf(zone: string, ip: string, delistUrls: DelistUrls): string | undefined {
  return delistUrls.get(zone)?.replace("{ip}", () => encodeURIComponent(ip));
}

/** Renders the VPN operator, abuse, exposure and sharing. What nobody reported is one paragraph. */
export function renderEvidence(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const { labels } = texts;
  const exposure = describeExposure(report, texts);
  const sharing = describeSharing(report, texts);
  const silent = [
    ...(report.abuse.length === 0 ? [labels.noAbuse] : []),
    ...(typeof exposure === "string" ? [exposure] : []),
    ...(typeof sharing === "string" ? [sharing] : []),
  ];
  const rows = [
    ...(typeof exposure === "string" ? [] : exposure.map((field) => keepWhole(field, report, labels.vulns))),
    ...(typeof sharing === "string" ? [] : sharing),
  ];
  const known = html`${report.abuse.length > 0 && html`${renderAbuse(report, texts)}\n`}${rows.length > 0 && renderFields(rows)}`;
  const unknown =
    silent.length > 0 && html`<p class="quiet">${silent.map((sentence) => html`${sentence} `)}</p>`;
  const title = reportPageTextsOf(language).evidence;
  return html`${report.vpnOperator !== null && html`${renderVpn(report.vpnOperator, texts)}\n`}${
    report.abuse.length === 0 && rows.length === 0
      ? unknown !== false && renderCard(title, unknown)
      : renderRoomyCard(title, html`<div>${known}${unknown}</div>`)
  }`;
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

function renderVpn(vpn: NonNullable<Report["vpnOperator"]>, texts: ReportTexts): Html {
  const { url } = vpn;
  const link = url === undefined ? undefined : webLinkOf(url);
  return renderCard(
    texts.labels.vpn,
    html`${renderFields(describeVpn(vpn, texts))}
${url !== undefined && html`<p class="words">${link === undefined ? html`<bdi>${url}</bdi>` : html`<a href="${link}" rel="nofollow noreferrer"><bdi>${url}</bdi></a>`}</p>`}`,
  );
}

function renderAbuse(report: Report, texts: ReportTexts): Html {
  const { labels } = texts;
  return html`<table><caption class="unseen">${labels.abuse}</caption>
<thead><tr><th scope="col">${labels.source}</th><th scope="col" class="figure">${labels.reports}</th><th scope="col" class="figure">${labels.attacks}</th></tr></thead>
<tbody>${report.abuse.map(
    (abuse) => html`
<tr><th scope="row"><bdi>${abuse.source}</bdi>${renderAttacks(abuse, texts)}</th><td class="figure">${abuse.reports ?? "--"}</td><td class="figure">${abuse.attacks?.total ?? "--"}</td></tr>`,
  )}</tbody></table>`;
}

function renderAttacks(abuse: Report["abuse"][number], texts: ReportTexts): Html | false {
  const attacks = describeAttacks(abuse, texts);
  return attacks.length > 0 && html`<p class="words">${texts.joinDetails(attacks)}</p>`;
}

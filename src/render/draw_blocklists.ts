import { pageWordsOf, wordsOf } from "#locale";
import type { Language, Report } from "#report";
import { drawCard } from "./draw_card.ts";
import { drawGroup } from "./draw_group.ts";
import { findDelisting } from "./find_delisting.ts";
import { type Html, html } from "./html.ts";
import { sortBlocklists } from "./sort_blocklists.ts";

type Entry = Report["blocklists"][number];

/** What the lists said, grouped: accusing, benign, not heard, not listed. */
export function drawBlocklists(report: Report, language: Language): Html {
  const texts = wordsOf(language);
  const words = texts.headings;
  if (report.blocklists.length === 0)
    return drawCard(words.blocklists, html`<p class="quiet">${words.noLists}</p>`);
  const { listed, benign, unavailable, notListed } = sortBlocklists(report);
  const removal = pageWordsOf(language).removal;
  const linked = (entries: readonly Entry[]) => () =>
    html`<ul class="rows">${entries.map((entry) => drawLinked(entry, report.ip, removal))}</ul>`;
  return drawCard(
    words.blocklists,
    html`<p>${texts.listCount(listed.length, benign.length, unavailable.length, notListed.length)}${texts.stop}</p>
${unavailable.length > 0 && html`<p class="quiet">${words.unavailableNote}</p>\n`}${drawGroup(words.listed, listed.length, "listed", linked(listed))}${drawGroup(
  words.benign,
  benign.length,
  "benign",
  () => html`<p class="quiet">${words.benignNote}</p>
${linked(benign)()}`,
)}${drawGroup(words.unavailable, unavailable.length, "unavailable", () =>
  drawNames(unavailable),
)}${drawGroup(words.notListed, notListed.length, "notListed", () => drawNames(notListed))}`,
  );
}

function drawLinked({ label, zone }: Entry, ip: string, removal: string): Html {
  const page = findDelisting(zone, ip);
  return html`
<li><span><bdi><b>${label}</b></bdi> <code>${zone}</code></span>${
    page !== undefined &&
    html` <a href="${page}" rel="nofollow noreferrer">${removal}<span class="unseen"> (${label})</span></a>`
  }</li>`;
}

function drawNames(entries: readonly Entry[]): Html {
  return html`<ul class="names">${entries.map(({ label, zone }) => html`<li><bdi>${label}</bdi> <code>${zone}</code></li>`)}</ul>`;
}

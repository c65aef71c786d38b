import { describeCountry, pageTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import { type Language, type Report, readFacts } from "#report";
import { comparePathOf, homePathOf, reportPathOf, webLinkOf } from "../paths.ts";
import { describeScore, formatTime } from "../report_fields.ts";
import { sanitize } from "../sanitize.ts";
import { type Html, html } from "./html.ts";
import { renderAddress, renderRoomyCard } from "./parts.ts";

/** Renders the small search field in the header. It works without script: the home page reads what it sends. */
export function renderHeaderSearch(language: Language): Html {
  const page = reportPageTextsOf(language);
  return html`<search class="seek"><form action="${homePathOf(language)}" method="get">
<label class="unseen" for="seek">${page.search}</label>
<input id="seek" name="ip" type="text" placeholder="${page.search}" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" required><button type="submit">${pageTextsOf(language).lookUp}</button>
</form></search>
`;
}

/** Renders what can be done with the report. Buttons that need a script are hidden until it runs. */
export function renderTools(report: Report, language: Language): Html {
  const page = reportPageTextsOf(language);
  const texts = pageTextsOf(language);
  const { ip } = report;
  return html`<div class="tools" data-copied="${page.copied}">
${renderCopy(ip, page.copyAddress)}${renderCopy(commandOf(report, language), page.copyCommand)}${renderCopy(citationOf(report, language), page.copyCitation)}<a href="${reportPathOf(ip, language, ".png")}" download="limpid-${ip.replaceAll(":", "-")}.png">${page.saveImage}</a>
<details class="menu"><summary>${page.compareWith}</summary><form action="${comparePathOf(language)}" method="get"><label class="unseen" for="others">${page.compareField}</label><input id="others" name="ips" type="text" value="${ip}, " maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" required><button type="submit">${texts.compareSubmit}</button></form></details>
<a class="js-refresh" href="${reportPathOf(ip, language)}?refresh=1" rel="nofollow">${texts.refresh}</a>
<span class="unseen" role="status"></span>
</div>`;
}

function renderCopy(text: string, label: string): Html {
  return html`<button type="button" data-copy="${text}" hidden>${label}</button>\n`;
}

/** Renders how to cite the report, the command that prints it, and links to its other formats. */
export function renderCitation(report: Report, language: Language): Html {
  const { labels } = reportTextsOf(language);
  const texts = pageTextsOf(language);
  const page = reportPageTextsOf(language);
  const { ip, reportUrl } = report;
  const link = webLinkOf(reportUrl);
  return renderRoomyCard(
    labels.cite,
    html`<div class="cite">${!report.flags.isBogon && html`<p>${renderWords(citationOf(report, language, false), ip)} ${link === undefined ? html`<bdi>${reportUrl}</bdi>` : renderUrl(link, reportUrl)}</p>\n`}<pre tabindex="0" aria-label="${page.command}"><code>${commandOf(report, language)}</code></pre>
<p class="formats"><span>${texts.otherFormats}</span> <a href="${reportPathOf(ip, language, ".json")}">${labels.asJson}</a> <a href="${reportPathOf(ip, language, ".txt")}">${labels.asText}</a> <a href="${reportPathOf(ip, language, ".md")}">${texts.asMarkdown}</a></p>${!report.flags.isBogon && renderFurther(ip, language)}</div>`,
  );
}

/** Renders links to what others publish about the address. */
function renderFurther(ip: string, language: Language): Html {
  const address = encodeURIComponent(ip);
  const links = [
    ["Shodan", `https://www.shodan.io/host/${address}`],
    ["AbuseIPDB", `https://www.abuseipdb.com/check/${address}`],
    ["bgp.tools", `https://bgp.tools/search?q=${address}`],
    ["RDAP", `https://rdap.org/ip/${address}`],
  ] as const;
  return html`<p class="formats"><span>${reportPageTextsOf(language).further}</span>${links.map(([name, url]) => html` <a href="${url}" rel="nofollow noreferrer noopener">${name}</a>`)}</p>`;
}

/** Renders a text in which the address stays on one line. */
function renderWords(text: string, ip: string): Html {
  const at = text.indexOf(ip);
  if (at < 0) return html`${text}`;
  return html`${text.slice(0, at)}${renderAddress(ip)}${text.slice(at + ip.length)}`;
}

/** Renders a link that may break only before its last part, which is the address. */
function renderUrl(link: string, shown: string): Html {
  const at = shown.lastIndexOf("/") + 1;
  return html`<a class="url" href="${link}">${shown.slice(0, at)}<wbr>${shown.slice(at)}</a>`;
}

function citationOf(report: Report, language: Language, withUrl = true): string {
  const { ip, risk, reportUrl } = report;
  const texts = reportTextsOf(language);
  const citation = pageTextsOf(language).citation({
    ip,
    score: describeScore(report, readFacts(report), texts),
    confidence: texts.confidences[risk.confidence],
    moment: formatTime(report.queriedAt),
  });
  return withUrl ? `${citation} ${reportUrl}` : citation;
}

/** The command that prints the report in a terminal. */
function commandOf({ ip, reportUrl }: Report, language: Language): string {
  const link = webLinkOf(reportUrl);
  const origin = link === undefined ? "" : new URL(link).origin;
  const url = `${origin}/cli/${ip}${language === "en" ? "?lang=en" : ""}`;
  return `curl '${url}'`;
}

/**
 * Renders the empty, hidden element in which `/static/own_profile.js` compares the browser with the visitor's own address.
 * `data-place` is JSON: where the address is, and when it was surveyed. Without script nothing shows.
 */
export function renderOwnProfile({ geo, queriedAt }: Report, language: Language): Html {
  // What html`` replaces in a text would end the JSON, so these names are sanitized first.
  const place = {
    surveyedAt: queriedAt,
    ...(geo?.country === undefined
      ? { timeZones: [], languages: [] }
      : { country: sanitize(geo.countryName ?? geo.country), ...describeCountry(geo.country) }),
    ...(geo?.timezone === undefined ? {} : { timeZone: sanitize(geo.timezone) }),
  };
  const words = reportPageTextsOf(language).profile;
  return html`<div id="own-profile" hidden data-place="${JSON.stringify(place)}" data-words="${JSON.stringify(words)}"></div>\n`;
}

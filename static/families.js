// @ts-check
/**
 * Shows the visitor's addresses of both families. The page names two origins of this site; the name of each resolves to
 * one family only, so the request to it comes from the address of that family.
 */
import { create, fill, languageOfPage, readTexts } from "./progress.js";

const TIMEOUT_MS = 6000;

/**
 * @typedef {{ readonly ip: string, readonly report: {
 *   readonly usageType: string, readonly usage: string, readonly native: string, readonly country?: string,
 *   readonly countryName?: string, readonly network: string, readonly score?: string, readonly band?: string,
 *   readonly verdict: string } }} Exit
 */

const section = document.getElementById("families");
const texts = readTexts(section);
if (section !== null && texts !== undefined) void show(section, texts);

/**
 * @param {HTMLElement} section
 * @param {import("./progress.js").Texts} texts
 */
async function show(section, texts) {
  const { ipv4 = "", ipv6 = "" } = section.dataset;
  const note = create("p", "quiet", texts.asking);
  note.setAttribute("role", "status");
  section.append(note);
  section.hidden = false;
  const [four, six] = await Promise.all([ask(ipv4, false), ask(ipv6, true)]);
  // Without an answer the page says nothing: the names may not be set up, or something blocks both.
  section.hidden = four === undefined && six === undefined;
  const list = create("ul", "exits");
  list.append(createItem("IPv4", four, texts), createItem("IPv6", six, texts));
  note.before(list);
  note.className = "compared";
  note.replaceChildren(...compare(four, six, texts).map((text) => create("span", undefined, text)));
}

/**
 * Asks one origin for the visitor's address. Undefined if it cannot be reached, or sees an address of the other family.
 * @param {string} origin
 * @param {boolean} isSix
 * @returns {Promise<Exit | undefined>}
 */
async function ask(origin, isSix) {
  try {
    const url = `${origin}/api/myip?report=brief&lang=${languageOfPage()}`;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { cache: "no-store", credentials: "omit", signal });
    /** @type {Exit} */
    const exit = await response.json();
    const isWanted = response.ok && exit.ip.includes(":") === isSix && exit.report !== undefined;
    return isWanted ? exit : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} family
 * @param {Exit | undefined} exit
 * @param {import("./progress.js").Texts} texts
 */
function createItem(family, exit, texts) {
  const item = create("li");
  item.append(create("h3", undefined, family));
  if (exit === undefined) {
    item.append(create("p", "quiet", fill(texts.none, { family })));
    return item;
  }
  const { ip, report } = exit;
  const prefix = languageOfPage() === "en" ? "/en" : "";
  const link = create("a", "address", ip);
  link.href = `${prefix}/ip/${encodeURIComponent(ip).replaceAll("%3A", ":")}`;
  const score = create("p", `band-${report.band ?? "thin"}`);
  score.append(create("strong", "band", report.score ?? texts.thin));
  const facts = [report.countryName, report.usage, report.native, report.network].filter(Boolean);
  item.append(link, score, create("p", undefined, facts.join(" · ")));
  if (report.score !== undefined || facts.length < 3) item.append(create("p", "quiet", report.verdict));
  return item;
}

/**
 * What the two exits have in common, and what not. Unknown facts do not differ.
 * @param {Exit | undefined} four
 * @param {Exit | undefined} six
 * @param {import("./progress.js").Texts} texts
 */
function compare(four, six, texts) {
  if (four === undefined || six === undefined) return [];
  const [a, b] = [four.report, six.report];
  const hasPlaces = a.country !== undefined && b.country !== undefined;
  const hasUsages = a.usageType !== "unknown" && b.usageType !== "unknown";
  const said = [];
  if (hasPlaces && a.country !== b.country)
    said.push(
      fill(texts.differCountry, { four: a.countryName ?? a.country, six: b.countryName ?? b.country }),
    );
  if (hasUsages && a.usageType !== b.usageType)
    said.push(fill(texts.differUsage, { four: a.usage, six: b.usage }));
  if (said.length === 0 && hasPlaces && hasUsages) said.push(texts.same ?? "");
  return said;
}

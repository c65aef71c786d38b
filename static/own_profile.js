// @ts-check
/**
 * The page about the visitor's own address: shows whether the time zone, the clock and the languages of this browser fit
 * the address. Nothing is sent and nothing is stored.
 */
import { compareProfile } from "./compare_profile.js";
import { create, fill, readTexts } from "./progress.js";

const container = document.getElementById("own-profile");
const words = readTexts(container);
const place = container?.dataset.place;
if (container !== null && words !== undefined && place !== undefined) {
  container.replaceWith(createCard(JSON.parse(place), words));
}

/**
 * @param {import("./compare_profile.js").Place} place
 * @param {import("./progress.js").Texts} words
 */
function createCard(place, words) {
  const rows = compareProfile(
    place,
    {
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      languages: navigator.languages,
      nowMs: Date.now(),
      clockMinutes: -new Date().getTimezoneOffset(),
    },
    {
      language: document.documentElement.lang,
      spread: (values) => fill(words.spread, { country: place.country ?? "", values }),
      comma: words.comma ?? "",
      behind: words.behind ?? "",
    },
  );
  const { country } = place;
  const address = country === undefined ? words.address : fill(words.addressIn, { country });
  const table = create("table", "profile");
  const head = table.createTHead().insertRow();
  for (const text of [words.item, words.browser, address]) {
    const cell = create("th", "", text);
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const name of /** @type {const} */ (["timeZone", "clock", "languages"])) {
    const { match, browser, address: lines } = rows[name];
    const row = body.insertRow();
    const item = create("th", "", words[name]);
    item.scope = "row";
    item.append(" ", create("span", `match match-${match}`, words[match]));
    row.append(item, createCell(browser, words), createCell(lines, words));
  }
  const title = create("h2", "", words.title);
  title.id = "own-profile";
  const card = create("section", "card");
  card.setAttribute("aria-labelledby", title.id);
  card.append(title, create("p", "words", words.lead), table, create("p", "words", words.limits));
  return card;
}

/**
 * @param {readonly string[]} lines
 * @param {import("./progress.js").Texts} words
 */
function createCell(lines, words) {
  const cell = create("td");
  for (const line of lines.length === 0 ? [words.unknown ?? ""] : lines) {
    const text = create("p");
    // The name of a time zone is long: it may be broken after a slash.
    text.append(...line.split("/").flatMap((part, at) => (at === 0 ? [part] : ["/", create("wbr"), part])));
    cell.append(text);
  }
  return cell;
}

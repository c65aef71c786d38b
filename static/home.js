// @ts-check
/**
 * The front page: a lookup with live progress for those who need no check. Without this script the form works alone.
 */
import { drawProgressInto, languageOfPage, pathOfUrl, readWords, tellEnd, watchSurvey } from "./progress.js";

const form = document.getElementById("lookup-form");
const container = document.getElementById("progress");
const words = readWords(container);
if (form instanceof HTMLFormElement && container !== null && words !== undefined) run(form, container, words);

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} container
 * @param {import("./progress.js").Words} words
 */
function run(form, container, words) {
  const view = drawProgressInto(container, words);
  const language = languageOfPage();
  let isRunning = false;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isRunning) void lookUp(String(new FormData(form).get("ip") ?? "").trim());
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) view.clear();
  });

  /** @param {string} ip */
  async function lookUp(ip) {
    isRunning = true;
    // A colon may stand in a path (RFC 3986, 3.3), and so the address reads as one.
    const path = `${language === "en" ? "/en" : ""}/ip/${encodeURIComponent(ip).replaceAll("%3A", ":")}`;
    const outcome = await watchSurvey(view, { ip, language, refresh: false, words });
    isRunning = false;
    if (outcome.kind === "report") location.assign(pathOfUrl(outcome.url));
    else if (outcome.kind === "refused" && outcome.status === 403) location.assign(path);
    // What cannot be watched may still be looked up: the form's own way has the words for every case.
    else if (outcome.kind === "refused" && outcome.status !== 429 && outcome.status !== 503) form.submit();
    else {
      tellEnd(view, words, outcome, {
        ...(outcome.kind === "refused" ? {} : { reportPath: path }),
        again: () => form.requestSubmit(),
      });
    }
  }
}

// @ts-check
/**
 * The home page: a lookup with live progress, if it needs no human check. The form also works without this script.
 */
import {
  createProgressView,
  languageOfPage,
  pathOfUrl,
  readTexts,
  showEnd,
  watchSurvey,
} from "./progress.js";

const form = document.getElementById("lookup-form");
const container = document.getElementById("progress");
const texts = readTexts(container);
if (form instanceof HTMLFormElement && container !== null && texts !== undefined) run(form, container, texts);

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} container
 * @param {import("./progress.js").Texts} texts
 */
function run(form, container, texts) {
  const view = createProgressView(container, texts);
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
    // Colons stay readable: a path may contain them (RFC 3986, 3.3).
    const path = `${language === "en" ? "/en" : ""}/ip/${encodeURIComponent(ip).replaceAll("%3A", ":")}`;
    const outcome = await watchSurvey(view, { ip, language, refresh: false, texts });
    isRunning = false;
    if (outcome.kind === "report") location.assign(pathOfUrl(outcome.url));
    else if (
      outcome.kind === "refused" &&
      (outcome.status === 403 || outcome.problem.code === "open_rate_limited")
    )
      // The page of the report offers the check.
      location.assign(path);
    // For any other refusal, the server answers the form with a page that explains it.
    else if (outcome.kind === "refused" && outcome.status !== 429 && outcome.status !== 503) form.submit();
    else {
      showEnd(view, texts, outcome, {
        ...(outcome.kind === "refused" ? {} : { reportPath: path }),
        onRetry: () => form.requestSubmit(),
      });
    }
  }
}

// @ts-check
/**
 * The page with the human check: the check, then the live progress of the survey, then the report.
 */
import { createProgressView, readTexts, showEnd, watchSurvey } from "./progress.js";
import { sendSolution, showCheck } from "./verify_visitor.js";

const check = document.getElementById("check");
const place = document.getElementById("check-widget");
const notice = document.getElementById("check-notice");
const status = document.getElementById("check-status");
const container = document.getElementById("progress");
if (check !== null && place !== null && notice !== null && status !== null && container !== null) {
  await run(check, place, notice, status, container);
}

/**
 * @param {HTMLElement} check
 * @param {HTMLElement} place
 * @param {HTMLElement} notice
 * @param {HTMLElement} status
 * @param {HTMLElement} container
 */
async function run(check, place, notice, status, container) {
  const {
    ip = "",
    action = "lookup",
    language = "zh",
    reportPath = "/",
    kind,
    siteKey,
    token,
  } = check.dataset;
  const texts = readTexts(container) ?? {};
  const widgetTexts = readTexts(place) ?? {};
  const provider =
    kind === "turnstile"
      ? /** @type {const} */ ({ kind, siteKey: siteKey ?? "", token: token ?? "" })
      : /** @type {const} */ ({ kind: "altcha" });

  if (provider.kind === "altcha" && !window.isSecureContext) {
    showInsecure(place);
    return;
  }
  const view = createProgressView(container, texts);

  /** @param {readonly (string | undefined)[]} sentences */
  function showNotice(sentences) {
    notice.replaceChildren(
      ...sentences.flatMap((sentence) => {
        if (sentence === undefined || sentence === "") return [];
        const paragraph = document.createElement("p");
        paragraph.textContent = sentence;
        return [paragraph];
      }),
    );
    notice.hidden = notice.childElementCount === 0;
  }

  /** @param {string} payload */
  async function submit(payload) {
    showNotice([]);
    status.textContent = "";
    check.hidden = true;
    view.wait(texts.verifying ?? "", "", []);
    view.focus();
    const problem = await sendSolution({ ip, action, language }, payload, texts);
    if (problem !== undefined) {
      view.clear();
      check.hidden = false;
      widget?.reset();
      showNotice([problem.error, problem.hint]);
      notice.focus();
      return;
    }
    if (action === "feedback") {
      location.replace(reportPath);
      return;
    }
    await watch();
  }

  async function watch() {
    const outcome = await watchSurvey(view, { ip, language, refresh: action === "refresh", texts });
    if (outcome.kind === "report") {
      location.replace(reportPath);
      return;
    }
    // If the pass has expired, a new check is needed. A reload shows it.
    const needsCheck = outcome.kind === "refused" && outcome.status === 403;
    showEnd(view, texts, outcome, {
      reportPath,
      onRetry: () => (needsCheck ? location.reload() : void watch()),
    });
  }

  /** @type {import("./verify_visitor.js").CheckWidget | undefined} */
  let widget;
  let isRefused = false;
  try {
    widget = await showCheck(
      place,
      { ip, action, language, texts: widgetTexts, provider },
      {
        onSolved: (payload) => void submit(payload),
        onRefused: (problem) => {
          isRefused = true;
          showNotice([problem.error, problem.hint]);
        },
        onWorking: () => {
          isRefused = false;
          showNotice([]);
          status.textContent = widgetTexts.verifying ?? "";
        },
        onFailed: () => {
          status.textContent = "";
          if (!isRefused) showNotice([widgetTexts.error]);
        },
      },
    );
  } catch {
    place.replaceChildren();
    showNotice([texts.blocked]);
  }

  // A page from the browser's back/forward cache shows the end of an old survey, so it is reloaded.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

/**
 * Shows a link to HTTPS instead of the check: on plain HTTP, browsers have no Web Crypto.
 * @param {HTMLElement} place
 */
function showInsecure(place) {
  place.hidden = true;
  const note = document.getElementById("check-insecure");
  const link = document.getElementById("check-https");
  if (note === null || !(link instanceof HTMLAnchorElement)) return;
  // Without a port: HTTPS has a different one than plain HTTP.
  link.href = `https://${location.hostname}${location.pathname}${location.search}`;
  link.textContent = link.href;
  note.hidden = false;
}

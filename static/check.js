// @ts-check
/**
 * The page with the human check: check, live progress of the survey, report.
 */
import { drawProgressInto, readWords, tellEnd, watchSurvey } from "./progress.js";
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
  const words = readWords(container) ?? {};
  const widgetWords = readWords(place) ?? {};
  const invitation =
    kind === "turnstile"
      ? /** @type {const} */ ({ kind, siteKey: siteKey ?? "", token: token ?? "" })
      : /** @type {const} */ ({ kind: "altcha" });

  if (invitation.kind === "altcha" && !window.isSecureContext) {
    sayInsecure(place);
    return;
  }
  const view = drawProgressInto(container, words);

  /** @param {readonly (string | undefined)[]} sentences */
  function say(sentences) {
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
  async function goOn(payload) {
    say([]);
    status.textContent = "";
    check.hidden = true;
    view.wait(words.verifying ?? "", "", []);
    view.focus();
    const problem = await sendSolution({ ip, action, language }, payload, words);
    if (problem !== undefined) {
      view.clear();
      check.hidden = false;
      widget?.reset();
      say([problem.error, problem.hint]);
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
    const outcome = await watchSurvey(view, { ip, language, refresh: action === "refresh", words });
    if (outcome.kind === "report") {
      location.replace(reportPath);
      return;
    }
    // A pass that has ended meanwhile needs another check, which is on this page as it was.
    const isOver = outcome.kind === "refused" && outcome.status === 403;
    tellEnd(view, words, outcome, { reportPath, again: () => (isOver ? location.reload() : void watch()) });
  }

  /** @type {import("./verify_visitor.js").CheckWidget | undefined} */
  let widget;
  let isRefused = false;
  try {
    widget = await showCheck(
      place,
      { ip, action, language, words: widgetWords, invitation },
      {
        onSolved: (payload) => void goOn(payload),
        onRefused: (problem) => {
          isRefused = true;
          say([problem.error, problem.hint]);
        },
        onWorking: () => {
          isRefused = false;
          say([]);
          status.textContent = widgetWords.verifying ?? "";
        },
        onFailed: () => {
          status.textContent = "";
          if (!isRefused) say([widgetWords.error]);
        },
      },
    );
  } catch {
    place.replaceChildren();
    say([words.blocked]);
  }

  // A page that comes back from the browser's memory shows the end of an old watch: it starts anew.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

/**
 * Browsers give plain HTTP no cryptography, so there is nothing to show but the way.
 * @param {HTMLElement} place
 */
function sayInsecure(place) {
  place.hidden = true;
  const words = document.getElementById("check-insecure");
  const link = document.getElementById("check-https");
  if (words === null || !(link instanceof HTMLAnchorElement)) return;
  // The port of plain HTTP is not the port of HTTPS.
  link.href = `https://${location.hostname}${location.pathname}${location.search}`;
  link.textContent = link.href;
  words.hidden = false;
}

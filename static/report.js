// @ts-check
/**
 * The report page: refresh with live progress, and rating one's own address.
 */
import {
  drawProgressInto,
  fill,
  languageOfPage,
  readProblem,
  readWords,
  tellEnd,
  watchSurvey,
} from "./progress.js";
import { sendSolution, showCheck } from "./verify_visitor.js";

/** @typedef {import("./progress.js").Words} Words */

const container = document.getElementById("progress");
const progressWords = readWords(container);
const refresh = document.querySelector("a.js-refresh");
if (container !== null && progressWords !== undefined && refresh instanceof HTMLAnchorElement) {
  enhanceRefresh(refresh, container, progressWords);
}
const form = document.getElementById("feedback-form");
const place = document.getElementById("feedback-check");
const status = document.getElementById("feedback-status");
const button = form?.querySelector("button");
if (
  form instanceof HTMLFormElement &&
  place !== null &&
  status !== null &&
  button instanceof HTMLButtonElement
) {
  enhanceFeedback(form, place, status, button);
}

/**
 * @param {HTMLAnchorElement} link
 * @param {HTMLElement} container
 * @param {Words} words
 */
function enhanceRefresh(link, container, words) {
  const view = drawProgressInto(container, words);
  let isRunning = false;
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (isRunning) return;
    isRunning = true;
    const reportPath = link.pathname;
    const ip = decodeURIComponent(reportPath.slice(reportPath.lastIndexOf("/") + 1));
    const outcome = await watchSurvey(view, { ip, language: languageOfPage(), refresh: true, words });
    isRunning = false;
    if (outcome.kind === "report") location.replace(reportPath);
    // The page behind the link is the one with the check.
    else if (outcome.kind === "refused" && outcome.status === 403) location.assign(link.href);
    else tellEnd(view, words, outcome, { reportPath, again: () => link.click() });
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} place
 * @param {HTMLElement} status
 * @param {HTMLButtonElement} button
 */
function enhanceFeedback(form, place, status, button) {
  const words = readWords(form) ?? {};
  const widgetWords = readWords(place) ?? {};
  const language = languageOfPage();
  const { ip = "", refreshPath = "/" } = form.dataset;
  for (const field of form.querySelectorAll("fieldset")) field.disabled = false;

  /** @param {readonly (string | undefined)[]} sentences */
  function say(sentences) {
    status.textContent = sentences
      .filter((sentence) => sentence !== undefined)
      .join(language === "en" ? " " : "");
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (place.childElementCount === 0) void send(true);
  });

  /** @param {boolean} mayCheck */
  async function send(mayCheck) {
    const data = new FormData(form);
    const scenario = String(data.get("scenario") ?? "");
    const rating = Number(data.get("rating") ?? 0);
    if (rating < 1) {
      say([words.choose]);
      form.querySelector("input")?.focus();
      return;
    }
    button.disabled = true;
    say([words.sending]);
    try {
      const response = await fetch(`/api/feedback?lang=${language}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        credentials: "same-origin",
        body: JSON.stringify({ scenario, rating }),
      });
      if (response.ok) thank(scenario, rating, await response.json());
      else if (response.status === 403 && mayCheck) await check();
      else {
        const problem = await readProblem(response, words.failed ?? "");
        say([problem.error, problem.hint]);
      }
    } catch {
      say([words.failed]);
    } finally {
      button.disabled = false;
    }
  }

  /**
   * @param {string} scenario
   * @param {number} rating
   * @param {any} answer
   */
  function thank(scenario, rating, answer) {
    const label = form.querySelector(`option[value="${CSS.escape(scenario)}"]`)?.textContent ?? scenario;
    const meaning =
      form.querySelector(`input[value="${rating}"]`)?.closest("label")?.textContent?.trim() ?? "";
    const sum = answer?.feedback?.[scenario];
    const isShown = Number.isFinite(sum?.count) && Number.isFinite(sum?.average);
    say([
      fill(words.thanks, { scenario: label, rating: meaning }),
      isShown ? fill(words.shown, { scenario: label, count: sum.count, average: sum.average }) : words.notYet,
    ]);
  }

  async function check() {
    if (!window.isSecureContext) return sendElsewhere();
    let isRefused = false;
    const widget = await showCheck(
      place,
      {
        ip,
        action: "feedback",
        language,
        words: widgetWords,
        invitation: { kind: "altcha" },
      },
      {
        onSolved: async (payload) => {
          const problem = await sendSolution({ ip, action: "feedback", language }, payload, words);
          if (problem !== undefined) {
            widget.reset();
            say([problem.error, problem.hint]);
            return;
          }
          place.replaceChildren();
          button.focus();
          await send(false);
        },
        onRefused: (problem, httpStatus) => {
          isRefused = true;
          if (httpStatus === 404) sendElsewhere();
          else say([problem.error, problem.hint]);
        },
        onFailed: () => {
          if (!isRefused) say([widgetWords.error]);
        },
      },
    );
    say([words.check]);
    widget.focus();
  }

  /** Another verifier than our own is loaded on the page of the check alone: its origin is allowed only there. */
  function sendElsewhere() {
    say([words.elsewhere]);
    const link = document.createElement("a");
    link.href = refreshPath;
    link.textContent = words.toCheck ?? "";
    place.replaceChildren();
    status.append(" ", link);
  }
}

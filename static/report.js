// @ts-check
/**
 * The report page: copy buttons, local time, refresh with live progress, and the form that rates the visitor's own
 * address.
 */
import {
  createProgressView,
  fill,
  languageOfPage,
  readProblem,
  readTexts,
  showEnd,
  watchSurvey,
} from "./progress.js";
import { sendSolution, showCheck } from "./verify_visitor.js";

/** @typedef {import("./progress.js").Texts} Texts */

enableCopying();
showAge();
showLocalTime();
const container = document.getElementById("progress");
const progressTexts = readTexts(container);
const refresh = document.querySelector("a.js-refresh");
if (container !== null && progressTexts !== undefined && refresh instanceof HTMLAnchorElement) {
  enhanceRefresh(refresh, container, progressTexts);
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

/** Shows the copy buttons where the browser lets a page copy, which needs HTTPS. */
function enableCopying() {
  const tools = document.querySelector(".tools");
  const announcement = tools?.querySelector("[role=status]");
  if (!(tools instanceof HTMLElement) || announcement == null || navigator.clipboard === undefined) return;
  const { copied = "" } = tools.dataset;
  for (const button of tools.querySelectorAll("button[data-copy]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? "");
      button.textContent = `\u2713 ${copied}`;
      announcement.textContent = copied;
      setTimeout(() => {
        button.textContent = label;
        announcement.textContent = "";
      }, 2000);
    });
  }
}

/** Adds how long ago the survey was, counted from when the page is read: the page can come from a cache. */
function showAge() {
  const time = document.querySelector("time[data-local]");
  if (!(time instanceof HTMLTimeElement)) return;
  const minutes = Math.floor((Date.now() - new Date(time.dateTime).getTime()) / 60_000);
  if (!(minutes >= 0)) return;
  const [value, unit] =
    minutes < 60 ? [minutes, "minute"] : minutes < 1440 ? [minutes / 60, "hour"] : [minutes / 1440, "day"];
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  const said = format.format(-Math.floor(value), /** @type {Intl.RelativeTimeFormatUnit} */ (unit));
  // As in the other Chinese texts, a blank stands between digits and characters.
  const age =
    minutes === 0
      ? (time.dataset.now ?? "")
      : said.replace(/(\d)(?=\p{Script=Han})/u, "$1 ").replaceAll(" ", "\u00a0");
  for (const element of document.querySelectorAll("[data-aged]"))
    element.textContent = fill(element.getAttribute("data-aged") ?? "", { age });
}

/** Adds the time of the survey in the time zone of the visitor. */
function showLocalTime() {
  const time = document.querySelector("time[data-local]");
  if (!(time instanceof HTMLTimeElement)) return;
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.getTime()) || moment.getTimezoneOffset() === 0) return;
  const isSameDay = moment.toLocaleDateString("sv") === time.dateTime.slice(0, 10);
  const shown = isSameDay
    ? moment.toLocaleTimeString("sv", { hour: "2-digit", minute: "2-digit" })
    : moment.toLocaleString("sv", { dateStyle: "short", timeStyle: "short" });
  const text = document.createElement("span");
  text.textContent = fill(time.dataset.local, { time: shown });
  time.after(" ", text);
}

/**
 * @param {HTMLAnchorElement} link
 * @param {HTMLElement} container
 * @param {Texts} texts
 */
function enhanceRefresh(link, container, texts) {
  const view = createProgressView(container, texts);
  let isRunning = false;
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (isRunning) return;
    isRunning = true;
    const reportPath = link.pathname;
    const ip = decodeURIComponent(reportPath.slice(reportPath.lastIndexOf("/") + 1));
    const outcome = await watchSurvey(view, { ip, language: languageOfPage(), refresh: true, texts });
    isRunning = false;
    if (outcome.kind === "report") location.replace(reportPath);
    // The link opens the page with the human check.
    else if (outcome.kind === "refused" && outcome.status === 403) location.assign(link.href);
    else showEnd(view, texts, outcome, { reportPath, onRetry: () => link.click() });
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} place
 * @param {HTMLElement} status
 * @param {HTMLButtonElement} button
 */
function enhanceFeedback(form, place, status, button) {
  const texts = readTexts(form) ?? {};
  const widgetTexts = readTexts(place) ?? {};
  const language = languageOfPage();
  const { ip = "", refreshPath = "/" } = form.dataset;
  for (const field of form.querySelectorAll("fieldset")) field.disabled = false;

  /** @param {readonly (string | undefined)[]} sentences */
  function showStatus(sentences) {
    status.textContent = sentences
      .filter((sentence) => sentence !== undefined)
      .join(language === "en" ? " " : "");
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (place.childElementCount === 0) void send(true);
  });

  /** @param {boolean} canCheck */
  async function send(canCheck) {
    const data = new FormData(form);
    const scenario = String(data.get("scenario") ?? "");
    const rating = Number(data.get("rating") ?? 0);
    if (rating < 1) {
      showStatus([texts.choose]);
      form.querySelector("input")?.focus();
      return;
    }
    button.disabled = true;
    showStatus([texts.sending]);
    try {
      const response = await fetch(`/api/feedback?lang=${language}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        credentials: "same-origin",
        body: JSON.stringify({ scenario, rating }),
      });
      if (response.ok) showThanks(scenario, rating, await response.json());
      else if (response.status === 403 && canCheck) await check();
      else {
        const problem = await readProblem(response, texts.failed ?? "");
        showStatus([problem.error, problem.hint]);
      }
    } catch {
      showStatus([texts.failed]);
    } finally {
      button.disabled = false;
    }
  }

  /**
   * @param {string} scenario
   * @param {number} rating
   * @param {any} answer
   */
  function showThanks(scenario, rating, answer) {
    const label = form.querySelector(`option[value="${CSS.escape(scenario)}"]`)?.textContent ?? scenario;
    const meaning =
      form.querySelector(`input[value="${rating}"]`)?.closest("label")?.textContent?.trim() ?? "";
    const sum = answer?.feedback?.[scenario];
    const isShown = Number.isFinite(sum?.count) && Number.isFinite(sum?.average);
    showStatus([
      fill(texts.thanks, { scenario: label, rating: meaning }),
      isShown ? fill(texts.shown, { scenario: label, count: sum.count, average: sum.average }) : texts.notYet,
    ]);
  }

  async function check() {
    if (!window.isSecureContext) return linkToCheckPage();
    let isRefused = false;
    const widget = await showCheck(
      place,
      {
        ip,
        action: "feedback",
        language,
        texts: widgetTexts,
        provider: { kind: "altcha" },
      },
      {
        onSolved: async (payload) => {
          const problem = await sendSolution({ ip, action: "feedback", language }, payload, texts);
          if (problem !== undefined) {
            widget.reset();
            showStatus([problem.error, problem.hint]);
            return;
          }
          place.replaceChildren();
          button.focus();
          await send(false);
        },
        onRefused: (problem, httpStatus) => {
          isRefused = true;
          if (httpStatus === 404) linkToCheckPage();
          else showStatus([problem.error, problem.hint]);
        },
        onFailed: () => {
          if (!isRefused) showStatus([widgetTexts.error]);
        },
      },
    );
    showStatus([texts.check]);
    widget.focus();
  }

  /** Links the page of the check. Only the policy of that page allows scripts of Turnstile. */
  function linkToCheckPage() {
    showStatus([texts.elsewhere]);
    const link = document.createElement("a");
    link.href = refreshPath;
    link.textContent = texts.toCheck ?? "";
    place.replaceChildren();
    status.append(" ", link);
  }
}

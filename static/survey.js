// @ts-check
/**
 * The page of an address that has no report yet: shows the progress of the survey, then the report in place of this page.
 */
import { createProgressView, languageOfPage, readTexts, showEnd, watchSurvey } from "./progress.js";

const section = document.getElementById("survey");
const container = document.getElementById("progress");
const texts = readTexts(container);
if (section !== null && container !== null && texts !== undefined) void run(section, container, texts);

/**
 * @param {HTMLElement} section
 * @param {HTMLElement} container
 * @param {import("./progress.js").Texts} texts
 */
async function run({ dataset: { ip = "" } }, container, texts) {
  const view = createProgressView(container, texts);
  const { pathname } = location;
  const outcome = await watchSurvey(view, { ip, language: languageOfPage(), refresh: false, texts });
  if (outcome.kind === "report") location.replace(pathname);
  // The server answers with a page that explains the refusal.
  else if (outcome.kind === "refused") location.replace(`${pathname}?wait=1`);
  else showEnd(view, texts, outcome, { reportPath: pathname, onRetry: () => location.reload() });
}

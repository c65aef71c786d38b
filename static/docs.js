// @ts-check
/**
 * The documentation of the API: shows every call in the chosen language, copies it, and tries it against this instance.
 * Without this script the calls are curl commands.
 */
import { create, fill, readTexts } from "./progress.js";

const TIMEOUT_MS = 30_000;
const MOST_SHOWN = 20_000;
/** The address of documentation in the samples, which has no report. The visitor's own takes its place. */
const DOCUMENTED = "198.51.100.7";

/** @type {Readonly<Record<string, (url: string) => string>>} */
const SAMPLES = {
  curl: (url) => `curl '${url}'`,
  Python: (url) => `from urllib.request import urlopen\n\nprint(urlopen("${url}").read().decode())`,
  JavaScript: (url) =>
    `const answer = await fetch("${url}");\nconsole.log(answer.status, await answer.text());`,
};

const choice = document.getElementById("samples");
const texts = readTexts(choice);
if (choice !== null && texts !== undefined) void enhance(choice, texts);

/**
 * @param {HTMLElement} choice
 * @param {import("./progress.js").Texts} texts
 */
async function enhance(choice, texts) {
  const calls = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".call")]);
  for (const call of calls) addTools(call, texts);
  const label = create("label", undefined, `${texts.language} `);
  const select = create("select");
  select.append(...Object.keys(SAMPLES).map((name) => new Option(name)));
  label.append(select);
  choice.append(label);
  const write = () => {
    for (const call of calls) {
      const code = call.querySelector("code");
      if (code !== null) code.textContent = SAMPLES[select.value]?.(call.dataset.url ?? "") ?? "";
    }
  };
  select.addEventListener("change", write);
  try {
    const { ip } = await (await fetch("/api/myip")).json();
    for (const call of calls) call.dataset.url = call.dataset.url?.replace(DOCUMENTED, ip);
    write();
  } catch {
    // The samples keep the address of documentation.
  }
}

/**
 * @param {HTMLElement} call
 * @param {import("./progress.js").Texts} texts
 */
function addTools(call, texts) {
  const tools = create("p", "tools");
  const status = create("span", "quiet");
  status.setAttribute("role", "status");
  const result = create("pre");
  result.tabIndex = 0;
  result.hidden = true;
  const copy = createButton(texts.copy ?? "", async () => {
    await navigator.clipboard.writeText(call.querySelector("code")?.textContent ?? "");
    status.textContent = texts.copied ?? "";
  });
  // Browsers give pages over plain HTTP no clipboard.
  copy.hidden = !window.isSecureContext;
  tools.append(
    copy,
    createButton(texts.tryIt ?? "", async () => {
      status.textContent = texts.asking ?? "";
      const { summary, body } = await ask(call.dataset.url ?? "", texts);
      status.textContent = summary;
      result.textContent = body;
      result.hidden = body === "";
    }),
    status,
  );
  call.append(tools, result);
}

/**
 * @param {string} label
 * @param {() => Promise<void>} onClick
 */
function createButton(label, onClick) {
  const button = create("button", undefined, label);
  button.type = "button";
  button.dataset.copy = "";
  button.addEventListener("click", async () => {
    button.disabled = true;
    await onClick().catch(() => undefined);
    button.disabled = false;
  });
  return button;
}

/**
 * Asks this instance, whatever origin the sample names.
 * @param {string} url
 * @param {import("./progress.js").Texts} texts
 */
async function ask(url, texts) {
  const { pathname, search } = new URL(url);
  const startedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(pathname + search, { headers: { accept: "*/*" }, signal });
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    const text = type.startsWith("image/png") ? "" : await answer.text();
    const ms = Math.round(performance.now() - startedAt);
    const summary = fill(texts.answered, { status: answer.status, type, ms });
    const shown = type === "application/json" ? JSON.stringify(JSON.parse(text), null, 2) : text;
    // Colours of terminals are escape sequences, which a page cannot show.
    const plain = shown.split("\u001b").map((part, at) => (at === 0 ? part : part.replace(/^\[[\d;]*m/, "")));
    return { summary, body: plain.join("").slice(0, MOST_SHOWN) };
  } catch {
    return { summary: texts.failed ?? "", body: "" };
  }
}

// @ts-check
/**
 * The documentation of the API: filters the operations, opens the one that the URL names, shows every sample in the
 * chosen language, copies it, and tries it against this instance. Without this script the samples are curl commands.
 */
import { create, fill, readTexts } from "./progress.js";

/** @typedef {import("./progress.js").Texts} Texts */
/**
 * @typedef {object} Call
 * @property {string} url
 * @property {string} curl
 * @property {string | undefined} body A JSON text.
 * @property {Readonly<Record<string, string>>} headers
 */

const TIMEOUT_MS = 30_000;
const MOST_SHOWN = 120_000;
/** A response of more lines scrolls in its box. */
const MOST_LINES = 60;
/** The address in the samples of a page without script. The visitor's own takes its place. */
const SAMPLE = "46.4.84.25";
/** A character that a terminal shows in two columns. */
const WIDE = /([\p{Script=Han}\u3000-\u303f\uff01-\uff60])/u;
/** Loopback, private and link-local addresses, whose reports have no score. */
const IS_PRIVATE =
  /^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(?:::1$|f[cde])/;

/** @type {Readonly<Record<string, (call: Call) => string>>} */
const SAMPLES = {
  curl: ({ curl }) => curl,
  Python: ({ url, body, headers }) => {
    const isGate = url.includes("/gate/");
    const address = isGate ? withStatus200(url) : url;
    const lines = [...(isGate ? [`# ${texts?.pythonStatus}`] : []), `url = "${address}"`];
    if (isPicture(url))
      return writeLines(
        "from urllib.request import urlretrieve",
        lines,
        `print(urlretrieve(url, "${fileOf(url)}")[0])`,
      );
    const options = [
      ...(body === undefined ? [] : [`    data=b'${body}',`]),
      ...(hasNames(headers) ? [`    headers=${spaced(headers)},`] : []),
    ];
    if (options.length === 0)
      return writeLines("from urllib.request import urlopen", lines, "print(urlopen(url).read().decode())");
    const call = ["call = Request(", "    url,", ...options, ")", "print(urlopen(call).read().decode())"];
    return writeLines("from urllib.request import Request, urlopen", lines, call);
  },
  JavaScript: ({ url, body, headers }) => {
    const line = `const url = "${url}";`;
    if (isPicture(url))
      return writeLines(
        'import { writeFile } from "node:fs/promises";',
        line,
        "const answer = await fetch(url);",
        `await writeFile("${fileOf(url)}", Buffer.from(await answer.arrayBuffer()));`,
      );
    const options = [
      ...(body === undefined ? [] : ['  method: "POST",']),
      ...(hasNames(headers) ? [`  headers: ${spaced(headers)},`] : []),
      ...(body === undefined ? [] : [`  body: '${body}',`]),
    ];
    return writeLines(
      line,
      options.length === 0
        ? "const answer = await fetch(url);"
        : ["const answer = await fetch(url, {", ...options, "});"],
      "console.log(answer.status);",
      "console.log(await answer.text());",
    );
  },
};

/**
 * Lets the URL in a sample break before each slash of its path.
 * @param {string} text
 */
function breakUrls(text) {
  return text.split(/(?<=\w)(?=\/)/).flatMap((part, at) => (at > 0 ? [create("wbr"), part] : [part]));
}

/** @param {readonly (string | readonly string[])[]} lines */
function writeLines(...lines) {
  return lines.flat().join("\n");
}

/** @param {object} headers */
function hasNames(headers) {
  return Object.keys(headers).length > 0;
}

/**
 * Whether the answer is a file, and no text that a terminal shows.
 * @param {string} url
 */
function isPicture(url) {
  return url.endsWith(".png");
}

/** @param {string} url */
function fileOf(url) {
  return url.slice(url.lastIndexOf("/") + 1);
}

/**
 * Adds what answers FAIL and UNKNOWN with status 200 to a URL of the gate: Python raises an error on other statuses.
 * @param {string} url
 */
function withStatus200(url) {
  return `${url}${url.includes("?") ? "&" : "?"}status=200`;
}

const contents = document.querySelector("nav[data-words]");
const texts = readTexts(contents);
if (contents instanceof HTMLElement && texts !== undefined) {
  const tools = create("div", "finder");
  contents.prepend(tools);
  const clearFilter = addFilter(tools, texts);
  openTarget();
  addEventListener("hashchange", () => {
    clearFilter();
    openTarget();
  });
  // The URL names the operation that was opened last, so that it can be sent to others.
  document.addEventListener("toggle", onToggle, true);
  void addSamples(tools, texts);
}

/** @param {Event} event */
function onToggle({ target }) {
  if (!(target instanceof HTMLDetailsElement) || !target.open || texts === undefined) return;
  const id = target.matches(".operation") ? target.querySelector(".inside")?.id : undefined;
  if (id) history.replaceState(null, "", `#${id}`);
  const example = target.querySelector(":scope > pre");
  if (example !== null && example.className !== "json")
    alignColumns(example.querySelector("code") ?? example);
  if (example === null || !isSecureContext || target.querySelector(":scope > .tools") !== null) return;
  const tools = create("p", "tools");
  const status = createStatus();
  tools.append(
    status,
    createCopy(texts, status, () => example.textContent ?? ""),
  );
  example.before(tools);
}

/** Opens what the fragment of the URL names. Not every browser opens a folded part for it. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  for (let part = target?.closest("details"); part; part = part.parentElement?.closest("details"))
    part.open = true;
  (target?.matches(".inside") ? target.closest("details") : target)?.scrollIntoView();
}

/**
 * Adds the filter of the operations, schemas and names. Returns the function that ends it.
 * @param {HTMLElement} tools
 * @param {Texts} texts
 */
function addFilter(tools, texts) {
  const all = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.operation")]);
  const items = all.map((item) => {
    const parts = item.querySelectorAll(":scope > summary, tbody th, dt[id]");
    const names = [...parts].map(({ textContent }) => textContent?.toLowerCase()).join("\n");
    return { item, names, all: item.textContent?.toLowerCase() ?? "" };
  });
  const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".docs > nav ~ section")]);
  const label = create("label", undefined, texts.filter);
  const field = create("input");
  field.type = "search";
  field.placeholder = texts.filterHint ?? "";
  field.autocomplete = "off";
  field.spellcheck = false;
  const status = createStatus();
  label.append(field);
  tools.append(label, status);
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".toc a")]);
  const groups = /** @type {HTMLDetailsElement[]} */ ([
    ...document.querySelectorAll("details.fold:not(.operation)"),
  ]);
  /** What the filter opened, not the reader. @type {Set<HTMLDetailsElement>} */
  const opened = new Set();
  /** @param {HTMLDetailsElement} part */
  const open = (part) => {
    if (part.open) return;
    part.open = true;
    opened.add(part);
  };
  /** Closes what the filter opened, except a group in which the reader opened a part. */
  const closeOpened = () => {
    for (const part of opened) {
      const inside = /** @type {HTMLDetailsElement[]} */ ([...part.querySelectorAll("details.operation")]);
      part.open = inside.some((item) => item.open && !opened.has(item));
    }
    opened.clear();
  };

  /** @param {{ item: Element }} part */
  const isOperation = ({ item }) => item.querySelector(".verb") !== null;
  /** @param {{ item: Element }} part */
  const isSchema = ({ item }) => item.querySelector("[id^=schema-]") !== null;

  const apply = () => {
    const wanted = field.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    /** @param {string} text */
    const isMatch = (text) => wanted.every((word) => text.includes(word));
    // What is no name may be a status, or in a description or an example.
    const within = items.some(({ names }) => isMatch(names)) ? "names" : "all";
    for (const part of items) part.item.hidden = !isMatch(part[within]);
    const shown = items.filter(({ item }) => !item.hidden);
    const isFiltered = wanted.length > 0;
    for (const section of sections)
      section.hidden = isFiltered && section.querySelector("details.operation:not([hidden])") === null;
    for (const link of links) {
      const section = document.getElementById(link.hash.slice(1))?.closest("section");
      link.classList.toggle("off", section?.hidden === true);
    }
    closeOpened();
    for (const group of groups) {
      const { length } = group.querySelectorAll("details.operation:not([hidden])");
      group.querySelector("summary .quiet")?.replaceChildren(String(length));
      if (isFiltered && length > 0) open(group);
    }
    if (shown.length === 1) for (const { item } of shown) open(item);
    const values = {
      operations: shown.filter(isOperation).length,
      allOperations: items.filter(isOperation).length,
      schemas: shown.filter(isSchema).length,
      allSchemas: items.filter(isSchema).length,
    };
    const text = shown.length === 0 ? texts.none : fill(texts.found, values);
    status.textContent = isFiltered ? (text ?? "") : "";
  };
  const clear = () => {
    if (field.value === "") return;
    field.value = "";
    apply();
  };
  field.addEventListener("input", apply);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
    if (event.key !== "Enter") return;
    const first = all.find(({ hidden }) => !hidden);
    if (field.value === "" || first === undefined) return;
    // Without this, the same key closes the part again.
    event.preventDefault();
    opened.delete(first);
    first.open = true;
    first.querySelector("summary")?.focus();
    first.scrollIntoView();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  return clear;
}

/**
 * @param {HTMLElement} tools
 * @param {Texts} texts
 */
async function addSamples(tools, texts) {
  const calls = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".call")]);
  const label = create("label", undefined, texts.language);
  const select = create("select");
  select.append(...Object.keys(SAMPLES).map((name) => new Option(name)));
  label.append(select);
  tools.append(label);
  const curl = new Map(calls.map((call) => [call, call.textContent ?? ""]));
  /** @param {string} text */
  let adapt = (text) => text;
  /** @param {HTMLElement} call */
  const read = (call) => {
    const { url, body, headers } = call.dataset;
    return {
      url: adapt(url ?? ""),
      curl: adapt(curl.get(call) ?? ""),
      body: body === undefined ? undefined : adapt(body),
      headers: JSON.parse(headers ?? "{}"),
    };
  };
  for (const call of calls) addTools(call, () => read(call), texts);
  const write = () => {
    for (const call of calls) {
      call.querySelector("code")?.replaceChildren(...breakUrls(SAMPLES[select.value]?.(read(call)) ?? ""));
    }
  };
  select.addEventListener("change", write);
  try {
    const { ip } = await (await fetch("/api/myip")).json();
    if (IS_PRIVATE.test(ip)) {
      adapt = (text) => text.replace(/\/me(?=[.?'/]|$)/, `/${SAMPLE}`);
      const note = create("p", "quiet", fill(texts.private, { ip, sample: SAMPLE }));
      document.getElementById("me")?.replaceWith(note);
    } else {
      adapt = (text) => text.replace(SAMPLE, ip);
    }
    write();
  } catch {
    // The samples keep their address.
  }
}

/**
 * @param {HTMLElement} call
 * @param {() => Call} read
 * @param {Texts} texts
 */
function addTools(call, read, texts) {
  const tools = create("p", "tools");
  const status = createStatus();
  const result = create("div", "result");
  result.hidden = true;
  // Browsers give pages over plain HTTP no clipboard.
  if (isSecureContext)
    tools.append(createCopy(texts, status, () => call.querySelector("code")?.textContent ?? ""));
  if (call.dataset.tried !== undefined)
    tools.append(
      createButton(texts.tryIt, async () => {
        status.textContent = texts.asking ?? "";
        const { summary, body } = await ask(read().url, texts);
        status.textContent = summary;
        result.replaceChildren(...body);
        result.hidden = body.length === 0;
      }),
    );
  call.append(tools, status, result);
}

function createStatus() {
  const status = create("span", "quiet");
  status.setAttribute("role", "status");
  return status;
}

/**
 * @param {Texts} texts
 * @param {HTMLElement} status
 * @param {() => string} read
 */
function createCopy(texts, status, read) {
  return createButton(texts.copy, async () => {
    await navigator.clipboard.writeText(read());
    status.textContent = texts.copied ?? "";
  });
}

/**
 * @param {string | undefined} label
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
 * Asks this instance, whatever origin the sample names. Returns the status, the type and the time as a sentence, and
 * what shows the body: a picture, a link to a page, or text.
 * @param {string} url
 * @param {Texts} texts
 */
async function ask(url, texts) {
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  const startedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(path, { headers: { accept: "*/*" }, signal });
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    const text = type === "image/png" ? "" : await answer.text();
    const ms = Math.round(performance.now() - startedAt);
    const verdict = path.includes("/gate/") && !answer.ok ? /^(?:FAIL|UNKNOWN)/.exec(text)?.[0] : undefined;
    const status =
      verdict === undefined ? answer.status : fill(texts.verdict, { status: answer.status, verdict });
    const summary = fill(texts.answered, { status, type, ms });
    return { summary, body: showBody(path, type, text, texts) };
  } catch {
    return { summary: texts.failed ?? "", body: [] };
  }
}

/**
 * @param {string} path
 * @param {string} type
 * @param {string} text
 * @param {Texts} texts
 */
function showBody(path, type, text, texts) {
  if (type.startsWith("image/")) {
    const image = create("img");
    image.src = path;
    image.alt = path;
    return [image];
  }
  if (type === "text/html") {
    const link = create("a", undefined, texts.open);
    link.href = path;
    return [link];
  }
  const isJson = /[/+]json$/.test(type);
  const pretty = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
  // Colours of terminals are escape sequences, which a page cannot show.
  const parts = pretty.split("\u001b").map((part, at) => (at === 0 ? part : part.replace(/^\[[\d;]*m/, "")));
  const plain = parts.join("");
  const shown = create("pre", isJson ? "json" : undefined, plain.slice(0, MOST_SHOWN));
  shown.tabIndex = 0;
  shown.classList.toggle("long", plain.split("\n").length > MOST_LINES);
  if (!isJson) alignColumns(shown);
  if (plain.length <= MOST_SHOWN) return [shown];
  const values = { shown: MOST_SHOWN, all: plain.length };
  return [shown, create("p", "quiet", fill(texts.cut, values))];
}

/**
 * Gives each Chinese character in a text the width of two Latin ones, as in a terminal: fonts of browsers do not.
 * @param {Element} text
 */
function alignColumns(text) {
  const parts = (text.textContent ?? "").split(WIDE);
  if (parts.length > 1)
    text.replaceChildren(
      ...parts.map((part, at) => (at % 2 === 0 ? part : create("span", "wide-sign", part))),
    );
}

/** @param {object} value */
function spaced(value) {
  return JSON.stringify(value).replaceAll('":"', '": "').replaceAll('","', '", "');
}

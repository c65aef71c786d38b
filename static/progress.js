// @ts-check
/**
 * Live progress of a survey: receives the events of /api/progress and shows them.
 * Everything from the server becomes text in the page, not markup.
 */

/** @typedef {Readonly<Record<string, string>>} Texts */
/** @typedef {{ readonly error: string, readonly code?: string, readonly hint?: string, readonly reportUrl?: string }} Problem */
/**
 * @typedef {{ readonly kind: "report", readonly url: string }
 *   | { readonly kind: "refused", readonly status: number, readonly problem: Problem, readonly retryAfterSeconds?: number }
 *   | { readonly kind: "problem", readonly problem: Problem }
 *   | { readonly kind: "cancelled" }
 *   | { readonly kind: "lost" }
 *   | { readonly kind: "unreachable" }} Outcome
 */
/** @typedef {{ readonly label: string, readonly href?: string, readonly onClick?: () => void }} Action A link or a button. */

/** Most sources that are shown. */
const MOST_SOURCES = 500;
/** The connection counts as lost after this time without an event. The server sends events more often. */
const SILENCE_MS = 60_000;
/** An answer within this time is shown after the others. */
const QUICK_MS = 150;
const STATES = ["answered", "empty", "skipped", "failed"];

/**
 * Replaces the `{name}` placeholders of a text by values. A placeholder without a value stays.
 * @param {string | undefined} text
 * @param {Readonly<Record<string, string | number>>} [values]
 */
export function fill(text, values = {}) {
  return (text ?? "").replace(/\{([a-z]+)\}/gi, (placeholder, name) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}

/**
 * Reads the texts in the attribute `data-words` of an element; undefined without the attribute.
 * @param {Element | null} element
 * @returns {Texts | undefined}
 */
export function readTexts(element) {
  const text = element?.getAttribute("data-words");
  return text === null || text === undefined ? undefined : JSON.parse(text);
}

/** Returns the language of the page as the value of the parameter `lang`. */
export function languageOfPage() {
  return document.documentElement.lang.startsWith("en") ? "en" : "zh";
}

/**
 * Returns the path and the query of a URL, without its origin: the result is always a path of this site.
 * @param {string} url
 */
export function pathOfUrl(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname.replace(/^\/+/, "/") + search;
}

/**
 * Reads the error body of a response. If it cannot be read, the problem has the sentence `fallback`.
 * @param {Response} response
 * @param {string} fallback
 * @returns {Promise<Problem>}
 */
export async function readProblem(response, fallback) {
  try {
    return toProblem(await response.json(), fallback);
  } catch {
    return { error: fallback };
  }
}

/**
 * @param {unknown} value
 * @param {string} fallback
 * @returns {Problem}
 */
function toProblem(value, fallback) {
  if (typeof value !== "object" || value === null) return { error: fallback };
  /** @param {string} key */
  const read = (key) => {
    const text = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    return typeof text === "string" ? text : undefined;
  };
  const code = read("code");
  const hint = read("hint");
  const reportUrl = read("reportUrl");
  return {
    error: read("error") ?? fallback,
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
    ...(reportUrl === undefined ? {} : { reportUrl }),
  };
}

/**
 * Creates an element with a class and a text.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function create(name, className, text) {
  const element = document.createElement(name);
  if (className !== undefined) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/**
 * Shows the progress of a survey and its end in a container. Returns the functions that change what it shows.
 * @param {HTMLElement} container
 * @param {Texts} texts
 */
export function createProgressView(container, texts) {
  const heading = create("h2", "progress-title");
  heading.tabIndex = -1;
  heading.id = "progress-title";
  const bar = create("progress", "progress-bar");
  bar.setAttribute("aria-labelledby", heading.id);
  const count = create("p", "progress-count");
  const live = create("p", "unseen");
  live.setAttribute("role", "status");
  const actionLine = create("p", "progress-ways");
  const list = create("ul", "progress-sources");
  list.setAttribute("aria-label", texts.sources ?? "");
  const message = create("div", "progress-message");
  /** @type {Map<string, HTMLLIElement>} */
  const items = new Map();
  let failed = 0;
  let skipped = 0;
  let quarter = 0;
  let startedAt = 0;

  /** @param {readonly Action[]} actions */
  function showActions(actions) {
    actionLine.replaceChildren(
      ...actions.map(({ label, href, onClick }) => {
        if (href !== undefined) {
          const link = create("a", "button", label);
          link.href = href;
          return link;
        }
        const button = create("button", undefined, label);
        button.type = "button";
        if (onClick !== undefined) button.addEventListener("click", onClick);
        return button;
      }),
    );
    actionLine.hidden = actions.length === 0;
  }

  /** @param {string} title */
  function show(title) {
    heading.textContent = title;
    container.hidden = false;
  }

  /**
   * @param {string} id
   * @param {string} name
   * @param {string} state
   * @param {string} text
   */
  function showSource(id, name, state, text) {
    let item = items.get(id);
    if (item === undefined) {
      if (items.size >= MOST_SOURCES) return undefined;
      item = create("li");
      items.set(id, item);
      list.append(item);
    }
    item.dataset.state = state;
    const label = create("bdi", undefined, name);
    item.replaceChildren(label, create("span", "progress-state", text));
    return item;
  }

  container.replaceChildren(heading, count, bar, message, actionLine, list, live);

  return {
    /**
     * Starts again with a bar without a value, for work of unknown duration.
     * @param {string} title
     * @param {string} text
     * @param {readonly Action[]} actions
     */
    wait(title, text, actions) {
      failed = 0;
      skipped = 0;
      quarter = 0;
      items.clear();
      list.replaceChildren();
      message.replaceChildren();
      bar.hidden = false;
      bar.removeAttribute("value");
      count.textContent = text;
      showActions(actions);
      show(title);
    },

    /** @param {readonly { readonly id: string, readonly name: string }[]} sources */
    start(sources) {
      const total = sources.length;
      startedAt = performance.now();
      bar.max = Math.max(1, total);
      bar.value = 0;
      for (const { id, name } of sources) showSource(id, name, "waiting", texts.waiting ?? "");
      count.textContent = fill(texts.count, { done: 0, total });
      live.textContent = texts.announceStart ?? "";
    },

    /** @param {{ id: string, name: string, state: string, ms: number, done: number, total: number }} source */
    update(source) {
      const { id, name, state, ms, done, total } = source;
      const item = showSource(
        id,
        name,
        state,
        fill(texts.moment, { state: texts[state] ?? state, ms: Math.round(ms) }),
      );
      if (state === "failed") failed += 1;
      // Skipped sources have no entry: they can be half of all sources and would hide the others.
      if (state === "skipped") {
        skipped += 1;
        item?.remove();
      }
      // Local tables answer at once. The style sheet puts them last, so that slow sources come first.
      if (item !== undefined && performance.now() - startedAt < QUICK_MS) item.dataset.quick = "";
      // The bar counts queried sources only. With skipped ones it would begin half full.
      const queried = Math.max(1, total - skipped);
      const ended = done - skipped;
      bar.max = queried;
      bar.value = ended;
      count.textContent = [
        fill(texts.count, { done: ended, total: queried }),
        ...(failed === 0 ? [] : [fill(texts.countFailed, { failed })]),
        ...(skipped === 0 ? [] : [fill(texts.countSkipped, { skipped })]),
      ].join(texts.countJoin ?? " ");
      // A screen reader announces each quarter only, because an announcement for each source would be too much.
      const reached = Math.floor((ended / queried) * 4);
      if (reached > quarter) {
        live.textContent = reached < 4 ? count.textContent : fill(texts.announceEnd, { total: queried });
      }
      quarter = Math.max(quarter, reached);
    },

    /**
     * @param {string} title
     * @param {readonly (string | undefined)[]} sentences
     * @param {readonly Action[]} actions
     */
    showMessage(title, sentences, actions) {
      bar.hidden = true;
      count.textContent = "";
      live.textContent = "";
      list.replaceChildren();
      items.clear();
      message.replaceChildren(
        ...sentences
          .filter((sentence) => sentence !== undefined)
          .map((sentence) => create("p", undefined, sentence)),
      );
      showActions(actions);
      show(title);
      heading.focus();
    },

    focus() {
      heading.focus();
    },

    clear() {
      container.hidden = true;
      live.textContent = "";
    },
  };
}

/** @typedef {ReturnType<typeof createProgressView>} ProgressView */

/**
 * Starts a survey and shows its progress until it ends. Cancelling stops only the progress; the survey continues.
 * @param {ProgressView} view
 * @param {{ readonly ip: string, readonly language: string, readonly refresh: boolean, readonly texts: Texts }} subject
 * @returns {Promise<Outcome>}
 */
export async function watchSurvey(view, { ip, language, refresh, texts }) {
  const cancelling = new AbortController();
  const cancel = { label: texts.cancel ?? "", onClick: () => cancelling.abort() };
  view.wait(fill(texts.heading, { ip }), texts.queued ?? "", [cancel]);
  view.focus();

  const query = new URLSearchParams({ ip, lang: language });
  if (refresh) query.set("refresh", "1");
  const url = `/api/progress?${query}`;
  const outcome = await receiveEvents(url, cancelling.signal, (name, data) =>
    showEvent(view, texts, name, data),
  );
  return outcome ?? readRefusal(url, cancelling.signal, texts);
}

/**
 * Receives events until one of them is the outcome. Resolves with undefined if the server refuses: an EventSource does
 * not give the reason.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(name: string, data: string) => Outcome | undefined} onEvent
 * @returns {Promise<Outcome | undefined>}
 */
function receiveEvents(url, signal, onEvent) {
  return new Promise((resolve) => {
    const source = new EventSource(url);
    let hasEvent = false;
    let silence = setTimeout(() => end({ kind: "lost" }), SILENCE_MS);

    /** @param {Outcome | undefined} outcome */
    function end(outcome) {
      clearTimeout(silence);
      // Without this, the browser connects again.
      source.close();
      resolve(outcome);
    }

    for (const name of ["queued", "started", "source", "report", "problem"]) {
      source.addEventListener(name, (event) => {
        hasEvent = true;
        clearTimeout(silence);
        silence = setTimeout(() => end({ kind: "lost" }), SILENCE_MS);
        const outcome = onEvent(name, event.data);
        if (outcome !== undefined) end(outcome);
      });
    }
    source.addEventListener("error", () => end(hasEvent ? { kind: "lost" } : undefined));
    signal.addEventListener("abort", () => end({ kind: "cancelled" }));
  });
}

/**
 * Repeats the request to read why the server refused it. A refusal costs no lookup, except for an invalid address.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {Texts} texts
 * @returns {Promise<Outcome>}
 */
async function readRefusal(url, signal, texts) {
  try {
    const response = await fetch(url, { cache: "no-store", signal });
    if (response.ok) {
      await response.body?.cancel();
      return { kind: "lost" };
    }
    const problem = await readProblem(response, texts.problemTitle ?? "");
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    return {
      kind: "refused",
      status: response.status,
      problem,
      ...(Number.isInteger(seconds) && seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    };
  } catch {
    return { kind: signal.aborted ? "cancelled" : "unreachable" };
  }
}

/**
 * Shows one event and returns the outcome if it is the last event. Ignores data of an unknown format.
 * @param {ProgressView} view
 * @param {Texts} texts
 * @param {string} name
 * @param {string} data
 * @returns {Outcome | undefined}
 */
function showEvent(view, texts, name, data) {
  /** @type {any} */
  let value;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (name === "started" && Array.isArray(value.sources)) {
    view.start(
      value.sources
        .slice(0, MOST_SOURCES)
        .filter(
          (/** @type {any} */ source) => typeof source?.id === "string" && typeof source?.name === "string",
        ),
    );
  } else if (name === "source" && typeof value.id === "string" && typeof value.name === "string") {
    const { id, state, ms, done, total } = value;
    if (STATES.includes(state) && [ms, done, total].every(Number.isFinite)) {
      view.update({ id, name: value.name, state, ms, done, total });
    }
  } else if (name === "report" && typeof value.url === "string") {
    return { kind: "report", url: value.url };
  } else if (name === "problem") {
    return { kind: "problem", problem: toProblem(value, texts.problemTitle ?? "") };
  }
  return undefined;
}

/**
 * Shows how a survey ended, if it did not end with a report.
 * @param {ProgressView} view
 * @param {Texts} texts
 * @param {Exclude<Outcome, { kind: "report" }>} outcome
 * @param {{ readonly reportPath?: string, readonly onRetry: () => void }} options
 */
export function showEnd(view, texts, outcome, { reportPath, onRetry }) {
  const open = reportPath === undefined ? [] : [{ label: texts.openReport ?? "", href: reportPath }];
  const retry = { label: texts.tryAgain ?? "", onClick: onRetry };
  if (outcome.kind === "cancelled") {
    view.showMessage(texts.cancelledTitle ?? "", [texts.cancelled], open);
  } else if (outcome.kind === "lost") {
    view.showMessage(texts.problemTitle ?? "", [texts.lost], [...open, retry]);
  } else if (outcome.kind === "unreachable") {
    view.showMessage(texts.problemTitle ?? "", [texts.unreachable], [retry]);
  } else {
    view.showMessage(texts.problemTitle ?? "", [outcome.problem.error, outcome.problem.hint], [retry]);
  }
}

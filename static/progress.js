// @ts-check
/**
 * Live progress of a survey: receives the events of /api/progress and draws them.
 * Everything from the server becomes text in the page, never markup.
 */

/** @typedef {Readonly<Record<string, string>>} Words */
/** @typedef {{ readonly error: string, readonly code?: string, readonly hint?: string, readonly reportUrl?: string }} Problem */
/**
 * @typedef {{ readonly kind: "report", readonly url: string }
 *   | { readonly kind: "refused", readonly status: number, readonly problem: Problem, readonly retryAfterSeconds?: number }
 *   | { readonly kind: "problem", readonly problem: Problem }
 *   | { readonly kind: "cancelled" }
 *   | { readonly kind: "lost" }
 *   | { readonly kind: "unreachable" }} Outcome
 */
/** @typedef {{ readonly label: string, readonly href?: string, readonly act?: () => void }} Way */

const MOST_SOURCES = 500;
/** A survey sends an event more often than this, even while it waits in the queue. */
const SILENCE_MS = 60_000;
const QUICK_MS = 150;
const STATES = ["answered", "empty", "skipped", "failed"];

/**
 * Puts values into the `{name}` places of a text.
 * @param {string | undefined} text
 * @param {Readonly<Record<string, string | number>>} [values]
 */
export function fill(text, values = {}) {
  return (text ?? "").replace(/\{([a-z]+)\}/gi, (place, name) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
}

/**
 * Words an element carries in its `data-words`, or undefined when it carries none.
 * @param {Element | null} element
 * @returns {Words | undefined}
 */
export function readWords(element) {
  const text = element?.getAttribute("data-words");
  return text === null || text === undefined ? undefined : JSON.parse(text);
}

/** The language of the page, as the service names it. */
export function languageOfPage() {
  return document.documentElement.lang.startsWith("en") ? "en" : "zh";
}

/**
 * Path of an address of this service on the origin of this page: the way never leads to another site.
 * @param {string} url
 */
export function pathOfUrl(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname.replace(/^\/+/, "/") + search;
}

/**
 * The error body of a response; one that cannot be read becomes the given sentence.
 * @param {Response} response
 * @param {string} otherwise
 * @returns {Promise<Problem>}
 */
export async function readProblem(response, otherwise) {
  try {
    return toProblem(await response.json(), otherwise);
  } catch {
    return { error: otherwise };
  }
}

/**
 * @param {unknown} value
 * @param {string} otherwise
 * @returns {Problem}
 */
function toProblem(value, otherwise) {
  if (typeof value !== "object" || value === null) return { error: otherwise };
  /** @param {string} key */
  const read = (key) => {
    const text = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    return typeof text === "string" ? text : undefined;
  };
  const code = read("code");
  const hint = read("hint");
  const reportUrl = read("reportUrl");
  return {
    error: read("error") ?? otherwise,
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
    ...(reportUrl === undefined ? {} : { reportUrl }),
  };
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Name]}
 */
function create(name, className, text) {
  const element = document.createElement(name);
  if (className !== undefined) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/**
 * Draws progress and its end into a container; every method replaces what was there where it must.
 * @param {HTMLElement} container
 * @param {Words} words
 */
export function drawProgressInto(container, words) {
  const heading = create("h2", "progress-title");
  heading.tabIndex = -1;
  heading.id = "progress-title";
  const bar = create("progress", "progress-bar");
  bar.setAttribute("aria-labelledby", heading.id);
  const count = create("p", "progress-count");
  const live = create("p", "unseen");
  live.setAttribute("role", "status");
  const ways = create("p", "progress-ways");
  const list = create("ul", "progress-sources");
  list.setAttribute("aria-label", words.sources ?? "");
  const message = create("div", "progress-message");
  /** @type {Map<string, HTMLLIElement>} */
  const items = new Map();
  let failed = 0;
  let skipped = 0;
  let quarter = 0;
  let startedAt = 0;

  /** @param {readonly Way[]} given */
  function offer(given) {
    ways.replaceChildren(
      ...given.map(({ label, href, act }) => {
        if (href !== undefined) {
          const link = create("a", "button", label);
          link.href = href;
          return link;
        }
        const button = create("button", undefined, label);
        button.type = "button";
        if (act !== undefined) button.addEventListener("click", act);
        return button;
      }),
    );
    ways.hidden = given.length === 0;
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
   * @param {string} told
   */
  function mark(id, name, state, told) {
    let item = items.get(id);
    if (item === undefined) {
      if (items.size >= MOST_SOURCES) return undefined;
      item = create("li");
      items.set(id, item);
      list.append(item);
    }
    item.dataset.state = state;
    const label = create("bdi", undefined, name);
    item.replaceChildren(label, create("span", "progress-state", told));
    return item;
  }

  container.replaceChildren(heading, count, bar, message, ways, list, live);

  return {
    /**
     * The bar without a measure: something is being done, nobody knows how long.
     * @param {string} title
     * @param {string} told
     * @param {readonly Way[]} given
     */
    wait(title, told, given) {
      failed = 0;
      skipped = 0;
      quarter = 0;
      items.clear();
      list.replaceChildren();
      message.replaceChildren();
      bar.hidden = false;
      bar.removeAttribute("value");
      count.textContent = told;
      offer(given);
      show(title);
    },

    /** @param {readonly { readonly id: string, readonly name: string }[]} sources */
    start(sources) {
      const total = sources.length;
      startedAt = performance.now();
      bar.max = Math.max(1, total);
      bar.value = 0;
      for (const { id, name } of sources) mark(id, name, "waiting", words.waiting ?? "");
      count.textContent = fill(words.count, { done: 0, total });
      live.textContent = words.announceStart ?? "";
    },

    /** @param {{ id: string, name: string, state: string, ms: number, done: number, total: number }} source */
    note(source) {
      const { id, name, state, ms, done, total } = source;
      const item = mark(
        id,
        name,
        state,
        fill(words.moment, { state: words[state] ?? state, ms: Math.round(ms) }),
      );
      if (state === "failed") failed += 1;
      // Who is not asked is counted alone: half of all lists may not be there, and would hide those that are.
      if (state === "skipped") {
        skipped += 1;
        item?.remove();
      }
      // Tables of our own answer before anybody sees them wait; those that are waited for stand first.
      if (item !== undefined && performance.now() - startedAt < QUICK_MS) item.dataset.quick = "";
      // Measured are those that are asked: the bar would else begin where half of it is done.
      const asked = Math.max(1, total - skipped);
      const ended = done - skipped;
      bar.max = asked;
      bar.value = ended;
      count.textContent = [
        fill(words.count, { done: ended, total: asked }),
        ...(failed === 0 ? [] : [fill(words.countFailed, { failed })]),
        ...(skipped === 0 ? [] : [fill(words.countSkipped, { skipped })]),
      ].join(words.countJoin ?? " ");
      // Sixty announcements would bury a listener: one at each quarter, the last one for the end.
      const reached = Math.floor((ended / asked) * 4);
      if (reached > quarter) {
        live.textContent = reached < 4 ? count.textContent : fill(words.announceEnd, { total: asked });
      }
      quarter = Math.max(quarter, reached);
    },

    /**
     * @param {string} title
     * @param {readonly (string | undefined)[]} sentences
     * @param {readonly Way[]} given
     */
    tell(title, sentences, given) {
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
      offer(given);
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

/** @typedef {ReturnType<typeof drawProgressInto>} ProgressView */

/**
 * Watches one survey to its end. Cancelling ends the watching only; the survey goes on.
 * @param {ProgressView} view
 * @param {{ readonly ip: string, readonly language: string, readonly refresh: boolean, readonly words: Words }} subject
 * @returns {Promise<Outcome>}
 */
export async function watchSurvey(view, { ip, language, refresh, words }) {
  const cancelling = new AbortController();
  const cancel = { label: words.cancel ?? "", act: () => cancelling.abort() };
  view.wait(fill(words.heading, { ip }), words.queued ?? "", [cancel]);
  view.focus();

  const query = new URLSearchParams({ ip, lang: language });
  if (refresh) query.set("refresh", "1");
  const url = `/api/progress?${query}`;
  const outcome = await receiveEvents(url, cancelling.signal, (name, data) =>
    drawEvent(view, words, name, data),
  );
  return outcome ?? readRefusal(url, cancelling.signal, words);
}

/**
 * Receives events until one of them is the outcome. Without any event the result is undefined: an EventSource does not
 * say why the server refused.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(name: string, data: string) => Outcome | undefined} onEvent
 * @returns {Promise<Outcome | undefined>}
 */
function receiveEvents(url, signal, onEvent) {
  return new Promise((resolve) => {
    const source = new EventSource(url);
    let hasBegun = false;
    let silence = setTimeout(() => end({ kind: "lost" }), SILENCE_MS);

    /** @param {Outcome | undefined} outcome */
    function end(outcome) {
      clearTimeout(silence);
      // Otherwise the browser connects again.
      source.close();
      resolve(outcome);
    }

    for (const name of ["queued", "started", "source", "report", "problem"]) {
      source.addEventListener(name, (event) => {
        hasBegun = true;
        clearTimeout(silence);
        silence = setTimeout(() => end({ kind: "lost" }), SILENCE_MS);
        const outcome = onEvent(name, event.data);
        if (outcome !== undefined) end(outcome);
      });
    }
    source.addEventListener("error", () => end(hasBegun ? { kind: "lost" } : undefined));
    signal.addEventListener("abort", () => end({ kind: "cancelled" }));
  });
}

/**
 * Asks once more to read why the server refused. A refusal costs no lookup, except for an address that is none.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {Words} words
 * @returns {Promise<Outcome>}
 */
async function readRefusal(url, signal, words) {
  try {
    const response = await fetch(url, { cache: "no-store", signal });
    if (response.ok) {
      await response.body?.cancel();
      return { kind: "lost" };
    }
    const problem = await readProblem(response, words.problemTitle ?? "");
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
 * Draws one event and returns the outcome if it is the last one. Ignores data of another form.
 * @param {ProgressView} view
 * @param {Words} words
 * @param {string} name
 * @param {string} data
 * @returns {Outcome | undefined}
 */
function drawEvent(view, words, name, data) {
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
      view.note({ id, name: value.name, state, ms, done, total });
    }
  } else if (name === "report" && typeof value.url === "string") {
    return { kind: "report", url: value.url };
  } else if (name === "problem") {
    return { kind: "problem", problem: toProblem(value, words.problemTitle ?? "") };
  }
  return undefined;
}

/**
 * Says how a watched survey ended when it did not end with a report.
 * @param {ProgressView} view
 * @param {Words} words
 * @param {Exclude<Outcome, { kind: "report" }>} outcome
 * @param {{ readonly reportPath?: string, readonly again: () => void }} ways
 */
export function tellEnd(view, words, outcome, { reportPath, again }) {
  const open = reportPath === undefined ? [] : [{ label: words.openReport ?? "", href: reportPath }];
  const retry = { label: words.tryAgain ?? "", act: again };
  if (outcome.kind === "cancelled") {
    view.tell(words.cancelledTitle ?? "", [words.cancelled], open);
  } else if (outcome.kind === "lost") {
    view.tell(words.problemTitle ?? "", [words.lost], [...open, retry]);
  } else if (outcome.kind === "unreachable") {
    view.tell(words.problemTitle ?? "", [words.unreachable], [retry]);
  } else {
    view.tell(words.problemTitle ?? "", [outcome.problem.error, outcome.problem.hint], [retry]);
  }
}

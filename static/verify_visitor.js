// @ts-check
/**
 * The human check: shows the widget and sends its solution to the service.
 */
import { readProblem } from "./progress.js";

/** @typedef {import("./progress.js").Texts} Texts */
/** @typedef {import("./progress.js").Problem} Problem */
/**
 * @typedef {object} CheckSubject
 * @property {string} ip
 * @property {string} action `lookup`, `refresh` or `feedback`.
 * @property {string} language
 * @property {Texts} texts Texts of the widget.
 * @property {{ readonly kind: "altcha" } | { readonly kind: "turnstile", readonly siteKey: string, readonly token: string }} provider
 */
/**
 * @typedef {object} CheckHandlers
 * @property {(payload: string) => void} onSolved
 * @property {(problem: Problem, status: number) => void} onRefused The service refused a challenge.
 * @property {() => void} [onWorking]
 * @property {() => void} [onFailed] The widget failed; it can be used again.
 */
/** @typedef {{ reset(): void, focus(): void }} CheckWidget */

const TURNSTILE_SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

/**
 * Shows the widget in a container.
 * @param {HTMLElement} container
 * @param {CheckSubject} subject
 * @param {CheckHandlers} handlers
 * @returns {Promise<CheckWidget>} Rejects when the widget cannot be loaded.
 */
export function showCheck(container, subject, handlers) {
  return subject.provider.kind === "altcha"
    ? showAltcha(container, subject, handlers)
    : showTurnstile(container, subject, subject.provider, handlers);
}

/**
 * Sends a solution to the service.
 * @param {{ readonly ip: string, readonly action: string, readonly language: string }} subject
 * @param {string} payload
 * @param {Texts} texts Texts of the progress.
 * @returns {Promise<Problem | undefined>} Why the service refused the solution; undefined if it accepted it.
 */
export async function sendSolution({ ip, action, language }, payload, texts) {
  try {
    const response = await fetch(`/api/verify?lang=${language}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      credentials: "same-origin",
      body: JSON.stringify({ ip, action, payload }),
    });
    return response.ok ? undefined : await readProblem(response, texts.problemTitle ?? "");
  } catch {
    return { error: texts.unreachable ?? "" };
  }
}

/**
 * @param {HTMLElement} container
 * @param {CheckSubject} subject
 * @param {CheckHandlers} handlers
 * @returns {Promise<CheckWidget>}
 */
async function showAltcha(container, { ip, action, language, texts }, handlers) {
  // A variable, so that the type check does not look for this file of another package.
  const script = "/static/altcha.js";
  await import(script);
  const registry = Reflect.get(globalThis, "$altcha");
  for (const digest of ["256", "384", "512"]) {
    registry.algorithms.set(`PBKDF2/SHA-${digest}`, () => new Worker("/static/altcha_worker.js"));
  }
  registry.i18n.set(language, texts);

  /** @type {any} */
  const widget = document.createElement("altcha-widget");
  widget.setAttribute("type", "native");
  widget.setAttribute("language", language);
  widget.setAttribute("challenge", `/api/challenge?${new URLSearchParams({ ip, action, lang: language })}`);
  widget.setAttribute(
    "configuration",
    JSON.stringify({
      hideFooter: true,
      hideLogo: true,
      humanInteractionSignature: false,
      disableAutoFocus: true,
    }),
  );
  const isReady = new Promise((resolve) => widget.addEventListener("load", resolve, { once: true }));
  widget.addEventListener("verified", (/** @type {CustomEvent} */ event) =>
    handlers.onSolved(event.detail.payload),
  );
  widget.addEventListener("statechange", (/** @type {CustomEvent} */ event) => {
    if (event.detail.state === "verifying") handlers.onWorking?.();
    if (event.detail.state === "error" || event.detail.state === "expired") handlers.onFailed?.();
  });
  container.replaceChildren(widget);
  await isReady;
  widget.configure({
    /** @type {typeof fetch} */
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, cache: "no-store" });
      if (!response.ok)
        handlers.onRefused(await readProblem(response.clone(), texts.error ?? ""), response.status);
      return response;
    },
  });
  return {
    reset: () => widget.reset(),
    focus: () => widget.querySelector("input")?.focus(),
  };
}

/**
 * @param {HTMLElement} container
 * @param {CheckSubject} subject
 * @param {{ readonly siteKey: string, readonly token: string }} provider
 * @param {CheckHandlers} handlers
 * @returns {Promise<CheckWidget>}
 */
async function showTurnstile(container, { action, language }, { siteKey, token }, handlers) {
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = TURNSTILE_SCRIPT;
    script.addEventListener("load", resolve, { once: true });
    script.addEventListener("error", reject, { once: true });
    document.head.append(script);
  });
  const turnstile = Reflect.get(globalThis, "turnstile");
  container.replaceChildren();
  const id = turnstile.render(container, {
    sitekey: siteKey,
    action,
    cData: token,
    language: language === "en" ? "en" : "zh-cn",
    callback: (/** @type {string} */ payload) => handlers.onSolved(payload),
    "error-callback": () => {
      handlers.onFailed?.();
      return true;
    },
    "expired-callback": () => handlers.onFailed?.(),
  });
  return {
    reset: () => turnstile.reset(id),
    focus: () => container.focus(),
  };
}

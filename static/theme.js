// @ts-check
/**
 * The switch between the dark and the light theme. It runs before the page is drawn, so that a stored choice shows without
 * a flash. Without this script the page follows the system and has no switch. It also closes the open menu of the header
 * by the Escape key and by a click beside it.
 */
(() => {
  const root = document.documentElement;
  const KEY = "theme";

  /** @returns {string | null} */
  function readChoice() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  /** @param {string} theme */
  function storeChoice(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The browser keeps nothing: the choice lasts as long as the page.
    }
  }

  const chosen = readChoice();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  /** @param {Event} event */
  function closeMenu(event) {
    const menu = document.querySelector(".more[open]");
    if (!(menu instanceof HTMLDetailsElement)) return;
    const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
    if (isEscape) menu.querySelector("summary")?.focus();
    if (isEscape || (event.type === "click" && !event.composedPath().includes(menu))) menu.open = false;
  }
  document.addEventListener("keydown", closeMenu);
  document.addEventListener("click", closeMenu);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!(button instanceof HTMLButtonElement)) return;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    show();
    system.addEventListener("change", show);
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      storeChoice(root.dataset.theme);
      show();
    });
  });
})();

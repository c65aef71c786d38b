/**
 * How it looks: a report as a 72-column text and as a web page, and the method of scoring as a page.
 * Pure; every string that came from outside is neutralised or escaped here, at the exit.
 */
export { Html, html } from "./html.ts";
export { methodPathOf, renderMethod } from "./render_method.ts";
export { renderPage } from "./render_page.ts";
export { renderText } from "./render_text.ts";

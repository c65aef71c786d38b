import { Html, html } from "./html.ts";

const BREAK = new Html("<wbr>");

/** An address that may break after a colon and keeps its direction. */
export function drawAddress(ip: string): Html {
  if (!ip.includes(":")) return html`<bdi>${ip}</bdi>`;
  const groups = ip.split(":");
  return html`<bdi>${groups.map((group, index) => (index === 0 ? group : [":", BREAK, group]))}</bdi>`;
}

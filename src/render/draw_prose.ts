import { type Html, html } from "./html.ts";

/** English text of a description: paragraphs parted by blank lines, and what stands between backticks as code (CommonMark). */
export function drawProse(text: string): Html | false {
  if (text === "") return false;
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p lang="en">${drawCode(paragraph)}</p>\n`)}`;
}

/** Every second piece stands between backticks; the last one does not where a backtick is left open. */
function drawCode(text: string): readonly (Html | string)[] {
  const pieces = text.split("`");
  return pieces.map((piece, index) =>
    index % 2 === 1 && index < pieces.length - 1 ? html`<code>${piece}</code>` : piece,
  );
}

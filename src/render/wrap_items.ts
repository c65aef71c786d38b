import { displayWidth } from "./display_width.ts";
import { wrapText } from "./wrap_text.ts";

/**
 * Breaks a list into lines of at most `width` cells, between items where that can be: `lead` comes first, `mark`
 * follows every item but the last, and a blank ends the mark where it has one. Items are neutral text,
 * blanks around them are dropped.
 */
export function wrapItems(lead: string, items: readonly string[], mark: string, width: number): string[] {
  const sign = mark.trimEnd();
  const signCells = displayWidth(sign);
  const gap = mark.length - sign.length;
  const lines = lead === "" ? [] : wrapText(lead, width);
  let line = lines.pop() ?? "";
  let used = displayWidth(line);
  // A full-width mark brings its own blank.
  const afterLead = lead !== "" && line.charCodeAt(line.length - 1) < 0x7f ? 1 : 0;
  for (let index = 0; index < items.length; index++) {
    const item = (items[index] ?? "").trim();
    const isLast = index === items.length - 1;
    const cells = displayWidth(item) + (isLast ? 0 : signCells);
    const blank = used === 0 ? 0 : index === 0 ? afterLead : gap;
    if (used + blank + cells <= width) {
      if (blank > 0) line += " ";
      line += item;
      if (!isLast) line += sign;
      used += blank + cells;
      continue;
    }
    if (used > 0) lines.push(line);
    line = isLast ? item : item + sign;
    used = cells;
    if (cells > width) {
      lines.push(...wrapText(line, width));
      line = lines.pop() ?? "";
      used = displayWidth(line);
    }
  }
  lines.push(line);
  return lines;
}

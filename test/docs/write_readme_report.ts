import { renderText } from "#render";
import { exampleReport } from "./example_report.ts";

/** The block of a document that holds the example of a whole report: `<!-- report -->`, then a fenced block. */
const BLOCK = /(<!-- report -->\n\n?```\n)[^`]*(```\n)/;

/** Fills the example of a whole report. Throws if the document has no place for it. */
export function writeReadmeReport(text: string, language: "zh" | "en"): string {
  if (!BLOCK.test(text)) throw new Error("Cannot fill the report: the document has no block for it");
  const report = exampleReport(language);
  const titled = text.replace(/(purity |纯净度 )\d+(?= of 100|，六)/, `$1${report.risk.purity}`);
  return titled.replace(BLOCK, (_, start: string, end: string) => {
    return `${start}${renderText(report)}${end}`;
  });
}

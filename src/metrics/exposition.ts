/**
 * Media type of the text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
 */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The two lines before a metric's samples. */
export function drawHead(name: string, help: string, type: "counter" | "gauge" | "histogram"): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

/** Label pairs without braces; empty for a metric without labels. */
export function drawLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, at) => `${name}="${escapeValue(values[at] ?? "")}"`).join(",");
}

/** One sample and its newline; `labels` as {@link drawLabels} gives them. */
export function drawSample(name: string, labels: string, value: number): string {
  return `${labels === "" ? name : `${name}{${labels}}`} ${drawNumber(value)}\n`;
}

/** A number as Go reads it. */
export function drawNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

function escapeValue(value: string): string {
  return /["\\\n]/.test(value)
    ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
    : value;
}

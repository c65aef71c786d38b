/** One metric as a scraper sees it. */
export interface ParsedMetric {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ParsedSample[];
}

/** One line. `name` with the endings of a histogram. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\+Inf|-Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const PAIR = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

/**
 * Reads the Prometheus text format as strictly as its description allows
 * (https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details): one HELP and TYPE before the
 * samples of each metric, all its samples together, no series twice, histograms complete, ascending and consistent.
 * @throws naming the first line that is wrong.
 */
export function parseExposition(text: string): ReadonlyMap<string, ParsedMetric> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const metrics = new Map<string, { type: string; help: string; samples: ParsedSample[] }>();
  const seen = new Set<string>();
  let current = "";
  let help: { readonly name: string; readonly text: string } | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    if (/[^\x20-\x7e]/.test(line)) fail("Not printable ASCII");
    const head = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (head !== null) {
      const [, kind, name = "", rest = ""] = head;
      if (kind === "HELP") help = { name, text: rest };
      else {
        if (help?.name !== name) fail("No HELP right before TYPE");
        if (!["counter", "gauge", "histogram"].includes(rest)) fail("Not a type");
        if (metrics.has(name)) fail("Named twice");
        metrics.set(name, { type: rest, help: help?.text ?? "", samples: [] });
        current = name;
      }
      continue;
    }
    if (line.startsWith("#")) fail("Neither HELP nor TYPE");
    const [, name = "", pairs = "", number = ""] = LINE.exec(line) ?? fail("Not a sample");
    const labels = readLabels(pairs) ?? fail("Not labels");
    const owner = metrics.get(current) ?? fail("No metric");
    const allowed =
      owner.type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => current + end) : [current];
    if (!allowed.includes(name)) fail("Not of the metric above");
    const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (seen.has(key)) fail("Series twice");
    seen.add(key);
    const value = number.endsWith("Inf") ? Number(number.replace("Inf", "Infinity")) : Number(number);
    owner.samples.push({ name, labels, value });
  }
  for (const [name, metric] of metrics) {
    if (metric.type === "counter" && !name.endsWith("_total"))
      throw new Error(`Counter without _total: ${name}`);
    if (metric.type === "counter" && metric.samples.some(({ value }) => !(value >= 0)))
      throw new Error(`Counter below 0: ${name}`);
    if (metric.type === "histogram") checkHistogram(name, metric.samples);
  }
  return metrics;
}

function readLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const match = PAIR.exec(text);
    if (match === null) return undefined;
    const [, name = "", value = "", comma] = match;
    if (name in labels || (comma === "," && PAIR.lastIndex === text.length)) return undefined;
    labels[name] = value.replace(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one));
  }
  return labels;
}

function checkHistogram(name: string, samples: readonly ParsedSample[]): void {
  const groups = new Map<string, ParsedSample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((one) => one.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number((labels.le ?? "").replace("Inf", "Infinity")));
    const counts = buckets.map(({ value }) => value);
    const ascends = (numbers: readonly number[]) =>
      numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0));
    const count = group.find((one) => one.name === `${name}_count`)?.value;
    const isGood =
      bounds.at(-1) === Number.POSITIVE_INFINITY &&
      new Set(bounds).size === bounds.length &&
      ascends(bounds) &&
      ascends(counts) &&
      counts.at(-1) === count &&
      group.filter((one) => one.name === `${name}_sum`).length === 1;
    if (!isGood) throw new Error(`Histogram ${name} ${key} is not one`);
  }
}

/** The value of one series; absent = there is none. */
export function readValue(
  metrics: ReadonlyMap<string, ParsedMetric>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = JSON.stringify(Object.entries(labels).sort());
  const owner = metrics.get(name) ?? metrics.get(name.replace(/_(?:bucket|sum|count)$/, ""));
  return owner?.samples.find(
    (one) => one.name === name && JSON.stringify(Object.entries(one.labels).sort()) === wanted,
  )?.value;
}

/** Media type of the text format, https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Replaces a label value that is not in the label's set. */
const OTHER = "other";

/** A counter with at most this many series shows all of them at 0 from the start; a histogram only a single one. */
const MAX_INITIAL_SERIES = 64;

/** The labels of a metric in order, each with every value it may have. A `Set` may grow later. */
export type LabelSets = readonly (readonly [name: string, values: readonly string[] | ReadonlySet<string>])[];

/** One sample of a gauge: label values in order, and the number. */
export type Reading = readonly [values: readonly string[], value: number];

type MetricType = "counter" | "gauge" | "histogram";

type Registry = ReturnType<typeof createRegistry>;

/** A number that only grows. */
export type Counter = ReturnType<Registry["counter"]>;

/** Counts measurements by upper bound. */
export type Histogram = ReturnType<Registry["histogram"]>;

/**
 * Creates an empty registry of metrics. Names must be new and well-formed; a label value outside its set counts as
 * "other".
 */
export function createRegistry() {
  const writers = new Map<string, () => string>();

  function register(name: string, labels: LabelSets, write: () => string): void {
    const names = labels.map(([label]) => label);
    const isValid = /^[a-z][a-z0-9_]*$/.test(name) && names.every((label) => /^[a-z][a-z_]*$/.test(label));
    if (!isValid || names.includes("le") || writers.has(name)) {
      throw new TypeError(`Cannot register the metric "${name}": its name or a label is taken or malformed`);
    }
    writers.set(name, write);
  }

  return {
    counter(name: string, help: string, labels: LabelSets) {
      const series = createSeries(labels, MAX_INITIAL_SERIES, () => ({ value: 0 }));
      register(name, labels, () => {
        let text = formatHead(name, help, "counter");
        for (const { labelText, state } of series.all()) text += formatSample(name, labelText, state.value);
        return text;
      });
      return {
        add(values: readonly string[]): void {
          series.of(values).value += 1;
        },
      };
    },
    /** `bounds` ascending; the infinite bound is added. */
    histogram(name: string, help: string, labels: LabelSets, bounds: readonly number[]) {
      const ends = [...bounds.map(formatNumber), "+Inf"];
      const begin = () => ({ sum: 0, counts: new Float64Array(bounds.length + 1) });
      const series = createSeries(labels, 1, begin);
      register(name, labels, () => {
        let text = formatHead(name, help, "histogram");
        for (const { labelText, state } of series.all()) {
          const before = labelText === "" ? "" : `${labelText},`;
          let total = 0;
          for (const [at, end] of ends.entries()) {
            total += state.counts[at] ?? 0;
            text += formatSample(`${name}_bucket`, `${before}le="${end}"`, total);
          }
          text +=
            formatSample(`${name}_sum`, labelText, state.sum) +
            formatSample(`${name}_count`, labelText, total);
        }
        return text;
      });
      return {
        observe(values: readonly string[], measurement: number): void {
          const state = series.of(values);
          let at = 0;
          while (at < bounds.length && measurement > (bounds[at] ?? 0)) at += 1;
          state.counts[at] = (state.counts[at] ?? 0) + 1;
          state.sum += measurement;
        },
      };
    },
    /** Calls `read` on every write; if it throws, the metric has no samples. `type` counter: the count is kept elsewhere. */
    gauge(
      name: string,
      help: string,
      labels: LabelSets,
      read: () => Iterable<Reading>,
      type: MetricType = "gauge",
    ): void {
      const names = labels.map(([label]) => label);
      const sets = labels.map(([, values]) => toSet(values));
      register(name, labels, () => {
        let text = formatHead(name, help, type);
        const seen = new Set<string>();
        for (const [values, value] of readAll(read)) {
          const labelText = formatLabels(names, fold(values, sets));
          // Two samples of one series would make the whole document invalid.
          if (!seen.has(labelText)) text += formatSample(name, labelText, value);
          seen.add(labelText);
        }
        return text;
      });
    },
    /** Returns all metrics in the Prometheus text format. */
    write(): string {
      let text = "";
      for (const write of writers.values()) text += write();
      return text;
    },
  };
}

/**
 * Keeps one state for each combination of label values. Values outside their sets are folded first, so the number of
 * series stays bounded.
 */
function createSeries<State>(labels: LabelSets, maxInitial: number, begin: () => State) {
  const names = labels.map(([label]) => label);
  const sets = labels.map(([, values]) => toSet(values));
  const series = new Map<string, { readonly labelText: string; readonly state: State }>();

  function add(values: readonly string[]): State {
    const state = begin();
    series.set(keyOf(values), { labelText: formatLabels(names, values), state });
    return state;
  }

  const isClosed = sets.every((set, at) => set !== labels[at]?.[1]);
  if (isClosed && sets.reduce((product, set) => product * set.size, 1) <= maxInitial) {
    for (const values of combine(sets)) add(values);
  }
  return {
    of(values: readonly string[]): State {
      const known = series.get(keyOf(values));
      if (known !== undefined) return known.state;
      const folded = fold(values, sets);
      return series.get(keyOf(folded))?.state ?? add(folded);
    },
    all: () => series.values(),
  };
}

/** No value of a set contains a NUL character, so another value cannot make the same key. */
function keyOf(values: readonly string[]): string {
  return values.join("\0");
}

function fold(values: readonly string[], sets: readonly ReadonlySet<string>[]): readonly string[] {
  return sets.map((set, at) => {
    const value = values[at] ?? "";
    return set.has(value) ? value : OTHER;
  });
}

function toSet(values: LabelSets[number][1]): ReadonlySet<string> {
  return values instanceof Set ? values : new Set(values);
}

function combine(sets: readonly ReadonlySet<string>[]): readonly (readonly string[])[] {
  let rows: readonly (readonly string[])[] = [[]];
  for (const set of sets) rows = rows.flatMap((row) => [...set].map((value) => [...row, value]));
  return rows;
}

function readAll(read: () => Iterable<Reading>): readonly Reading[] {
  try {
    return [...read()];
  } catch {
    return [];
  }
}

function formatHead(name: string, help: string, type: MetricType): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

function formatLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, at) => `${name}="${escapeValue(values[at] ?? "")}"`).join(",");
}

function formatSample(name: string, labelText: string, value: number): string {
  return `${labelText === "" ? name : `${name}{${labelText}}`} ${formatNumber(value)}\n`;
}

/** Formats a number as Go's ParseFloat reads it. */
function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

function escapeValue(value: string): string {
  return /["\\\n]/.test(value)
    ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
    : value;
}

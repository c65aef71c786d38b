import { drawHead, drawLabels, drawNumber, drawSample } from "./exposition.ts";

/** What stands for a label value that is not of the metric's closed set. */
const OTHER = "other";

/** Counters with at most this many series show them all from the start, at 0; histograms only if they have but one. */
const MOST_ZEROS = 64;

/** The labels of a metric, in order, each with every value it may have; a set may still grow. */
export type LabelSets = readonly (readonly [name: string, values: readonly string[] | ReadonlySet<string>])[];

/** A number that only grows. */
export interface Counter {
  add(values: readonly string[], by?: number): void;
}

/** How often a measure fell under each of its bounds. */
export interface Histogram {
  observe(values: readonly string[], measure: number): void;
}

/** What a gauge says when it is read: label values in order, and the number. */
export type Reading = readonly [values: readonly string[], value: number];

/** All metrics of a process. Names must be new and well-formed; a label value outside its set counts as "other". */
export interface Registry {
  counter(name: string, help: string, labels: LabelSets): Counter;
  /** `bounds` ascending; the infinite one is added. */
  histogram(name: string, help: string, labels: LabelSets, bounds: readonly number[]): Histogram;
  /** Read when written; a `read` that throws says nothing. `type` counter: for numbers that somebody else counts. */
  gauge(
    name: string,
    help: string,
    labels: LabelSets,
    read: () => Iterable<Reading>,
    type?: "counter" | "gauge",
  ): void;
  /** Everything in the Prometheus text format. */
  write(): string;
}

/** Creates an empty {@link Registry}. */
export function createRegistry(): Registry {
  const writers = new Map<string, () => string>();

  function register(name: string, labels: LabelSets, write: () => string): void {
    const names = labels.map(([label]) => label);
    const isGood = /^[a-z][a-z0-9_]*$/.test(name) && names.every((label) => /^[a-z][a-z_]*$/.test(label));
    if (!isGood || names.includes("le") || writers.has(name)) {
      throw new TypeError(`Cannot register the metric "${name}": its name or a label is taken or malformed`);
    }
    writers.set(name, write);
  }

  return {
    counter(name, help, labels) {
      const series = createSeries(labels, MOST_ZEROS, () => ({ value: 0 }));
      register(name, labels, () => {
        let text = drawHead(name, help, "counter");
        for (const { drawn, state } of series.all()) text += drawSample(name, drawn, state.value);
        return text;
      });
      return {
        add(values, by = 1) {
          series.of(values).value += by;
        },
      };
    },
    histogram(name, help, labels, bounds) {
      const ends = [...bounds.map(drawNumber), "+Inf"];
      const begin = () => ({ sum: 0, counts: new Float64Array(bounds.length + 1) });
      const series = createSeries(labels, 1, begin);
      register(name, labels, () => {
        let text = drawHead(name, help, "histogram");
        for (const { drawn, state } of series.all()) {
          const before = drawn === "" ? "" : `${drawn},`;
          let total = 0;
          for (const [at, end] of ends.entries()) {
            total += state.counts[at] ?? 0;
            text += drawSample(`${name}_bucket`, `${before}le="${end}"`, total);
          }
          text += drawSample(`${name}_sum`, drawn, state.sum) + drawSample(`${name}_count`, drawn, total);
        }
        return text;
      });
      return {
        observe(values, measure) {
          const state = series.of(values);
          let at = 0;
          while (at < bounds.length && measure > (bounds[at] ?? 0)) at += 1;
          state.counts[at] = (state.counts[at] ?? 0) + 1;
          state.sum += measure;
        },
      };
    },
    gauge(name, help, labels, read, type = "gauge") {
      const names = labels.map(([label]) => label);
      const sets = labels.map(([, values]) => toSet(values));
      register(name, labels, () => {
        let text = drawHead(name, help, type);
        const seen = new Set<string>();
        for (const [values, value] of readAll(read)) {
          const drawn = drawLabels(names, fold(values, sets));
          // Two values of one series would make the whole answer unreadable.
          if (!seen.has(drawn)) text += drawSample(name, drawn, value);
          seen.add(drawn);
        }
        return text;
      });
    },
    write() {
      let text = "";
      for (const write of writers.values()) text += write();
      return text;
    },
  };
}

interface Series<State> {
  of(values: readonly string[]): State;
  all(): Iterable<{ readonly drawn: string; readonly state: State }>;
}

interface Node<State> {
  readonly next: Map<string, Node<State>>;
  state?: State;
}

/**
 * Series by their label values, one step a label: putting the values into one key costs more than the steps. What
 * stands outside the sets is folded before it is kept, so that no more series can come to be.
 */
function createSeries<State>(labels: LabelSets, mostZeros: number, begin: () => State): Series<State> {
  const names = labels.map(([label]) => label);
  const sets = labels.map(([, values]) => toSet(values));
  const root: Node<State> = { next: new Map() };
  const series: { readonly drawn: string; readonly state: State }[] = [];

  function find(values: readonly string[]): State | undefined {
    let node: Node<State> | undefined = root;
    for (const value of values) {
      node = node.next.get(value);
      if (node === undefined) return undefined;
    }
    return node.state;
  }

  function add(values: readonly string[]): State {
    let node = root;
    for (const value of values) {
      const next = node.next.get(value) ?? { next: new Map() };
      node.next.set(value, next);
      node = next;
    }
    const state = begin();
    node.state = state;
    series.push({ drawn: drawLabels(names, values), state });
    return state;
  }

  const isClosed = sets.every((set, at) => set !== labels[at]?.[1]);
  if (isClosed && sets.reduce((product, set) => product * set.size, 1) <= mostZeros) {
    for (const values of combine(sets)) add(values);
  }
  return {
    of(values) {
      const known = find(values);
      if (known !== undefined) return known;
      const folded = fold(values, sets);
      return find(folded) ?? add(folded);
    },
    all: () => series,
  };
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

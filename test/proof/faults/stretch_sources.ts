import { REPEATED } from "./create_mutator.ts";
import { ADDRESS } from "./fault_setup.ts";
import { goodAnswers, READERS } from "./fuzz_sources.ts";

/** A place in an answer of a source, and the time of its reader with a long text there. */
export interface Stretched {
  readonly source: string;
  readonly place: string;
  readonly unit: string;
  /** The least of three calls. */
  readonly wholeMs: number;
}

const TURNS = 3;

/** Puts a long text of every kind in place of every text of every good answer, and gives the slowest by source. */
export function stretchSources(characters: number): readonly Stretched[] {
  return READERS.flatMap((source) => {
    const [answer] = goodAnswers(source);
    const all = textsOf(answer, []).flatMap((path) =>
      REPEATED.map((unit): Stretched => {
        const stretched = put(answer, path, unit.repeat(Math.ceil(characters / unit.length)));
        const times = Array.from({ length: TURNS }, () => time(() => source.read(stretched, ADDRESS)));
        return { source: source.id, place: path.join("."), unit, wholeMs: Math.min(...times) };
      }),
    );
    return all.sort((a, b) => b.wholeMs - a.wholeMs).slice(0, 1);
  });
}

type Path = readonly (string | number)[];

function textsOf(value: unknown, path: Path): readonly Path[] {
  if (typeof value === "string") return [path];
  if (Array.isArray(value)) return value.slice(0, 3).flatMap((item, at) => textsOf(item, [...path, at]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsOf(item, [...path, key]));
}

function put(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.with(Number(step), put(value[Number(step)], rest, text));
  // The path was found in this very value.
  const fields = value as Record<string, unknown>;
  return { ...fields, [step]: put(fields[step], rest, text) };
}

function time(work: () => unknown): number {
  const startedAt = performance.now();
  try {
    work();
  } catch {
    // Refusing is fine; it is the time that matters.
  }
  return performance.now() - startedAt;
}

import { listPlaces } from "../../sources/places.ts";
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
    const texts = listPlaces(answer).filter(({ value }) => typeof value === "string");
    const all = texts.flatMap(({ path, put }) =>
      REPEATED.map((unit): Stretched => {
        const stretched = put(unit.repeat(Math.ceil(characters / unit.length)));
        const times = Array.from({ length: TURNS }, () => time(() => source.read(stretched, ADDRESS)));
        return { source: source.id, place: path, unit, wholeMs: Math.min(...times) };
      }),
    );
    return all.sort((a, b) => b.wholeMs - a.wholeMs).slice(0, 1);
  });
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

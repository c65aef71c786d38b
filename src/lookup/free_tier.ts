import type { SourceRun } from "#evidence";
import { describeRun, type Source } from "#sources";

/** The free sources of one survey, as they end one by one. */
export interface FreeTier {
  end(run: SourceRun): void;
  /** What was judged once all had ended or their time was over; judged once, and not at all unless somebody waits. */
  judged(): Promise<boolean>;
  close(): void;
}

/**
 * Gathers the runs of `sources` until they are judged, after `waitMs` at the latest: whoever is still silent by then
 * is judged as unheard.
 */
export function createFreeTier(options: {
  readonly sources: readonly Source[];
  readonly waitMs: number;
  readonly judge: (runs: readonly SourceRun[]) => boolean;
}): FreeTier {
  const { sources } = options;
  const ended = new Map<string, SourceRun>();
  const over = Promise.withResolvers<void>();
  let timer: Timer | undefined;
  let judgement: Promise<boolean> | undefined;

  async function judge(): Promise<boolean> {
    if (ended.size < sources.length) {
      timer = setTimeout(over.resolve, options.waitMs);
      await over.promise;
    }
    return options.judge(sources.map((source) => ended.get(source.id) ?? unheard(source)));
  }

  return {
    end(run) {
      ended.set(run.id, run);
      if (ended.size >= sources.length) over.resolve();
    },
    judged() {
      judgement ??= judge();
      return judgement;
    },
    close() {
      clearTimeout(timer);
    },
  };
}

function unheard(source: Source): SourceRun {
  return { ...describeRun(source), ms: 0, state: "failed", error: "timeout" };
}

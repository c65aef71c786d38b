import { LRUCache } from "lru-cache";
import type { Log, StartTimer } from "#common";
import type { Read } from "#concurrency";
import type { Survey } from "#evidence";

/** Surveys kept while the store cannot be used, about 30 kB each. */
const MAX_UNSAVED = 500;

/** Saving is tried again this often, also without a request. */
const SAVE_AGAIN_MS = 5000;

/**
 * Creates the queue of surveys that could not be saved: they are saved with `saveSurvey` when the store works again. It
 * queues a survey again when it cannot be written. No method rejects.
 */
export function createLateSaves<Report extends { readonly surveyedAt: number }>(options: {
  readonly find: (address: string) => Promise<Read<Report | undefined>>;
  readonly saveSurvey: (survey: Survey, before: Read<Report | undefined>) => Promise<unknown>;
  readonly after: StartTimer;
  readonly log: Log;
}) {
  const { find, saveSurvey, after, log } = options;
  const unsaved = new LRUCache<string, Survey>({
    max: MAX_UNSAVED,
    dispose(_, __, reason) {
      if (reason === "evict") log("error", "survey_given_up", { kept: MAX_UNSAVED });
    },
  });
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let isStopped = false;

  async function saveAll(): Promise<void> {
    for (const [address, survey] of [...unsaved.entries()]) {
      const stored = await find(address);
      if (!stored.reached) return;
      // Another survey of the address may have replaced it meanwhile.
      if (unsaved.peek(address) !== survey) continue;
      unsaved.delete(address);
      if ((stored.value?.surveyedAt ?? 0) > Date.parse(survey.surveyedAt)) continue;
      await saveSurvey(survey, stored);
      if (unsaved.has(address)) return;
    }
  }

  /** Tries to save all surveys now. */
  function run(): Promise<void> {
    running ??= saveAll().finally(() => {
      running = undefined;
      setTimer();
    });
    return running;
  }

  function setTimer(): void {
    if (isStopped || cancelTimer !== undefined || unsaved.size === 0) return;
    cancelTimer = after(SAVE_AGAIN_MS, () => {
      cancelTimer = undefined;
      void run();
    });
  }

  return {
    queueSave(survey: Survey): void {
      unsaved.set(survey.address, survey);
      setTimer();
    },
    run,
    /** Runs once more and stops; surveys that are still unsaved are lost. */
    async flush(): Promise<void> {
      isStopped = true;
      cancelTimer?.();
      await run();
      if (unsaved.size > 0) log("error", "surveys_given_up", { count: unsaved.size });
    },
    get size(): number {
      return unsaved.size;
    },
  };
}

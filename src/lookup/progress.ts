import type { SurveyEvent } from "./lookup.ts";

/** What has happened in one survey so far, and who is told as more happens. */
export interface Progress {
  /** Never throws. */
  readonly tell: (event: SurveyEvent) => void;
  /** Tells a watcher what has happened so far and what will; the returned function ends that. Never throws. */
  readonly join: (watcher: (event: SurveyEvent) => void) => () => void;
}

/** Starts the progress of one survey. A watcher that throws is dropped: nobody's eyes may harm what all wait for. */
export function createProgress(onBroken: (error: unknown) => void): Progress {
  const past: SurveyEvent[] = [];
  const watchers = new Set<{ readonly see: (event: SurveyEvent) => void }>();

  function show(watcher: { readonly see: (event: SurveyEvent) => void }, event: SurveyEvent): void {
    try {
      watcher.see(event);
    } catch (error) {
      watchers.delete(watcher);
      onBroken(error);
    }
  }

  return {
    tell(event) {
      past.push(event);
      for (const watcher of watchers) show(watcher, event);
    },
    join(see) {
      const watcher = { see };
      watchers.add(watcher);
      for (const event of past) if (watchers.has(watcher)) show(watcher, event);
      return () => {
        watchers.delete(watcher);
      };
    },
  };
}

import type { Step } from "./weights.ts";

/** The points of the highest step that `measure` reaches; 0 below the lowest and for what is no number. */
export function readSteps(steps: readonly Step[], measure: number): number {
  return steps.find((step) => measure >= step.from)?.points ?? 0;
}

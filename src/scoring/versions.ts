import type { MethodVersion } from "#report";
import VERSIONS from "./versions.json" with { type: "json" };

/**
 * All versions of the scoring, newest first. Add one whenever the same evidence can give another score. The texts
 * describe each change by its id, which is never used again.
 */
export const SCORING_VERSIONS: readonly MethodVersion[] = VERSIONS;

/** The current version: a stored survey of another one is scored again when it is read. */
export const SCORING_VERSION = Math.max(...VERSIONS.map(({ version }) => version));

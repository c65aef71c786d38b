/**
 * Watched addresses: the list of the operator, the comparison of two surveys, the daily survey of each, and the webhook
 * that gets every proven change. Clock, network and database are arguments.
 */

export type { WatchEvent } from "#store";
export { parseWatchBody, renderAtom } from "./atom.ts";
export { compareAssessments } from "./changes.ts";
export { compareSurvey, EMPTY_STATE, formatState, parseState } from "./compare_survey.ts";
export * from "./delivery.ts";
export { parseWatchList } from "./watch_list.ts";
export { createWatcher } from "./watcher.ts";

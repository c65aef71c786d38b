/**
 * The sources of facts about an address, and the runner. The runner asks one source and returns a run with the state
 * `answered`, `empty`, `skipped` or `failed`. A failure never looks clean.
 */

export { DELIST_URLS, SOURCES, upstreamHosts } from "./registry.ts";
export { type RunPorts, rankSource, runSource } from "./run_source.ts";
export { dailyLimit, describeRun, NO_SETTINGS, type Source, type SourceSettings } from "./source.ts";
export { createTableSurvey, type TableSurvey } from "./table_survey.ts";
export { feedSource } from "./tables/feed_source.ts";
export { createZoneHealth } from "./zone_health.ts";
export { ZONES, type ZoneCode } from "./zones.ts";

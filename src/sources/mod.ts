/**
 * The sources of facts about an address, and the runner. The runner asks one source and returns a run with the state
 * `answered`, `empty`, `skipped` or `failed`. A failure never looks clean.
 */

export { DELIST_URLS, SOURCES, upstreamHosts } from "./registry.ts";
export { type RunPorts, rankSource, runSource } from "./run_source.ts";
export { dailyLimit, NO_SETTINGS, type SourceSettings } from "./settings.ts";
export { describeRun, type Source, type SourcePorts, type TestPoints } from "./source.ts";
export { createTableSurvey, type TableSurvey } from "./table_survey.ts";
export { feedSource } from "./tables/feed_source.ts";
export { createZoneHealth, type ZoneHealth, type ZoneVerdict } from "./zone_health.ts";
export { ZONES, type Zone, type ZoneCode } from "./zones.ts";

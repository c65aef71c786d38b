/**
 * Whom we ask: the registry of sources, and the one runner that turns whatever happens into
 * `answered | empty | skipped | failed`. Nothing that failed can look clean.
 */
export { dailyLimit } from "./daily_limit.ts";
export { describeRun } from "./describe_run.ts";
export { feedSource } from "./feed_source.ts";
export { rankSource } from "./rank_source.ts";
export { DELIST_URLS, SOURCES } from "./registry.ts";
export { type RunPorts, run, type SourceSettings } from "./run.ts";
export type { Source, SourcePorts, TestPoints } from "./source.ts";
export { createTableSurvey } from "./survey_tables.ts";
export { upstreamHosts } from "./upstream_hosts.ts";
export type { Zone, ZoneCode } from "./zone.ts";
export { createZoneHealth, type ZoneHealth, type ZoneVerdict } from "./zone_health.ts";
export { ZONES } from "./zones.ts";

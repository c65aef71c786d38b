/**
 * The libSQL database: one report per address with its history, ratings by visitors, and the counts of allowances and
 * daily budgets. All processes on one database share them.
 */
export type { AdmissionCharge, AdmissionRepository, ChallengeRepository, ChargeUse } from "./allowances.ts";
export * from "./maintenance/backup_database.ts";
export * from "./maintenance/check_database.ts";
export { MaintenanceError, type MaintenanceProblem } from "./maintenance/maintenance.ts";
export * from "./maintenance/measure_database.ts";
export * from "./maintenance/prune_database.ts";
export * from "./maintenance/restore_database.ts";
export type { ReplicaState } from "./mirror/replica.ts";
export { runSync, SYNC_COMMAND } from "./mirror/sync_copy.ts";
export * from "./open_mirror.ts";
export { openStore } from "./open_store.ts";
export * from "./store.ts";
export type { WatchEvent, WatchRepository } from "./watch/watch_repository.ts";

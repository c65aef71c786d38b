/**
 * What is kept, in libSQL: one language-free document an address and its history, what visitors said of it, and what
 * has been asked and granted, for every process on the database.
 */
export * from "./backup_database.ts";
export * from "./check_database.ts";
export * from "./maintenance_error.ts";
export * from "./maintenance_progress.ts";
export * from "./measure_database.ts";
export * from "./open_mirror.ts";
export * from "./open_near_store.ts";
export * from "./open_store.ts";
export * from "./open_store_later.ts";
export * from "./prune_database.ts";
export * from "./prune_in_thread.ts";
export type { ReplicaState } from "./replica.ts";
export * from "./restore_database.ts";
export * from "./store.ts";

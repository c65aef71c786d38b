/** The commands: what each opens, does and prints. */

export * from "./batch.ts";
export * from "./batch_facts.ts";
export * from "./check.ts";
export * from "./db.ts";
export * from "./describe_usage.ts";
export * from "./draw_completions.ts";
export * from "./exit_codes.ts";
export * from "./feeds.ts";
export * from "./health.ts";
export * from "./lookup.ts";
export * from "./open_gate.ts";
export * from "./open_service.ts";
export * from "./package_files.ts";
export * from "./prune_daily.ts";
export * from "./read_secret.ts";
export * from "./render_check.ts";
export * from "./run_batch_command.ts";
export * from "./serve.ts";
export * from "./serve_mirror.ts";

/** The commands: what each opens, does and prints. */
export * from "./check.ts";
export * from "./exit_codes.ts";
export * from "./feeds.ts";
export * from "./lookup.ts";
export * from "./open_service.ts";
export * from "./render_check.ts";
export * from "./serve.ts";

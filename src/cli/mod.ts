/** The commands: what each opens, does and prints. */
export * from "./exit_codes.ts";
export * from "./lookup.ts";
export * from "./open_service.ts";
export * from "./serve.ts";

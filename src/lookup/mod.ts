/** The use case: an address through cache, store and survey to an assessment. Everything outside enters as an argument. */
export * from "./assess.ts";
export * from "./create_lookup.ts";
export * from "./create_mirror_lookup.ts";
export * from "./is_settled.ts";
export * from "./lookup.ts";
export * from "./survey_address.ts";

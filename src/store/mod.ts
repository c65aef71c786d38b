/** What is kept: one language-free document an address, and its history, in libSQL through Drizzle. */
export * from "./open_store.ts";
export * from "./store.ts";

import { afterAll } from "bun:test";
import { cleanUp } from "./clean_up.ts";

/** Hundreds of databases may have to be closed. */
const TIMEOUT_MS = 60_000;

// bunfig.toml preloads this file, so that the hook belongs to all test files and not to the first one that imports it.
afterAll(cleanUp, TIMEOUT_MS);

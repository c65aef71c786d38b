import { afterAll } from "bun:test";
import { cleanUp } from "./clean_up.ts";

/** Hundreds of databases may have to be closed. */
const TIMEOUT_MS = 60_000;

// bunfig.toml preloads this file, so that the hook belongs to all test files and not to the first one that imports it.
/** Code under test restricts the files of its process; the next test file starts without the restriction. */
const umask = process.umask();

afterAll(async () => {
  process.umask(umask);
  await cleanUp();
}, TIMEOUT_MS);

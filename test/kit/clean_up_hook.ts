import { afterAll } from "bun:test";
import { relative } from "node:path";
import { cleanUp } from "./clean_up.ts";
import { FILE_ENDED } from "./file_output.ts";

/** Hundreds of databases may have to be closed. */
const TIMEOUT_MS = 60_000;

// bunfig.toml preloads this file, so that the hook belongs to all test files and not to the first one that imports it.
/** Code under test restricts the files of its process; the next test file starts without the restriction. */
const umask = process.umask();

afterAll(async () => {
  process.umask(umask);
  try {
    await cleanUp();
  } finally {
    // The runner (test/run.ts) asks for this line, because bun does not say when a file ends.
    if (Bun.env.TEST_FILE_ENDS === "1") console.error(`${FILE_ENDED} ${relative(process.cwd(), Bun.main)}`);
  }
}, TIMEOUT_MS);

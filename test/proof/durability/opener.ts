/** `bun opener.ts PATH MIGRATIONS`: opens a database, prints a line, and closes it. */
import { writeSync } from "node:fs";
import { openStore } from "#store";

const [path = "", migrations = ""] = process.argv.slice(2);
writeSync(1, "begin\n");
const store = await openStore({ url: `file:${path}`, migrations });
writeSync(1, "open\n");
await store.close();

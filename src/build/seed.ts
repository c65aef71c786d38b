/**
 * Compiles the embedded tables and the snapshot of lists: `bun src/build/seed.ts`, run before every start. A table that cannot be compiled is
 * reported and skipped; the service starts without it. A folder that cannot be written ends with exit code 1.
 */
import { join } from "node:path";
import { DatasetError, prepareSeed } from "#datasets";
import { prepareSnapshot } from "#feeds";

const project = join(import.meta.dir, "../..");

try {
  const directory = join(project, "seed");
  const tables = await prepareSeed({ directory, packages: join(project, "node_modules") });
  const outcomes = [...tables, { id: "snapshot", ...prepareSnapshot(directory) }];
  const compiled = outcomes.flatMap((outcome) =>
    outcome.did === "compiled" ? [`${outcome.id} of ${outcome.date}`] : [],
  );
  if (compiled.length > 0) console.log(`Compiled the embedded data: ${compiled.join(", ")}`);
  for (const outcome of outcomes) {
    if (outcome.did === "failed")
      console.error(`Cannot prepare the table "${outcome.id}": ${outcome.problem}`);
  }
} catch (error) {
  console.error(
    error instanceof DatasetError ? error.message : `Cannot prepare the embedded data: ${String(error)}`,
  );
  process.exitCode = 1;
}

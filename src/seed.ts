/**
 * Compiles the embedded data: `bun src/seed.ts`, run before every start. A table that cannot be made does not stop
 * the service, which then starts without it and says so; a folder that cannot be written does.
 */
import { join } from "node:path";
import { DatasetError, prepareSeed } from "#datasets";

const project = join(import.meta.dir, "..");

try {
  const outcomes = await prepareSeed({
    directory: join(project, "seed"),
    packages: join(project, "node_modules"),
  });
  const compiled = outcomes.flatMap((made) =>
    made.did === "compiled" ? [`${made.id} of ${made.date}`] : [],
  );
  if (compiled.length > 0) console.log(`Compiled the embedded data: ${compiled.join(", ")}`);
  for (const made of outcomes) {
    if (made.did === "failed") console.error(`Cannot prepare the table "${made.id}": ${made.problem}`);
  }
} catch (error) {
  console.error(
    error instanceof DatasetError ? error.message : `Cannot prepare the embedded data: ${String(error)}`,
  );
  process.exitCode = 1;
}

import * as v from "valibot";
import { ConfigSchema } from "./config.ts";
import { findDefault } from "./find_default.ts";

/** What the example says of one source; `daily` is our own budget of questions a UTC day as it stands by default. */
export interface ExampleSource {
  readonly id: string;
  readonly name: string;
  readonly secret?: "required" | "optional";
  readonly daily?: number;
}

/** Writes `.env.example` from the configuration's own schema: every variable, its meaning and its default. */
export function writeConfigExample(sources: readonly ExampleSource[]): string {
  const lines = [
    "# Every variable is optional: with none of them set the service works.",
    "# A key may also be given as a file: NAME_FILE=/run/secrets/name",
    "",
  ];
  for (const [name, schema] of Object.entries(ConfigSchema.entries)) {
    lines.push(
      `# ${v.getDescription(schema) ?? ""}`,
      `# ${name}=${String(v.getDefaults(v.object({ [name]: schema }))[name] ?? findDefault(schema))}`,
      "",
    );
  }
  lines.push("# Keys of sources, and our own budget of questions a UTC day where a source has one.");
  for (const source of sources) {
    const stem = `LIMPID_${source.id.toUpperCase()}`;
    if (source.secret !== undefined) {
      const need = source.secret === "required" ? "asked only with a key" : "asked without a key too";
      lines.push(`# ${source.name}: ${need}.`, `# ${stem}_KEY=`);
    }
    if (source.daily !== undefined) lines.push(`# ${stem}_DAILY=${source.daily}`);
  }
  return `${lines.join("\n")}\n`;
}

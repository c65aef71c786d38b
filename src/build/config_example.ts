import * as v from "valibot";
import { CONFIG_TEXTS, ConfigSchema } from "#config";

/** One source in the example; `daily` is the default daily budget of queries (per UTC day). */
export interface ExampleSource {
  readonly id: string;
  readonly name: string;
  readonly secret?: "required" | "optional";
  readonly daily?: number;
}

/** Generates `.env.example` from the configuration schema: every variable, its meaning and its default. */
export function writeConfigExample(sources: readonly ExampleSource[]): string {
  const lines = [
    "# Every variable is optional: the service works with none of them set.",
    "# A secret can also be read from a file: NAME_FILE=/run/secrets/name",
    "",
  ];
  for (const [name, schema] of Object.entries(ConfigSchema.entries)) {
    lines.push(
      `# ${CONFIG_TEXTS[name as keyof typeof CONFIG_TEXTS]}`,
      `# ${name}=${String(v.getDefaults(v.object({ [name]: schema }))[name] ?? findDefault(schema))}`,
      "",
    );
  }
  lines.push("# API keys of sources, and their daily budgets (queries per UTC day).");
  for (const source of sources) {
    const stem = `LIMPID_${source.id.toUpperCase()}`;
    if (source.secret !== undefined) {
      const need = source.secret === "required" ? "queried only with a key" : "works without a key too";
      lines.push(`# ${source.name}: ${need}.`, `# ${stem}_KEY=`);
    }
    if (source.daily !== undefined) lines.push(`# ${stem}_DAILY=${source.daily}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Returns the default of a variable as an operator would write it, before any transformation; "" means none. */
export function findDefault(schema: unknown): string {
  let at = schema;
  for (let depth = 0; depth < 4 && typeof at === "object" && at !== null; depth += 1) {
    const { default: value, pipe } = at as { default?: unknown; pipe?: readonly unknown[] };
    if (typeof value === "string") return value;
    at = pipe?.[0];
  }
  return "";
}

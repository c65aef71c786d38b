import * as v from "valibot";
import { findDefault } from "../../src/build/config_example.ts";
import { ConfigSchema } from "../../src/config.ts";
import { fillDocument } from "./fill_document.ts";

/**
 * Writes the tables of `docs/operators/configuration.md`, each with the settings that its mark names; the last has the
 * others.
 */
export function writeConfiguration(): string {
  const rest = new Set(Object.keys(ConfigSchema.entries));
  return fillDocument("docs/operators/configuration.md", {
    settings({ options }) {
      const names = options[0] === "others" ? [...rest] : options.map((option) => `LIMPID_${option}`);
      return names.map((name) => {
        rest.delete(name);
        const schema = ConfigSchema.entries[name as keyof typeof ConfigSchema.entries];
        const fallback = findDefault(schema);
        const meaning = (v.getDescription(schema) ?? "").replaceAll("|", "\\|");
        return [`\`${name}\``, fallback === "" ? "–" : `\`${fallback}\``, meaning];
      });
    },
  });
}

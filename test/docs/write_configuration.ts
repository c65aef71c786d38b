import { findDefault } from "../../src/build/config_example.ts";
import { CONFIG_TEXTS, ConfigSchema } from "../../src/config.ts";
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
        const known = name as keyof typeof CONFIG_TEXTS; // a mark names only settings
        const fallback = findDefault(ConfigSchema.entries[known]);
        const meaning = CONFIG_TEXTS[known].replaceAll("|", "\\|");
        return [`\`${name}\``, fallback === "" ? "–" : `\`${fallback}\``, meaning];
      });
    },
  });
}

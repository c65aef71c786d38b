import * as v from "valibot";
import { findDefault } from "../../src/build/config_example.ts";
import { ConfigSchema } from "../../src/config.ts";

interface Theme {
  readonly title: string;
  readonly about: string;
  readonly names: readonly string[];
}

const THEMES: readonly Theme[] = [
  {
    title: "Address and origin",
    about:
      "The `Host` header is never used: links, canonical URLs and the description of the interface use `LIMPID_BASE_URL`.",
    names: ["HOST", "PORT", "BASE_URL", "TRUSTED_PROXIES", "EXEMPT_CLIENTS"],
  },
  {
    title: "Storage",
    about: "One folder, and one database in this folder or on a server ([growing.md](growing.md)).",
    names: [
      "DATA_DIR",
      "DATABASE_URL",
      "DATABASE_TOKEN",
      "SECRET",
      "STALE_DAYS",
      "RETENTION_DAYS",
      "CACHE_ENTRIES",
      "CACHE_MB",
      "CACHE_SECONDS",
    ],
  },
  {
    title: "Sources",
    about: "All sources and their keys: [sources.md](sources.md).",
    names: [
      "LIVE",
      "FEEDS",
      "SOURCES_OFF",
      "ALLOW_NONCOMMERCIAL",
      "CONTACT",
      "DNS_SERVERS",
      "UPSTREAM_GATEWAY",
      "SURVEY_MS",
      "POOL",
    ],
  },
  {
    title: "Limits",
    about:
      "What each limit counts, and what a client sees: [limits.md](limits.md). With a limit of 0 nothing is admitted.",
    names: [
      "LOOKUPS_PER_MINUTE",
      "NEW_PER_MINUTE",
      "REFRESH_PER_MINUTE",
      "OPEN_PER_DAY",
      "OPEN_PER_MINUTE",
      "OPEN_DAILY_TOTAL",
    ],
  },
  {
    title: "Human verification",
    about: "A verified client can look up new addresses after its daily allowance is used up.",
    names: ["VERIFIER", "TURNSTILE_SITE_KEY", "TURNSTILE_SECRET"],
  },
  {
    title: "Mirrors",
    about:
      "With `LIMPID_MIRROR_OF` the process only serves the reports that a full service stored ([growing.md](growing.md)).",
    names: ["MIRROR_OF", "SYNC_SECONDS", "PRIMARY_URL"],
  },
  {
    title: "Logs and metrics",
    about: `The log goes to stderr, one JSON object per line. A line that cannot be written (the disk is full, nobody reads the pipe)
is dropped and counted; the service continues. Metrics: [metrics.md](metrics.md).`,
    names: ["LOG", "METRICS_TOKEN"],
  },
];

/** Writes `docs/operators/configuration.md` from the schema of the configuration. */
export function writeConfiguration(): string {
  const all = Object.keys(ConfigSchema.entries);
  const placed = new Set(THEMES.flatMap(({ names }) => names.map((name) => `LIMPID_${name}`)));
  const others = all.filter((name) => !placed.has(name));
  const themes = [
    ...THEMES.map(({ names, ...theme }) => ({ ...theme, names: names.map((name) => `LIMPID_${name}`) })),
    ...(others.length === 0 ? [] : [{ title: "Other", about: "", names: others }]),
  ];
  const parts = [
    "# Configuration",
    "",
    "All settings are environment variables, and all of them are optional: the service works with none of them set. They",
    "are read once at start. If some are wrong, the program names each with what it must be and ends with exit code 78. An",
    "unknown name that begins with `LIMPID_` is an error too. The program reads no file that a variable does not name: the",
    "binary ignores a `.env` file beside it (when started from the project, Bun itself loads one).",
    "[.env.example](../../.env.example) is the same list to copy from.",
    "",
    "A secret can also be read from a file: `LIMPID_SECRET_FILE=/run/secrets/limpid` instead of `LIMPID_SECRET`. This works",
    `for ${listSecrets(all)} and for the API key of every source.`,
    "",
  ];
  for (const { title, about, names } of themes) {
    const present = names.filter((name) => all.includes(name));
    if (present.length === 0) continue;
    parts.push(`## ${title}`, "");
    if (about !== "") parts.push(about, "");
    parts.push("| variable | default | meaning |", "|---|---|---|", ...present.map(drawRow), "");
  }
  parts.push(
    "## API keys and daily budgets of sources",
    "",
    "`LIMPID_<SOURCE>_KEY` is the API key of a source, `LIMPID_<SOURCE>_DAILY` its daily budget: the number of queries we",
    "send per UTC day. The default budget is a little below the vendor's free quota. `<SOURCE>` is the id in capitals, as in",
    "`LIMPID_PROXYCHECK_KEY`. [sources.md](sources.md) shows which sources have a key or a budget.",
    "",
  );
  return parts.join("\n");
}

function listSecrets(all: readonly string[]): string {
  const names = ["LIMPID_SECRET", "LIMPID_DATABASE_TOKEN", "LIMPID_TURNSTILE_SECRET", "LIMPID_METRICS_TOKEN"];
  return names
    .filter((name) => all.includes(name))
    .map((name) => `\`${name}\``)
    .join(", ");
}

function drawRow(name: string): string {
  const schema = ConfigSchema.entries[name as keyof typeof ConfigSchema.entries];
  const fallback = findDefault(schema);
  const shown = fallback === "" ? "–" : `\`${fallback}\``;
  return `| \`${name}\` | ${shown} | ${(v.getDescription(schema) ?? "").replaceAll("|", "\\|")} |`;
}

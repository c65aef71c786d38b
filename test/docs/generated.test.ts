import { describe, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { matchGolden } from "../kit/golden.ts";
import { PROJECT } from "./list_documents.ts";
import { writeAccuracy } from "./write_accuracy.ts";
import { writeConfiguration } from "./write_configuration.ts";
import { writeCounts } from "./write_counts.ts";
import { writeDependencies } from "./write_dependencies.ts";
import { writeManPage } from "./write_man_page.ts";
import { writeMetrics } from "./write_metrics.ts";
import { writePicture } from "./write_picture.ts";
import { writeReadmeReport } from "./write_readme_report.ts";
import { writeSources } from "./write_sources.ts";

/** Documents that are written from the program's own data, and how. */
const GENERATED: readonly (readonly [path: string, write: () => string | Promise<string>])[] = [
  ["README.md", () => writeReadmeReport(writeCounts(readFileSync(join(PROJECT, "README.md"), "utf8")), "en")],
  ["README.zh.md", () => writeReadmeReport(readFileSync(join(PROJECT, "README.zh.md"), "utf8"), "zh")],
  ["docs/report.svg", () => writePicture("en")],
  ["docs/report.zh.svg", () => writePicture("zh")],
  ["docs/accuracy.md", writeAccuracy],
  ["docs/operators/configuration.md", writeConfiguration],
  ["docs/operators/sources.md", writeSources],
  ["docs/operators/metrics.md", writeMetrics],
  ["docs/dependencies.md", writeDependencies],
  ["deploy/limpid.1", writeManPage],
];

describe("generated documents", () => {
  test.each(GENERATED)("%s is up to date", async (path, write) => {
    matchGolden(path, await write());
  });
});

import { test } from "bun:test";
import { matchGolden } from "../kit/golden.ts";
import { writeAccuracy } from "./write_accuracy.ts";
import { writeConfiguration } from "./write_configuration.ts";
import { writeDependencies } from "./write_dependencies.ts";
import { writeManPage } from "./write_man_page.ts";
import { writeMetrics } from "./write_metrics.ts";
import { writePicture } from "./write_picture.ts";
import { writeReadme, writeReadmeReport } from "./write_readme.ts";
import { writeSources } from "./write_sources.ts";

/** Documents with parts that are written from the program's own data, and how. */
const GENERATED: readonly (readonly [path: string, write: () => string | Promise<string>])[] = [
  ["README.md", () => writeReadme("README.md", "en")],
  ["README.zh.md", () => writeReadme("README.zh.md", "zh")],
  ["docs/example_report.md", () => writeReadmeReport("docs/example_report.md", "en")],
  ["docs/example_report.zh.md", () => writeReadmeReport("docs/example_report.zh.md", "zh")],
  ["docs/report.svg", () => writePicture("en")],
  ["docs/report.zh.svg", () => writePicture("zh")],
  ["docs/accuracy.md", writeAccuracy],
  ["docs/operators/configuration.md", writeConfiguration],
  ["docs/operators/sources.md", writeSources],
  ["docs/operators/metrics.md", writeMetrics],
  ["docs/dependencies.md", writeDependencies],
  ["deploy/limpid.1", writeManPage],
];

test.each(GENERATED)("the generated parts of %s are up to date", async (path, write) => {
  matchGolden(path, await write());
});

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "#kit";
import { document } from "../../http/kit/open_app.ts";

const LINTER = join(import.meta.dir, "../../../node_modules/.bin/redocly");

test("the description passes the strict recommended rules of a linter", () => {
  const cwd = createTemporaryFolder("limpid-openapi-");
  writeFileSync(join(cwd, "openapi.json"), JSON.stringify(document));
  const lint = Bun.spawnSync(
    [
      process.execPath,
      "--bun",
      LINTER,
      "lint",
      "openapi.json",
      "--extends=recommended-strict",
      "--format=json",
    ],
    { cwd, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  );
  const { totals, problems } = JSON.parse(lint.stdout.toString());
  expect(problems).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
});

import { join } from "node:path";
import { createClient } from "@libsql/client";
import { readToEnd } from "#kit";
import { openStore } from "#store";
import { defineCase } from "./case_result.ts";
import { BASE_MS, DAY, FAR_MS, MOST } from "./deeds.ts";
import { migrations, project } from "./folders.ts";
import { keptAt } from "./kept_reports.ts";

/** Every column that holds text, by table. */
const COLUMNS = `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND upper(c.type) = 'TEXT'`;

const NAME = "text that is not UTF-8, in every column that holds text";

/**
 * Damages the text of one column after another, so that it is not UTF-8, and does everything that a service and its
 * operator do. It may fail, but never ends the process, which libSQL does with such a text.
 */
export const spoilTexts = defineCase(NAME, { quick: 1, full: 1 }, async ({ folder, fail }) => {
  let columns = 0;
  for (let index = 0; ; index += 1) {
    const path = join(folder, `${index}.db`);
    const store = await openStore({ url: `file:${path}`, migrations });
    const [report, survey] = keptAt(1);
    await store.save(report, survey);
    const [older] = keptAt(2);
    await store.save(older, "{}");
    const vote = { address: report.address, scenario: "streaming", voter: "v", day: DAY, rating: 4 };
    await store.ratings.saveVote(vote);
    await store.budgets.settle(DAY, [{ id: "alpha", limit: 9, wanted: 1, correction: 0 }]);
    await store.admissions.admit(BASE_MS, [{ name: "client", limit: MOST, until: FAR_MS }]);
    await store.challenges.use("one", FAR_MS, BASE_MS);
    await store.close();

    const client = createClient({ url: `file:${path}` });
    const { rows } = await client.execute(COLUMNS);
    const row = rows[index];
    if (row === undefined) {
      client.close();
      break;
    }
    const what = `${row.table}.${row.column}`;
    await client.execute(
      `UPDATE "${row.table}" SET "${row.column}" = CAST("${row.column}" || x'ff' AS TEXT)`,
    );
    client.close();
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "text_reader.ts"), path], {
      cwd: project,
      stdout: "pipe",
      stderr: "pipe",
    });
    const { out, err, code } = await readToEnd(child);
    if (code !== 0) fail(`${what}: ${child.signalCode ?? code} after ${out.trim()}: ${err.slice(0, 300)}`);
    columns += 1;
  }
  if (columns === 0) fail("no column was found");
  return `no process ended over ${columns} columns`;
});

import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { checkDatabase, openStore } from "#store";
import { makeReport } from "../../store/make_report.ts";
import { defineCase } from "./case_result.ts";
import { migrations, project } from "./folders.ts";
import { countMigrations, makeOlderMigrations } from "./old_databases.ts";

const KILLS_A_FORM = { quick: 2, full: 16 } as const;
const NAME = "kill -9 while an older database is brought up to date, and three starters at once";
const ROWS = { quick: 300, full: 4000 } as const;
const AT_MS = 1_772_668_800_000;

/**
 * Kills a process while it migrates a database of an older schema, from each schema that ever existed. The database
 * has either the old or the new schema, never something between, and the next start completes the migration with all
 * rows. At the end two processes migrate at once.
 */
export const killMigrations = defineCase(
  NAME,
  KILLS_A_FORM,
  async ({ folder, runs, extent, chance, fail }) => {
    const all = countMigrations();
    const seen = { before: 0, after: 0 };
    for (let form = 0; form < all; form += 1) {
      const old = join(folder, `form-${form}.db`);
      await makeOld(old, makeOlderMigrations(folder, form), form, ROWS[extent]);
      const path = join(folder, "a.db");
      const renew = () => {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
        copyFileSync(old, path);
      };
      renew();
      const wholeMs = await run(path);
      for (let kill = 0; kill < runs; kill += 1) {
        renew();
        await run(path, chance() * wholeMs);
        const applied = await countApplied(path);
        if (applied === form) seen.before += 1;
        else if (applied === all) seen.after += 1;
        else fail(`from form ${form}: ${applied} migrations applied of ${all}`);
        const wrong = await complete(path, form, ROWS[extent]);
        for (const what of wrong) fail(`from form ${form}, killed: ${what}`);
      }
      renew();
      const codes = await Promise.all([open(path).exited, open(path).exited, open(path).exited]);
      if (codes.some((code) => code !== 0)) fail(`from form ${form}, three at once: ${codes}`);
      for (const what of await complete(path, form, ROWS[extent]))
        fail(`from form ${form}, three at once: ${what}`);
    }
    return `${all} forms; after a kill ${seen.before} as before, ${seen.after} up to date, none between`;
  },
);

function open(path: string) {
  return Bun.spawn([process.execPath, join(import.meta.dir, "opener.ts"), path, migrations], {
    cwd: project,
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Lets a process open the database, and kills it after a time; returns how long it took if it was not killed. */
async function run(path: string, killAfterMs?: number): Promise<number> {
  const child = open(path);
  const reader = child.stdout.getReader();
  await reader.read();
  const begunAt = performance.now();
  if (killAfterMs !== undefined) {
    const until = begunAt + killAfterMs;
    // Sleep is too coarse for times of some milliseconds.
    if (killAfterMs > 5) await Bun.sleep(killAfterMs - 3);
    while (performance.now() < until) {}
    child.kill("SIGKILL");
  }
  while (!(await reader.read()).done) {}
  await child.exited;
  return performance.now() - begunAt;
}

async function countApplied(path: string): Promise<number> {
  const client = createClient({ url: `file:${path}` });
  try {
    const { rows } = await client.execute("SELECT count(*) FROM __drizzle_migrations");
    return Number(rows[0]?.[0]);
  } catch {
    return 0;
  } finally {
    client.close();
  }
}

/** A database of an older schema with rows in its tables. */
async function makeOld(path: string, folder: string, form: number, rows: number): Promise<void> {
  const store = await openStore({ url: `file:${path}`, migrations: folder });
  await store.close();
  if (form === 0) return;
  const client = createClient({ url: `file:${path}` });
  const survey = Bun.zstdCompressSync("{}");
  for (let from = 0; from < rows; from += 500) {
    await client.batch(
      Array.from({ length: Math.min(500, rows - from) }, (_, at) => {
        const address = addressOf(from + at);
        return [
          {
            sql: "INSERT INTO reports (address, surveyed_at, scoring_version, live_heard, assessment, survey) VALUES (?, ?, 1, 3, ?, ?)",
            args: [address, AT_MS + from + at, textOf(from + at), survey],
          },
          {
            sql: "INSERT INTO history (address, surveyed_at, purity, band, scoring_version) VALUES (?, ?, 97, 'pristine', 1)",
            args: [address, AT_MS + from + at],
          },
        ];
      }).flat(),
      "write",
    );
  }
  await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  client.close();
}

function addressOf(n: number): string {
  return `8.0.${Math.floor(n / 256)}.${n % 256}`;
}

/** What is stored of the `n`-th address, in the oldest format: a migration changes no document. */
function textOf(n: number): string {
  return JSON.stringify(makeReport(addressOf(n), AT_MS + n).assessment);
}

async function readTexts(path: string): Promise<ReadonlyMap<string, string>> {
  const client = createClient({ url: `file:${path}` });
  const { rows } = await client.execute("SELECT address, assessment FROM reports");
  client.close();
  return new Map(rows.map((row) => [String(row.address), String(row.assessment)]));
}

/** The result of an ordinary start with it. */
async function complete(path: string, form: number, rows: number): Promise<string[]> {
  const wrong: string[] = [];
  const url = `file:${path}`;
  try {
    const store = await openStore({ url, migrations });
    const kept = await readTexts(path);
    for (let n = 0; form > 0 && n < rows; n += 37) {
      const address = addressOf(n);
      if (kept.get(address) !== textOf(n)) wrong.push(`${address} is lost`);
      const history = await store.history(address);
      if (history.length !== 1 || history[0]?.purity !== 97) wrong.push(`history of ${address} is lost`);
    }
    await store.close();
    if ((await countApplied(path)) !== countMigrations()) wrong.push("it was not brought up to date");
    const check = await checkDatabase({ url, migrations });
    wrong.push(...check.problems);
    if (form > 0 && check.reports !== rows) wrong.push(`${check.reports} of ${rows} reports`);
  } catch (error) {
    wrong.push(String(error));
  }
  return wrong;
}

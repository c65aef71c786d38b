import { rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createClient } from "@libsql/client";
import { openStore, StoreError } from "#store";
import { defineCase } from "./case_result.ts";
import { ADDRESSES_OF_ALL, BASE_MS, LANES, planDeed, reportOf, surveyOf } from "./deeds.ts";
import { copyFiles, migrations } from "./folders.ts";
import { Ledger } from "./ledger.ts";
import { spawnWriter } from "./spawn_writer.ts";

const SNAPSHOTS = { quick: 8, full: 200 } as const;
const A_WRITER = 50;

/** Every report that a save or a rescoring may have stored under an address. */
function isOnceWritten(address: string, found: unknown, surveyedAt: number): boolean {
  const of = surveyedAt - BASE_MS;
  for (let lane = 0; lane < LANES; lane += 1) {
    for (const n of [of, of + 2]) {
      const deed = planDeed(lane, n);
      if (deed.kind !== "save" && deed.kind !== "rescore") continue;
      if (deed.address === address && deed.at === surveyedAt) {
        if (isDeepStrictEqual(found, reportOf(deed).assessment)) return true;
      }
    }
  }
  return false;
}

/**
 * Copies the files of a database while a process writes to it, and opens the copy. Half of the copies are of one
 * moment (the process is stopped): they contain everything that was acknowledged. In the others each file is of
 * another moment: they open or are refused, and show only reports that were once stored under the address.
 */
export const takeSnapshots = defineCase(
  "file snapshots taken while a process writes, opened alone",
  SNAPSHOTS,
  async ({ folder, runs, chance, fail }) => {
    const path = join(folder, "a.db");
    const copy = join(folder, "copy.db");
    let whole = 0;
    let tornOpened = 0;
    let tornRefused = 0;
    let writer = spawnWriter(path, new Ledger().next);
    await writer.opened;
    for (let shot = 0; shot < runs; shot += 1) {
      if (shot > 0 && shot % A_WRITER === 0) {
        await writer.kill();
        for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
        writer = spawnWriter(path, new Ledger().next);
        await writer.opened;
      }
      await Bun.sleep(chance() * 120);
      const suffixes = chance() < 0.5 ? ["", "-wal", "-shm"] : ["", "-wal"];
      const isWhole = shot % 2 === 0;
      for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
      if (isWhole) {
        await writer.pause();
        const ledger = new Ledger();
        for (const [lane, n] of writer.acknowledged) ledger.acknowledge(lane, n);
        copyFiles(path, copy, suffixes);
        writer.resume();
        const wrong = await compareWhole(ledger, copy);
        for (const what of wrong) fail(`snapshot ${shot} with ${suffixes.length} files: ${what}`);
        whole += 1;
        continue;
      }
      await copyTorn(path, copy, chance() < 0.5 ? suffixes : suffixes.toReversed(), chance() < 0.5);
      const { isOpened, wrong } = await readTorn(copy);
      if (isOpened) tornOpened += 1;
      else tornRefused += 1;
      for (const what of wrong) fail(`torn snapshot ${shot}: ${what}`);
    }
    await writer.kill();
    return `${whole} of one moment hold all that was acknowledged; of torn ones ${tornOpened} opened, ${tornRefused} refused`;
  },
);

/** A lane may have done one more deed than was read from its pipe, and may have started the next. */
async function compareWhole(ledger: Ledger, copy: string): Promise<readonly string[]> {
  try {
    return await ledger.compare(copy);
  } catch (error) {
    return [String(error)];
  }
}

/** Copies one file after the other; in the worst case a checkpoint happens between them. */
async function copyTorn(
  path: string,
  copy: string,
  suffixes: readonly string[],
  isFolded: boolean,
): Promise<void> {
  const client = createClient({ url: `file:${path}`, timeout: 100 });
  try {
    for (const suffix of suffixes) {
      copyFiles(path, copy, [suffix]);
      if (isFolded) await client.execute("PRAGMA wal_checkpoint(RESTART)").catch(() => undefined);
      await Bun.sleep(15);
    }
  } finally {
    client.close();
  }
}

/**
 * In a copy with pages of two moments, a report may be beside another survey of the same address. The survey has its
 * own time, and the lookup scores only with the survey of the report.
 */
function isWholeSurvey(survey: string): boolean {
  const { at } = JSON.parse(survey) as { at: number };
  return survey === surveyOf(at);
}

async function readTorn(copy: string): Promise<{ readonly isOpened: boolean; readonly wrong: string[] }> {
  const wrong: string[] = [];
  let store: Awaited<ReturnType<typeof openStore>>;
  try {
    store = await openStore({ url: `file:${copy}`, migrations });
  } catch (error) {
    if (!(error instanceof StoreError)) wrong.push(`opening failed with ${String(error)}`);
    return { isOpened: false, wrong };
  }
  for (const address of ADDRESSES_OF_ALL) {
    try {
      const found = await store.find(address);
      if (found?.assessment === undefined) continue;
      if (!isOnceWritten(address, found.assessment, found.surveyedAt))
        wrong.push(`${address}: ${JSON.stringify(found).slice(0, 300)}`);
      const survey = await store.findSurvey(address);
      if (survey !== undefined && !isWholeSurvey(survey)) wrong.push(`${address}: a survey nobody wrote`);
    } catch (error) {
      if (!(error instanceof StoreError)) wrong.push(`${address}: ${String(error)}`);
    }
  }
  await store.close();
  return { isOpened: true, wrong };
}

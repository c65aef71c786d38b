import { rmSync } from "node:fs";
import { join } from "node:path";
import { defineCase } from "./case_result.ts";
import { Ledger } from "./ledger.ts";
import { spawnWriter } from "./spawn_writer.ts";

const KILLS = { quick: 6, full: 180 } as const;
/** After this many deeds the database starts empty again, so that small ones are killed too. */
const KILLS_A_DATABASE = 30;
const LONGEST_MS = 250;

/**
 * Kills a process that writes reports, votes, admissions, challenges and budgets, at any moment, again and again on
 * one database. All acknowledged deeds are there each time, and the one under way is there completely or not at all.
 */
export const killWriters = defineCase(
  "kill -9 of a process that writes",
  KILLS,
  async ({ folder, runs, chance, fail }) => {
    const path = join(folder, "a.db");
    let ledger = new Ledger();
    let acknowledged = 0;
    let early = 0;
    let isBegun = false;
    for (let kill = 0; kill < runs; kill += 1) {
      if (kill % KILLS_A_DATABASE === 0 || !isBegun) {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
        ledger = new Ledger();
      }
      const writer = spawnWriter(path, ledger.next);
      // Some die while they open the database, the first ones while they create it.
      if (chance() < 0.15) {
        await Bun.sleep(60 + chance() * 200);
        early += 1;
      } else {
        await writer.opened;
        await Bun.sleep(chance() * LONGEST_MS);
      }
      await writer.kill();
      for (const [lane, n] of writer.acknowledged) ledger.acknowledge(lane, n);
      acknowledged += writer.count();
      const wrong = await ledger.compare(path).catch((error: unknown) => [String(error)]);
      for (const what of wrong) fail(`kill ${kill}: ${what}`);
      isBegun = wrong.length === 0;
    }
    return `${acknowledged} writes acknowledged, all there; ${early} killed while opening`;
  },
);

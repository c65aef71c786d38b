import { join } from "node:path";
import { defineCase } from "./case_result.ts";
import { LANES } from "./deeds.ts";
import { Ledger } from "./ledger.ts";
import { spawnWriter } from "./spawn_writer.ts";

const ROUNDS = { quick: 2, full: 20 } as const;
const DEEDS = 25;

/**
 * Two processes write to one file at once, both started without a database, each in its own lanes. One ends by itself,
 * or is killed, while the other continues. Nothing of either is lost.
 */
export const shareFile = defineCase(
  "two processes write to one file, one closes or is killed",
  ROUNDS,
  async ({ folder, runs, chance, fail }) => {
    let acknowledged = 0;
    for (let round = 0; round < runs; round += 1) {
      const path = join(folder, `${round}.db`);
      const ledger = new Ledger();
      const half = LANES / 2;
      const lanes = (isMine: (lane: number) => boolean) =>
        ledger.next.map((next, lane): number | "" => (isMine(lane) ? next : ""));
      const mine = lanes((lane) => lane < half);
      const others = lanes((lane) => lane >= half);
      const short = spawnWriter(path, mine, { deeds: DEEDS });
      const long = spawnWriter(path, others);
      const isKilled = round % 2 === 1;
      await Promise.all([short.opened, long.opened]).catch((error: unknown) => {
        fail(`round ${round}: ${String(error)}`);
      });
      if (isKilled) {
        await Bun.sleep(chance() * 200);
        await short.kill();
      } else {
        const code = await short.ended();
        if (code !== 0) fail(`round ${round}: the one that closed ended with ${code}`);
        if (short.count() !== half * DEEDS)
          fail(`round ${round}: ${short.count()} of ${half * DEEDS} writes were acknowledged`);
      }
      const before = long.count();
      const deadline = performance.now() + 5000;
      while (long.count() < before + 20 && performance.now() < deadline) await Bun.sleep(2);
      if (long.count() < before + 20) fail(`round ${round}: the other one stands still`);
      await long.kill();
      for (const writer of [short, long])
        for (const [lane, n] of writer.acknowledged) ledger.acknowledge(lane, n);
      acknowledged += short.count() + long.count();
      const wrong = await ledger.compare(path).catch((error: unknown) => [String(error)]);
      for (const what of wrong) fail(`round ${round}: ${what}`);
    }
    return `${acknowledged} writes acknowledged, all there`;
  },
);

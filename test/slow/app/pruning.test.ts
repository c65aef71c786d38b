import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pruneDaily } from "#app";
import { readConfig } from "#config";
import { createClock, createManualTimers, createTemporaryFolder, startTestService } from "#kit";
import { DAY, NOW, setUpDatabase } from "../../store/three_reports.ts";

const { open, fill, closeLater } = setUpDatabase();

const makeFolder = () => createTemporaryFolder("limpid-pruning-");

describe("pruneDaily()", () => {
  /** Timers that are fired by hand. */
  function start(folder: string, retentionMs: number) {
    const clock = createClock(NOW);
    const { timers, setTimer } = createManualTimers();
    const lines: string[] = [];
    const schedule = pruneDaily(
      { url: `file:${join(folder, "limpid.db")}` },
      {
        retentionMs,
        now: clock.now,
        random: () => 0.5,
        log: (level, event, fields) => void lines.push(`${level} ${event} ${JSON.stringify(fields)}`),
        setTimer,
      },
    );
    /** Fires the newest timer and gives when the next one would. */
    async function fire(): Promise<number | undefined> {
      const count = timers.length;
      timers.at(-1)?.callback();
      for (let turn = 0; turn < 1000 && timers.length === count; turn += 1) await Bun.sleep(5);
      return timers[count]?.delayMs;
    }
    return { schedule, timers, lines, fire };
  }

  test("prunes soon after the start, and then once a day", async () => {
    const folder = await fill();
    const { schedule, timers, lines, fire } = start(folder, 1.5 * DAY);
    closeLater(() => schedule.stop());
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([360_000]);
    expect(await fire()).toBe(DAY);
    expect(lines).toEqual(['info pruned {"reports":1,"history":1,"ms":0}']);
    const store = await open(folder);
    expect(await store.find("9.9.5.2")).toBeDefined();
    expect(await store.find("2620:fe::9")).toBeUndefined();
    expect(await fire()).toBe(DAY);
    expect(lines[1]).toBe('debug pruned {"reports":0,"history":0,"ms":0}');
  });

  test("tries again in an hour when the database does not answer", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "limpid.db"), "x".repeat(9000));
    const before = statSync(join(folder, "limpid.db")).size;
    const { schedule, lines, fire } = start(folder, DAY);
    closeLater(() => schedule.stop());
    expect(await fire()).toBe(3_600_000);
    expect(lines[0]).toStartWith('warn prune_failed {"message":"Cannot prune database');
    expect(readFileSync(join(folder, "limpid.db"))).toHaveLength(before);
  });

  test("runs in a server with LIMPID_RETENTION_DAYS, which stops at once", async () => {
    const context = { sources: [], readSecret: () => "" };
    expect(readConfig({}, context).retentionMs).toBeUndefined();
    expect(readConfig({ LIMPID_RETENTION_DAYS: "30" }, context).retentionMs).toBe(30 * DAY);
    for (const days of ["0", "36501", "1.5", "-1"]) {
      expect(() => readConfig({ LIMPID_RETENTION_DAYS: days }, context)).toThrow(
        "LIMPID_RETENTION_DAYS: must be a whole number from 1 to 36500",
      );
    }
    const service = await startTestService({ env: { LIMPID_LIVE: "0", LIMPID_RETENTION_DAYS: "30" } });
    expect(await service.stop()).toBe(0);
    expect(service.log()).not.toContain("prune_failed");
  });

  test("ends the current run when it is stopped, and starts no other", async () => {
    const folder = await fill();
    const { schedule, timers } = start(folder, DAY);
    timers[0]?.callback();
    await schedule.stop();
    expect(timers).toHaveLength(1);
    expect(timers[0]?.isCancelled).toBe(true);
  });
});

import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readToEnd } from "#kit";
import { openStore } from "#store";
import { beginCounts } from "./begin_counts.ts";
import { defineCase } from "./case_result.ts";
import { migrations, project } from "./folders.ts";
import { keptAt, REPORTS } from "./kept_reports.ts";

const FLIPS = { quick: 16, full: 200 } as const;
/** Damaged copies that one process reads; a copy that kills it is still found. */
const A_READER = 8;
const SECOND_MS = 60_000;

interface Damage {
  readonly name: string;
  readonly path: string;
}

/**
 * Damages copies of a database (flipped bits, swapped pages, a truncated file or log) and reads every address from
 * each in its own process. The copy is refused, or an answer is missing, or the answer is right.
 */
export const flipBytes = defineCase(
  "damaged bytes in the database or its log",
  FLIPS,
  async ({ folder, runs, chance, fail }) => {
    const path = join(folder, "sound.db");
    const store = await openStore({ url: `file:${path}`, migrations });
    for (let n = 0; n < REPORTS; n += 1) await store.save(...keptAt(n));
    for (let n = 0; n < REPORTS; n += 3) {
      await store.ratings.saveVote({
        address: keptAt(n)[0].address,
        scenario: "streaming",
        voter: "v",
        day: 1,
        rating: (n % 5) + 1,
      });
    }
    await store.close();
    const sound = readFileSync(path);
    // One more that is still in the log, with the log beside it.
    const second = join(folder, "logged.db");
    copyFileSync(path, second);
    const logged = await openStore({ url: `file:${second}`, migrations });
    for (let n = 0; n < REPORTS; n += 2) await logged.save(...keptAt(n));
    copyFileSync(`${second}-wal`, join(folder, "log"));
    await logged.close();
    const log = readFileSync(join(folder, "log"));

    const seen = beginCounts();
    let wave: Damage[] = [];
    for (let turn = 0; turn < runs; turn += 1) {
      const damaged = join(folder, `damaged-${turn}.db`);
      wave.push({ name: damage(damaged, { sound, log, chance, turn }), path: damaged });
      if (wave.length < A_READER && turn + 1 < runs) continue;
      await readAll(wave, fail, seen);
      for (const one of wave)
        for (const suffix of ["", "-wal", "-shm"]) rmSync(one.path + suffix, { force: true });
      wave = [];
    }
    return `${seen.refused} refused; of the others ${seen.right} answers right, ${seen.missing} missing, ${seen.unreadable} said to be unreadable; sums of votes ${seen.otherVotes} and conclusions of before ${seen.otherHistory}, counts of sources heard ${seen.otherHeard} not as written, for they carry no checksum`;
  },
);

/** Writes a damaged copy and describes the damage. */
function damage(
  path: string,
  given: {
    readonly sound: Buffer;
    readonly log: Buffer;
    readonly chance: () => number;
    readonly turn: number;
  },
): string {
  const { sound, log, chance, turn } = given;
  const pick = (length: number) => Math.floor(chance() * length);
  const bytes = Buffer.from(sound);
  const pages = Math.floor(bytes.length / 4096);
  switch (turn % 10) {
    case 7: {
      const length = pick(bytes.length);
      writeFileSync(path, bytes);
      truncateSync(path, length);
      return `cut to ${length} of ${bytes.length} bytes`;
    }
    case 8: {
      const [one, other] = [1 + pick(pages - 1), 1 + pick(pages - 1)];
      bytes.set(sound.subarray(one * 4096, one * 4096 + 4096), other * 4096);
      writeFileSync(path, bytes);
      return `page ${one} over page ${other}`;
    }
    case 9: {
      const damaged = Buffer.from(log.subarray(0, chance() < 0.5 ? pick(log.length) : log.length));
      const at = pick(damaged.length);
      if (damaged.length > 0) damaged[at] = (damaged[at] ?? 0) ^ (1 << pick(8));
      writeFileSync(path, bytes);
      writeFileSync(`${path}-wal`, damaged);
      return `log of ${damaged.length} bytes with byte ${at} turned`;
    }
    default: {
      const flips: string[] = [];
      for (let left = 1 + pick(turn % 2 === 0 ? 1 : 16); left > 0; left -= 1) {
        const at = pick(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
        flips.push(String(at));
      }
      writeFileSync(path, bytes);
      return `bytes ${flips.join(", ")} turned`;
    }
  }
}

async function readAll(
  wave: readonly Damage[],
  fail: (what: string) => void,
  seen: Record<string, number>,
): Promise<void> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "damage_reader.ts"), ...wave.map((one) => one.path)],
    { cwd: project, stdout: "pipe", stderr: "pipe" },
  );
  const timer = setTimeout(() => child.kill("SIGKILL"), SECOND_MS);
  const { out, err } = await readToEnd(child);
  clearTimeout(timer);
  const lines = out.split("\n").slice(0, -1);
  for (const [index, one] of wave.entries()) {
    const line = lines[index];
    if (line === undefined) {
      if (index === lines.length)
        fail(`${one.name}: the reader ended (${child.signalCode ?? child.exitCode}) ${err.slice(0, 300)}`);
      continue;
    }
    const { wrong, ...counts } = JSON.parse(line) as { wrong: string[] } & Record<string, number>;
    for (const [kind, count] of Object.entries(counts)) seen[kind] = (seen[kind] ?? 0) + Number(count);
    for (const what of wrong) fail(`${one.name}: ${what}`);
  }
}

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type RunningService,
  startService,
  startUpstreams,
  type TestUpstreams,
  type UpstreamOptions,
} from "#kit";
import { SOURCES } from "#sources";

/** A real service with its own local upstreams and some reports in its database. */
export interface Arrangement {
  readonly upstreams: TestUpstreams;
  readonly service: RunningService;
  /** Addresses whose reports are stored. */
  readonly known: readonly string[];
  /** Processor time of turns of its event loop of 15 ms and more between two moments, milliseconds a second. */
  longTurns(from: number, to: number): number;
  close(): Promise<void>;
}

/** A delay that a visitor does not notice. */
const LONG_TURN_MS = 15;

/** Answers of real upstreams come after this, at least and at most. */
const LEAST_DELAY_MS = 20;
const MOST_DELAY_MS = 200;

/** Surveys asked for at once while the database is filled. */
const LANES = 12;

/** Limits of our own that would change the measurement are off. */
export const NO_BUDGETS = Object.fromEntries(
  SOURCES.filter((source) => source.daily !== undefined).map((source) => [
    `LIMPID_${source.id.toUpperCase()}_DAILY`,
    "100000000",
  ]),
);

/** Limits of a client that no load reaches. */
export const NO_LIMITS = {
  LIMPID_LOOKUPS_PER_MINUTE: "1000000",
  LIMPID_NEW_PER_MINUTE: "1000000",
  LIMPID_OPEN_PER_DAY: "1000000",
  LIMPID_OPEN_PER_MINUTE: "1000000",
  LIMPID_OPEN_DAILY_TOTAL: "1000000000",
};

/** As long as upstreams take, as a rule. */
export function likeUpstreams(): number {
  return LEAST_DELAY_MS + Math.random() * (MOST_DELAY_MS - LEAST_DELAY_MS);
}

/** Starts upstreams and a service, and surveys `known` addresses. These surveys have no upstream delay. */
export async function arrange(options: {
  readonly known: number;
  readonly delayMs?: NonNullable<UpstreamOptions["delayMs"]>;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Arrangement> {
  const { delayMs = () => 0 } = options;
  let isFilling = true;
  const upstreams = await startUpstreams({ delayMs: () => (isFilling ? 0 : delayMs()) });
  const folder = mkdtempSync(join(tmpdir(), "limpid-load-"));
  const turns = join(folder, "turns");
  const service = await startService({
    env: {
      ...upstreams.env,
      ...NO_BUDGETS,
      LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
      BUN_OPTIONS: `--preload=${join(import.meta.dir, "watch_turns.ts")}`,
      TURNS: turns,
      ...options.env,
    },
  });
  const known = Array.from({ length: options.known }, (_, n) => `8.${10 + (n >> 8)}.${n & 255}.9`);
  const queue = [...known];
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
        const response = await fetch(`${service.url}/api/lookup?ip=${address}`);
        if (response.status !== 200) throw new Error(`Cannot survey ${address}: ${await response.text()}`);
        await response.arrayBuffer();
      }
    }),
  );
  isFilling = false;
  upstreams.forget();
  return {
    upstreams,
    service,
    known,
    longTurns(from, to) {
      const lines = existsSync(turns) ? readFileSync(turns, "utf8").trim().split("\n") : [];
      const found = lines.map((line) => line.split(" ").map(Number));
      const long = found.filter(([at = 0, ms = 0]) => at >= from && at < to && ms >= LONG_TURN_MS);
      return (long.reduce((sum, [, ms = 0]) => sum + ms, 0) * 1000) / (to - from);
    },
    async close() {
      await service.close();
      await upstreams.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

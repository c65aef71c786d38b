import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createTemporaryFolder, startService, startUpstreams } from "#kit";
import { likeUpstreams, NO_BUDGETS, NO_LIMITS } from "./arrange.ts";
import { openContainer } from "./container.ts";
import { fillDatabase } from "./fill_database.ts";
import { runLoad } from "./load_plan.ts";
import { freshKind } from "./mix.ts";

const CONTAINER_MB = 256;

/** Where no container can be made, the setting says what the caches get by default in this container. */
const CACHE_MB = 32;

/**
 * A container also holds pages of the program's file. It gives them back when memory is short, down to about this. The
 * memory of the process alone may fill the rest.
 */
const FILE_MB = 24;
const MOST_MB = CONTAINER_MB - FILE_MB;

/** `PROOF=full` for the long form. */
const IS_FULL = Bun.env.PROOF === "full";

const PER_SECOND = 190;
const NEW_LOOKUPS = 4106;
/** More than twelve connections can do, so that none of them is idle. */
const SURVEYS_PER_SECOND = 100;
const SAMPLE_MS = 50;

/**
 * Different stored reports in several formats, and then new addresses, in a control group of 256 MiB with the default
 * settings: the kernel ends the process when it takes more. Where this user cannot make a control group, the case only
 * reads what the process takes beside its files. It reads this every 50 ms in both cases. The runtime reserves more
 * than 6 GB of addresses, so a limit of `ulimit` ends it at the start.
 */
test("stored and new addresses fit into a container of 256 MiB", async () => {
  const folder = createTemporaryFolder("limpid-memory-");
  const container = openContainer(CONTAINER_MB);
  const upstreams = await startUpstreams({ delayMs: likeUpstreams });
  try {
    const addresses = await fillDatabase(folder, IS_FULL ? 18_000 : 1500);
    const service = await startService({
      dataDirectory: folder,
      env: {
        ...upstreams.env,
        ...NO_BUDGETS,
        ...NO_LIMITS,
        ...(container === undefined ? { LIMPID_CACHE_MB: String(CACHE_MB) } : {}),
        LIMPID_LOG: "error",
      },
      ...(container === undefined ? {} : { startedBy: container.enter }),
    });
    let mostMb = 0;
    const watching = setInterval(() => {
      mostMb = Math.max(mostMb, readAnonymousMb(service.process.pid));
      upstreams.forget();
    }, SAMPLE_MS);
    try {
      const paths = addresses.flatMap((address) =>
        IS_FULL
          ? [`/api/lookup?ip=${address}&lang=en`]
          : [`/api/lookup?ip=${address}&lang=en`, `/ip/${address}`, `/en/ip/${address}.txt`],
      );
      const common = { url: service.url, patienceMs: 30_000, perSecond: PER_SECOND };
      const stored = await runLoad({
        ...common,
        mix: [{ name: "stored", weight: 1, paths, statuses: [200] }],
        connections: 16,
        // One pass over all paths.
        seconds: IS_FULL ? 600 : 25,
      });
      expect(stored.total).toMatchObject({ wrong: {}, broken: 0 });
      let surveyed = 0;
      while (surveyed < (IS_FULL ? NEW_LOOKUPS : 1)) {
        const fresh = await runLoad({
          ...common,
          mix: [freshKind(1)],
          connections: 12,
          seconds: IS_FULL ? 20 : 10,
          perSecond: SURVEYS_PER_SECOND,
          freshFrom: 0x300000 + surveyed * 2,
        });
        expect(fresh.total.good).toBeGreaterThan(0);
        surveyed += fresh.total.good;
      }
      const { exitCode, signalCode } = service.process;
      expect({ exitCode, signalCode }).toEqual({ exitCode: null, signalCode: null });
      expect(mostMb).toBeWithin(1, MOST_MB + 1);
    } finally {
      clearInterval(watching);
      await service.close();
    }
  } finally {
    container?.close();
    await upstreams.close();
  }
}, 3_600_000);

/** The memory of a process without pages of files, in MiB (proc(5)); 0 when it has ended. */
function readAnonymousMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

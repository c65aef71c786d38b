import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService, startUpstreams } from "#kit";
import { likeUpstreams, NO_BUDGETS, NO_LIMITS } from "./arrange.ts";
import { type CaseResult, type Extent, openFindings } from "./case_result.ts";
import { fillDatabase } from "./fill_database.ts";
import { freshKind } from "./mix.ts";
import { startLoad } from "./start_load.ts";

/** The container. The service does not see it, so the setting says what its caches would get in it. */
const CONTAINER_MB = 256;
const CACHE_MB = 32;

/**
 * A container also holds pages of the program's file. It gives them back when memory is short, down to about this. The
 * memory of the process alone may fill the rest.
 */
const FILE_MB = 24;
const MOST_MB = CONTAINER_MB - FILE_MB;

const PER_SECOND = 190;
const NEW_LOOKUPS = 4106;
const SAMPLE_MS = 50;

/**
 * Different stored reports in several formats, and then new addresses, with the memory of a small container: what the
 * process takes beside its files stays below the limit, seen from outside every 50 ms. The runtime reserves more than
 * 6 GB of addresses, so a limit of `ulimit` ends it at the start.
 */
export async function memory(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const isFull = extent === "full";
  const folder = mkdtempSync(join(tmpdir(), "limpid-memory-"));
  const upstreams = await startUpstreams({ delayMs: likeUpstreams });
  try {
    const addresses = await fillDatabase(folder, isFull ? 18_000 : 1500);
    const service = await startService({
      dataDirectory: folder,
      env: {
        ...upstreams.env,
        ...NO_BUDGETS,
        ...NO_LIMITS,
        LIMPID_CACHE_MB: String(CACHE_MB),
        LIMPID_LOG: "error",
      },
    });
    let mostMb = 0;
    const watching = setInterval(() => {
      mostMb = Math.max(mostMb, readAnonymousMb(service.process.pid));
      upstreams.forget();
    }, SAMPLE_MS);
    try {
      const paths = addresses.flatMap((address) =>
        isFull
          ? [`/api/lookup?ip=${address}&lang=en`]
          : [`/api/lookup?ip=${address}&lang=en`, `/ip/${address}`, `/en/ip/${address}.txt`],
      );
      const common = { url: service.url, patienceMs: 30_000 };
      const stored = await startLoad({
        ...common,
        mix: [{ name: "stored", weight: 1, paths, statuses: [200] }],
        connections: 16,
        seconds: isFull ? 600 : 40,
        perSecond: PER_SECOND,
      }).result;
      see(`${stored.total.good} answers about ${addresses.length} stored addresses: at most ${mostMb} MiB`);
      let surveyed = 0;
      while (surveyed < (isFull ? NEW_LOOKUPS : 1)) {
        const fresh = await startLoad({
          ...common,
          mix: [freshKind(1)],
          connections: 12,
          seconds: 20,
          freshFrom: 0x300000 + surveyed * 2,
        }).result;
        surveyed += fresh.total.good;
        check("new addresses are answered", fresh.total.good > 0);
        if (fresh.total.good === 0) break;
      }
      see(`${surveyed} new addresses: at most ${mostMb} MiB`);
      check("the service was not ended", service.process.exitCode === null);
      check(
        `no answer is wrong: ${JSON.stringify(stored.total.wrong)}`,
        Object.keys(stored.total.wrong).length === 0,
      );
      check(`at most ${MOST_MB} MiB: ${mostMb}`, mostMb > 0 && mostMb <= MOST_MB);
    } finally {
      clearInterval(watching);
      await service.close();
    }
  } finally {
    await upstreams.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return findings;
}

/** The memory of a process without pages of files, in MiB (proc(5)); 0 when it has ended. */
function readAnonymousMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

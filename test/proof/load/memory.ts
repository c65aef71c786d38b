import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService, startUpstreams } from "#kit";
import type { Extent } from "../run_cases.ts";
import { likeUpstreams, NO_BUDGETS, NO_LIMITS } from "./arrange.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { openContainer } from "./container.ts";
import { fillDatabase } from "./fill_database.ts";
import { freshKind } from "./mix.ts";
import { startLoad } from "./start_load.ts";

const CONTAINER_MB = 256;

/** Where no container can be made, the setting says what the caches get by default in this container. */
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
 * Different stored reports in several formats, and then new addresses, in a control group of 256 MiB with the default
 * settings: the kernel ends the process when it takes more. Where this user cannot make a control group, the case only
 * reads what the process takes beside its files. It reads this every 50 ms in both cases. The runtime reserves more
 * than 6 GB of addresses, so a limit of `ulimit` ends it at the start.
 */
export async function memory(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const isFull = extent === "full";
  const folder = mkdtempSync(join(tmpdir(), "limpid-memory-"));
  const container = openContainer(CONTAINER_MB);
  const upstreams = await startUpstreams({ delayMs: likeUpstreams });
  try {
    const addresses = await fillDatabase(folder, isFull ? 18_000 : 1500);
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
    see(
      container === undefined
        ? "no control group: this user cannot make one"
        : `control group of ${CONTAINER_MB} MiB`,
    );
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
      check(
        `the service was not ended: exit ${service.process.exitCode}, signal ${service.process.signalCode}`,
        service.process.exitCode === null && service.process.signalCode === null,
      );
      if (container !== undefined)
        see(`the control group held at most ${container.mostMb()} MiB, with pages of files`);
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
    container?.close();
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

import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Case, defineCase } from "./case_result.ts";
import { createFailingDisk, type Errno } from "./failing_disk.ts";
import { addressAt, lookUp, openServiceSetup } from "./service_setup.ts";

/** The writes that fail first. */
const WRITES = { quick: [1, 2, 5, 12], full: Array.from({ length: 40 }, (_, index) => index + 1) } as const;
const MOST_LOOKUPS = 120;
const LOG_MS = 1000;
/** The longest delay of a log line. */
const SETTLE_MS = 40;
const PATIENCE_MS = 20_000;

/**
 * Makes the n-th write of a running `limpid serve` fail, and all later ones, until the disk works again. The service
 * continues to answer, logs that it cannot write, and writes again without a restart. At the end the database contains
 * everything that it surveyed. Undefined without a C compiler.
 */
export function failWrites(errno: Errno): Case {
  const runs = { quick: WRITES.quick.length, full: WRITES.full.length };
  const name = `${errno} from the n-th write of a running service on`;
  return defineCase(name, runs, async ({ folder, extent, fail }) => {
    const data = join(realpathSync(folder), "data");
    mkdirSync(data);
    const disk = createFailingDisk(folder, data);
    if (disk === undefined) return undefined;
    const setup = await openServiceSetup(data);
    const asked: string[] = [];
    let next = 0;
    let failedWrites = 0;
    let late = 0;
    try {
      const service = await setup.start(disk.env);
      const look = async (during: string) => {
        const ip = addressAt(next++);
        const looked = await lookUp(service, ip).catch((error: unknown) => String(error));
        if (typeof looked === "string") fail(`${during}: ${ip} got no answer: ${looked}`);
        else if (looked.status !== 200 || looked.ip !== ip)
          fail(`${during}: ${ip} got ${looked.status} about ${looked.ip}`);
        asked.push(ip);
      };
      const saysIt = (from: number) => service.log().slice(from).includes("store_unwritable");
      for (const n of WRITES[extent]) {
        const during = `${errno} from write ${n} on`;
        const from = service.log().length;
        disk.failFrom(n, errno);
        for (let left = MOST_LOOKUPS; left > 0 && !saysIt(from); left -= 1) await look(during);
        for (let left = LOG_MS; left > 0 && !saysIt(from); left -= 20) await Bun.sleep(20);
        if (!saysIt(from)) fail(`${during}: nothing says store_unwritable`);
        const old = asked[0];
        if (old !== undefined && (await lookUp(service, old)).status !== 200)
          fail(`${during}: what is known is not answered`);
        const failed = disk.heal();
        failedWrites += failed;
        if (failed === 0) fail(`${during}: no write has failed`);
        // At once, not after a pause.
        await Bun.sleep(SETTLE_MS);
        const recovered = service.log().length;
        await look(`after ${during}`);
        await Bun.sleep(SETTLE_MS);
        if (saysIt(recovered)) fail(`after ${during}: it still cannot write`);
      }
      // Failed saves are repeated later without a request.
      const deadline = Date.now() + PATIENCE_MS;
      let unkept = asked;
      for (;;) {
        unkept = await findUnkept(data, unkept);
        if (unkept.length === 0 || Date.now() > deadline) break;
        late = Math.max(late, unkept.length);
        await Bun.sleep(500);
      }
      for (const ip of unkept) fail(`${ip} was surveyed and is not kept`);
      await service.stop("SIGKILL");
      const again = await setup.start();
      setup.upstreams.forget();
      for (const ip of asked.slice(-20)) {
        const looked = await lookUp(again, ip);
        if (looked.source !== "store" || looked.ip !== ip)
          fail(`after kill -9: ${ip} comes ${looked.source}`);
      }
      if (setup.upstreams.queryCount() > 0) fail("after kill -9 an upstream was queried again");
    } finally {
      await setup.close();
    }
    return `${asked.length} lookups answered, ${failedWrites} writes failed, ${late} reports kept late`;
  });
}

async function findUnkept(data: string, ips: readonly string[]): Promise<string[]> {
  const { createClient } = await import("@libsql/client");
  const client = createClient({ url: `file:${join(data, "limpid.db")}`, timeout: 1000 });
  try {
    const { rows } = await client.execute("SELECT address FROM reports");
    const kept = new Set(rows.map((row) => String(row.address)));
    return ips.filter((ip) => !kept.has(ip));
  } finally {
    client.close();
  }
}

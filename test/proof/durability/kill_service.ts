import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { checkDatabase } from "#store";
import { defineCase } from "./case_result.ts";
import { migrations } from "./folders.ts";
import { addressAt, lookUp, openServiceSetup } from "./service_setup.ts";

const KILLS = { quick: 2, full: 20 } as const;
const AT_ONCE = 4;
const LONGEST_MS = 5000;
const LEFT = "x-open-budget-remaining";

/**
 * Kills a running `limpid serve` under load. Afterwards every report that a client got comes unchanged from the
 * database without a query to a source, every survey of a visitor is counted, and the file is sound.
 */
export const killService = defineCase(
  "kill -9 of limpid serve under load",
  KILLS,
  async ({ folder, runs, chance, fail }) => {
    const data = join(folder, "data");
    mkdirSync(data);
    const setup = await openServiceSetup(data);
    /** Visitors come through a trusted proxy with a large daily allowance; the checking client is exempt. */
    const env = {
      LIMPID_TRUSTED_PROXIES: "127.0.0.1",
      LIMPID_OPEN_PER_DAY: "1000",
      LIMPID_OPEN_PER_MINUTE: "100000",
      LIMPID_OPEN_DAILY_TOTAL: "1000000",
    };
    const given: { readonly ip: string; readonly surveyedAt: string }[] = [];
    let next = 0;
    let spent = 0;
    try {
      for (let kill = 0; kill < runs; kill += 1) {
        const visitors = Array.from(
          { length: AT_ONCE },
          (_, at) => `203.0.113.${(kill * AT_ONCE + at) % 250}`,
        );
        const leftBy = new Map<string, number>();
        const service = await setup.start(env);
        let isDead = false;
        const load = visitors.map(async (visitor) => {
          // Fewer than a visitor may ask for in a minute.
          for (let turn = 0; turn < 9 && !isDead; turn += 1) {
            const ip = addressAt(next++);
            try {
              const response = await fetch(`${service.url}/api/lookup?ip=${ip}&lang=en`, {
                headers: { "x-forwarded-for": visitor },
              });
              const body = (await response.json()) as Record<string, unknown>;
              if (response.status !== 200) {
                fail(`kill ${kill}: ${ip} got ${response.status}`);
                continue;
              }
              given.push({ ip, surveyedAt: String(body.queriedAt) });
              leftBy.set(visitor, Number(response.headers.get(LEFT)));
              spent += 1;
            } catch {
              // It was killed during this deed, which was not acknowledged.
            }
          }
        });
        const wanted = given.length + 1 + Math.floor(chance() * 16);
        const deadline = performance.now() + LONGEST_MS;
        while (given.length < wanted && performance.now() < deadline) await Bun.sleep(1);
        await Bun.sleep(chance() * 100);
        isDead = true;
        await service.stop("SIGKILL");
        await Promise.all(load);

        const check = await checkDatabase({ url: `file:${join(data, "limpid.db")}`, migrations });
        for (const problem of check.problems) fail(`kill ${kill}: ${problem}`);
        const again = await setup.start(env);
        setup.upstreams.forget();
        for (const { ip, surveyedAt } of given.slice(-40)) {
          const looked = await lookUp(again, ip);
          if (looked.source !== "store" || looked.ip !== ip)
            fail(`kill ${kill}: ${ip} comes ${looked.source} about ${looked.ip}`);
          else if (looked.surveyedAt !== surveyedAt)
            fail(`kill ${kill}: ${ip} is of ${looked.surveyedAt}, given was ${surveyedAt}`);
        }
        if (setup.upstreams.queryCount() > 0) fail(`kill ${kill}: an upstream was queried again`);
        const known = given[0];
        for (const [visitor, left] of leftBy) {
          if (known === undefined) break;
          const response = await fetch(`${again.url}/api/lookup?ip=${known.ip}&lang=en`, {
            headers: { "x-forwarded-for": visitor },
          });
          await response.arrayBuffer();
          const now = Number(response.headers.get(LEFT));
          // An admission that was under way at its death may have been counted.
          if (now > left || now < left - 1)
            fail(`kill ${kill}: ${visitor} has ${now} left, was told ${left}`);
        }
        await again.stop("SIGKILL");
      }
    } finally {
      await setup.close();
    }
    if (given.length === 0) fail("no report was given, nothing is proved");
    return `${given.length} reports given and ${spent} surveys spent, all there`;
  },
);

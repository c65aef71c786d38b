import { describe, expect, test } from "bun:test";
import { document } from "../../http/kit/open_app.ts";
import { openVictim } from "../attack/open_victim.ts";
import { type Fuzzing, fuzzRequests } from "./fuzz_requests.ts";
import { makeRequests } from "./make_requests.ts";
import { openFuzzApp } from "./open_fuzz_app.ts";

/** `PROOF=full` is the long form; `PROOF_COUNT` sets its length. */
const isLong = Bun.env.PROOF === "full";
const count = isLong ? Number(Bun.env.PROOF_COUNT ?? 100_000) : 3_000;
const seed = Number(Bun.env.PROOF_SEED ?? 20_260_115);
const requests = makeRequests(document);

/** Headers of the connection, which are no part of the interface. */
const TRANSPORT = ["transfer-encoding", "connection", "keep-alive"];

async function sendOver(request: Request): Promise<Response> {
  const response = await fetch(request);
  const headers = new Headers(response.headers);
  for (const name of TRANSPORT) headers.delete(name);
  return new Response(response.body, { status: response.status, headers });
}

/** More than a long run takes on a slow machine. */
const MOST_MS = 3_600_000;

function tell(
  name: string,
  { requests: sent, statuses, slowestMs, heaps }: Fuzzing,
  startedAt: number,
): void {
  if (!isLong) return;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const megabytes = heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(", ");
  console.log(
    `${name}: ${sent} requests in ${seconds} s, slowest ${slowestMs.toFixed(0)} ms, heap by quarter ${megabytes} MB`,
  );
  console.log(
    `  ${Object.entries(statuses)
      .map(([status, times]) => `${status}: ${times}`)
      .join(", ")}`,
  );
}

describe("generated requests are answered as described, quickly, and without an internal error", () => {
  test(
    "by the app",
    async () => {
      const { send, testApp } = openFuzzApp();
      const startedAt = performance.now();
      const app = { requests, description: document, origin: "http://localhost", send };
      const fuzzing = await fuzzRequests({ ...app, count, seed });
      tell("app", fuzzing, startedAt);
      expect(fuzzing.requests).toBeGreaterThan(count * 0.9);
      // Otherwise the test would have tried nothing.
      for (const status of [200, 204, 304, 308, 400, 403, 404, 405, 414, 429, 503])
        expect(fuzzing.statuses[status], `${status}`).toBeGreaterThan(0);
      expect(testApp.logs.filter(({ level }) => level === "error")).toEqual([]);
      const [, early = 0, , late = 0] = fuzzing.heaps;
      expect(late).toBeLessThan(early * 1.5 + 20e6);
    },
    MOST_MS,
  );

  test(
    "by a process over its port",
    async () => {
      const victim = await openVictim({ LIMPID_LOG: "error" });
      try {
        const startedAt = performance.now();
        const port = { requests, description: document, origin: victim.url, send: sendOver };
        tell(
          "port",
          await fuzzRequests({ ...port, count: Math.round(count / 20), seed: seed + count }),
          startedAt,
        );
        expect(victim.log()).toBe("");
      } finally {
        await victim.close();
      }
    },
    MOST_MS,
  );
});

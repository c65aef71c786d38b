import { describe, expect, test } from "bun:test";
import { setUpService } from "#kit";
import { document } from "../../http/kit/open_app.ts";
import { fuzzRequests } from "./fuzz_requests.ts";
import { makeRequests } from "./make_requests.ts";
import { openFuzzApp } from "./open_fuzz_app.ts";

/** `PROOF=full` is the long form; `PROOF_COUNT` sets its length, `PROOF_SEED` its seed. */
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

const victim = setUpService({ LIMPID_BASE_URL: "https://limpid.test", LIMPID_LOG: "error" });

describe("generated requests are answered as described, quickly, and without an internal error", () => {
  test(
    "by the app",
    async () => {
      const { send, testApp } = openFuzzApp();
      const app = { requests, description: document, origin: "http://localhost", send };
      const fuzzing = await fuzzRequests({ ...app, count, seed });
      expect(fuzzing.requests).toBeGreaterThan(count * 1.8);
      // Otherwise the test would have tried nothing.
      for (const status of [200, 204, 304, 308, 400, 403, 404, 405, 414, 429, 503])
        expect(fuzzing.statuses[status], `${status}`).toBeGreaterThan(0);
      expect(testApp.logs.filter(({ level }) => level === "error")).toEqual([]);
    },
    MOST_MS,
  );

  test(
    "by a process over its port",
    async () => {
      const port = { requests, description: document, origin: victim.url, send: sendOver };
      await fuzzRequests({ ...port, count: Math.round(count / 20), seed: seed + count });
      expect(victim.log()).toBe("");
    },
    MOST_MS,
  );
});

import { afterAll, describe, expect, test } from "bun:test";
import type { LoadKind } from "./load_plan.ts";
import { runLoad } from "./start_load.ts";

const STALL_MS = 400;

let stallsAt = Number.POSITIVE_INFINITY;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (performance.now() >= stallsAt) {
      stallsAt = Number.POSITIVE_INFINITY;
      Bun.sleepSync(STALL_MS);
    }
    switch (pathname) {
      case "/refused":
        return new Response("busy", { status: 503, headers: { "retry-after": "3" } });
      case "/mute":
        return new Response("busy", { status: 429 });
      case "/chunks":
        return new Response(
          new ReadableStream({
            async start(controller) {
              for (const part of ["event: a\n\n", "event: b\n\n"]) {
                controller.enqueue(part);
                await Bun.sleep(5);
              }
              controller.close();
            },
          }),
        );
      case "/never":
        return new Promise<Response>(() => {});
      case "/wrong":
        return new Response("no", { status: 500 });
      default:
        return new Response("x".repeat(20_000));
    }
  },
});
afterAll(() => server.stop(true));

function kind(path: string, more: Partial<LoadKind> = {}): LoadKind {
  return { name: path, weight: 1, paths: [path], statuses: [200], ...more };
}

const PLAN = { url: server.url.origin, connections: 8, patienceMs: 500 } as const;

describe("runLoad()", () => {
  test("counts the requests that a stalled server delays", async () => {
    stallsAt = performance.now() + 500;
    const { total, offered, trace } = await runLoad({
      ...PLAN,
      mix: [kind("/")],
      perSecond: 200,
      seconds: 1.5,
      patienceMs: 5000,
      trace: true,
    });
    expect(offered).toBe(300);
    expect(total.asked).toBeGreaterThan(200);
    expect(total.ms.most).toBeGreaterThan(STALL_MS * 0.8);
    // Half of those who were to come in the stall waited more than half of it, though most had no connection yet.
    expect(trace.filter(([, ms]) => ms > STALL_MS / 2).length).toBeGreaterThan(200 * (STALL_MS / 1000) * 0.3);
  });

  test("distinguishes right, refused, silent, wrong and missing answers", async () => {
    const { kinds, total } = await runLoad({
      ...PLAN,
      mix: ["/", "/refused", "/mute", "/chunks", "/wrong", "/never"].map((path) => kind(path)),
      connections: 64,
      perSecond: 120,
      seconds: 1,
      patienceMs: 2000,
    });
    for (const path of ["/", "/chunks"]) {
      expect(kinds[path]?.good).toBeGreaterThan(5);
      expect(kinds[path]?.good).toBe(kinds[path]?.asked as number);
    }
    expect(kinds["/refused"]).toMatchObject({ good: 0, mute: 0, refused: kinds["/refused"]?.asked });
    expect(kinds["/mute"]).toMatchObject({ refused: kinds["/mute"]?.asked, mute: kinds["/mute"]?.asked });
    expect(kinds["/wrong"]?.wrong).toEqual({ "500": kinds["/wrong"]?.asked as number });
    expect(kinds["/never"]).toMatchObject({ good: 0, gaveUp: kinds["/never"]?.asked });
    expect(total.broken).toBe(0);
  });

  test("counts requests that get no connection in time", async () => {
    const { offered, unsent, total } = await runLoad({
      ...PLAN,
      mix: [kind("/never")],
      connections: 2,
      perSecond: 100,
      seconds: 1,
      patienceMs: 300,
    });
    expect(unsent).toBeGreaterThan(20);
    expect(unsent + total.asked).toBe(offered);
  });

  test("opens a new connection after a close by either side", async () => {
    const { kinds } = await runLoad({
      ...PLAN,
      mix: [kind("/never", { name: "leaver", leaveMs: 10 }), kind("/", { headers: { connection: "close" } })],
      perSecond: 100,
      seconds: 1,
    });
    expect(kinds.leaver).toMatchObject({ good: 0, gaveUp: 0, broken: 0 });
    expect(kinds["/"]?.good).toBe(kinds["/"]?.asked as number);
    expect(kinds["/"]?.good).toBeGreaterThan(20);
  });
});

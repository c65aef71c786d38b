import { beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type RunningService, setUp } from "#kit";
import { solveCheck } from "../http/kit/solve_check.ts";

const LEFT = "x-open-budget-remaining";

const setup = setUp("each");
let folder: string;
let running: RunningService[];

beforeEach(() => {
  folder = setup.makeFolder();
  running = [];
});

async function start(env: Record<string, string> = {}): Promise<RunningService> {
  const service = await setup.start({ LIMPID_EXEMPT_CLIENTS: "", ...env }, { dataDirectory: folder });
  running.push(service);
  return service;
}

function ask(service: RunningService, ip: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.url}/api/lookup?ip=${ip}&lang=en`, { headers });
}

async function post(service: RunningService, path: string, body: unknown, headers = {}): Promise<Response> {
  return await fetch(`${service.url}${path}?lang=en`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url, ...headers },
    body: JSON.stringify(body),
  });
}

describe("limpid serve, to visitors without a check", () => {
  test("admits five a day, over a restart between the fifth and the sixth and over kill -9", async () => {
    let service = await start();
    for (const [at, ip] of ["8.8.4.101", "8.8.4.102"].entries()) {
      const response = await ask(service, ip);
      expect(response.status).toBe(200);
      expect(response.headers.get(LEFT)).toBe(String(4 - at));
    }
    await service.stop("SIGKILL");
    service = await start();
    for (const [at, ip] of ["8.8.4.103", "8.8.4.104", "8.8.4.105"].entries()) {
      expect((await ask(service, ip)).headers.get(LEFT)).toBe(String(2 - at));
    }
    expect(await service.stop()).toBe(0);
    service = await start();
    setup.upstreams.forget();
    const refused = await ask(service, "8.8.4.106");
    expect(refused.status).toBe(403);
    expect(refused.headers.get(LEFT)).toBe("0");
    expect(await refused.json()).toMatchObject({
      code: "verification_required",
      reportUrl: `${service.url}/en/ip/8.8.4.106`,
    });
    expect(setup.upstreams.queryCount()).toBe(0);
    const known = await ask(service, "8.8.4.101");
    expect(known.status).toBe(200);
    expect(await known.json()).toMatchObject({ source: "store" });
    expect(setup.upstreams.queryCount()).toBe(0);
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
    // No stored file and no log line contains the address of the client.
    for (const name of ["limpid.db", "limpid.db-wal"]) {
      const path = join(folder, name);
      const bytes =
        statSync(path, { throwIfNoEntry: false }) === undefined ? "" : readFileSync(path, "latin1");
      expect(bytes).not.toContain("127.0.0.1");
    }
    for (const one of running) expect(one.log()).not.toContain("127.0.0.1");
  });

  test("lets who solves the check on, shows the survey, and answers everyone from the database then", async () => {
    let service = await start({ LIMPID_OPEN_PER_DAY: "0" });
    const ip = "8.8.4.110";
    const page = await fetch(`${service.url}/en/ip/${ip}`);
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('id="check"');
    for (const file of ["check.js", "altcha.js", "altcha_worker.js"]) {
      const script = await fetch(`${service.url}/static/${file}`);
      expect(script.status).toBe(200);
      expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    }

    const challenge = await fetch(`${service.url}/api/challenge?ip=${ip}&action=lookup`);
    const solution = { ip, action: "lookup", payload: await solveCheck((await challenge.json()) as never) };
    const verified = await post(service, "/api/verify", solution);
    expect(verified.status).toBe(200);
    const cookie = verified.headers.get("set-cookie")?.split(";")[0] ?? "";

    const progress = await fetch(`${service.url}/api/progress?ip=${ip}&lang=en`, { headers: { cookie } });
    expect(progress.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const names = [...(await progress.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    expect(names.at(0)).toBe("started");
    expect(names.filter((name) => name === "source").length).toBeGreaterThan(20);
    expect(names.at(-1)).toBe("report");

    setup.upstreams.forget();
    expect((await ask(service, ip)).status).toBe(200);
    expect((await ask(service, "8.8.4.111")).status).toBe(403);
    expect((await ask(service, "8.8.4.111", { cookie })).status).toBe(200);

    // A crash loses neither the pass nor the record of a used check.
    await service.stop("SIGKILL");
    service = await start({ LIMPID_OPEN_PER_DAY: "0" });
    expect((await ask(service, "8.8.4.112", { cookie })).status).toBe(200);
    const replayed = await post(service, "/api/verify", solution);
    expect(replayed.status).toBe(403);
    expect(await replayed.json()).toMatchObject({ error: "This human verification was already used." });
    const rated = await post(service, "/api/feedback", { scenario: "ai", rating: 5 }, { cookie });
    expect(rated.status).toBe(400);
    expect(await rated.json()).toMatchObject({ code: "invalid_ip" });
  });
});

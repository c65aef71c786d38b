import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createTemporaryFolder,
  MIGRATIONS,
  type RunningService,
  runLimpid,
  startService,
  startUpstreams,
} from "#kit";
import { openStore } from "#store";
import { readWebhookSecret, signEvent } from "#watch";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const folder = createTemporaryFolder("limpid-watch-");
const list = join(folder, "watch.csv");
const base = { LIMPID_DATA_DIR: join(folder, "data"), LIMPID_FEEDS: "0", LIMPID_LIVE: "0" };

interface Message {
  readonly id: string;
  readonly seconds: string;
  readonly signature: string;
  readonly body: string;
}
const messages: Message[] = [];
let status = 204;
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const read = (name: string) => request.headers.get(`webhook-${name}`) ?? "";
    const body = await request.text();
    messages.push({ id: read("id"), seconds: read("timestamp"), signature: read("signature"), body });
    return new Response(null, { status });
  },
});
afterAll(() => receiver.stop(true));

const hook = {
  LIMPID_WATCH_URL: `http://127.0.0.1:${receiver.port}/key-in-the-path`,
  LIMPID_WATCH_SECRET: SECRET,
};

describe("limpid watch test", () => {
  test("sends a signed message", async () => {
    const { code, out } = await runLimpid(["watch", "test"], { ...base, ...hook, LIMPID_WATCH_PRIVATE: "1" });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^sent evt_test_\w+\n$/) });
    const { id, seconds, signature, body } = messages.at(-1) ?? expect.unreachable();
    const key = readWebhookSecret(SECRET) ?? expect.unreachable();
    expect(signature).toBe(signEvent(key, id, Number(seconds), body));
    expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(30);
    expect(JSON.parse(body)).toMatchObject({ type: "watch.test" });
  });

  test("refuses a private receiver, and names no URL when it fails", async () => {
    const refused = await runLimpid(["watch", "test"], { ...base, ...hook });
    expect(refused).toMatchObject({ code: 3, err: expect.stringMatching(/its address is not public\n$/) });
    status = 500;
    const failed = await runLimpid(["watch", "test"], { ...base, ...hook, LIMPID_WATCH_PRIVATE: "1" });
    expect(failed).toMatchObject({ code: 3, err: expect.stringMatching(/: it answers 500\n$/) });
    expect(failed.err + refused.err).not.toContain("key-in-the-path");
  });

  test("needs a webhook, and refuses other words", async () => {
    expect(await runLimpid(["watch", "test"], base)).toMatchObject({ code: 78 });
    expect(await runLimpid(["watch"], base)).toMatchObject({ code: 64 });
    for (const wrong of [
      { LIMPID_WATCH_URL: hook.LIMPID_WATCH_URL },
      { ...hook, LIMPID_WATCH_SECRET: "whsec_short" },
      { ...hook, LIMPID_WATCH_URL: "ftp://example.org/" },
    ])
      expect(await runLimpid(["watch", "test"], { ...base, ...wrong })).toMatchObject({ code: 78 });
  });
});

test("a change of a name's address reaches the webhook, when a second survey has heard it", async () => {
  const { gateway, dns, env, close } = await startUpstreams();
  const dataDirectory = createTemporaryFolder("limpid-watched-");
  const names = join(folder, "names.csv");
  writeFileSync(names, "exit.example.org, Frankfurt\n");
  const told: { readonly id: string; readonly type: string; readonly data: Record<string, string> }[] = [];
  let isVpn = false;
  dns.on("exit.example.org", "A", ["8.8.4.66"]);
  dns.on("hooks.example.org", "A", ["81.2.69.77"]);
  gateway.on("api.ip2location.io", /8\.8\.4\.66/, () => ({
    json: { ip: "8.8.4.66", country_code: "US", is_proxy: isVpn, proxy: { is_vpn: isVpn } },
  }));
  gateway.on("hooks.example.org", "/limpid?key=1", ({ headers, body }) => {
    told.push({ id: headers.get("webhook-id") ?? "", ...JSON.parse(body) });
    return { status: 204 };
  });
  const own = {
    ...env,
    LIMPID_WATCH: names,
    LIMPID_WATCH_URL: "https://hooks.example.org/limpid?key=1",
    LIMPID_WATCH_SECRET: SECRET,
  };

  /** Makes the address due, and runs a service until its turn is over. Returns what is known then. */
  async function takeTurn(): Promise<string> {
    const { watches, close } = await openStore({
      url: `file:${join(dataDirectory, "limpid.db")}`,
      migrations: MIGRATIONS,
    });
    const find = async () => (await watches.readDue()).get("8.8.4.66") ?? 0;
    const readState = async (to: number) => (await watches.take("8.8.4.66", await find(), to)) ?? "";
    await watches.plan(new Map([["8.8.4.66", 1]]), []);
    const before = await readState(1);
    const service = await startService({ env: own, dataDirectory });
    let after = before;
    for (let tries = 0; tries < 200 && (after === before || after === ""); tries++) {
      await Bun.sleep(50);
      after = await readState(await find());
    }
    await Bun.sleep(500);
    await service.close();
    await close();
    return after;
  }

  expect(await takeTurn()).toContain('"address":"8.8.4.66"');
  isVpn = true;
  expect(await takeTurn()).toContain('"isVpn":true');
  expect(told).toEqual([]);
  await takeTurn();
  expect(told).toContainEqual(
    expect.objectContaining({
      type: "address.flag_on",
      data: expect.objectContaining({ name: "exit.example.org", label: "Frankfurt", what: "isVpn" }),
    }),
  );
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  const count = told.length;
  await takeTurn();
  expect(told).toHaveLength(count);
  await close();
}, 120_000);

describe("a service with a watch list", () => {
  let service: RunningService;
  beforeAll(async () => {
    writeFileSync(list, "81.2.69.1, mine\n81.2.69.2\n");
    service = await startService({ env: { LIMPID_WATCH: list, LIMPID_LIVE: "0" } });
  });
  afterAll(() => service.close());

  test("watches its addresses, and says so in the metrics", async () => {
    let metrics = "";
    for (let tries = 0; tries < 100 && !metrics.includes("limpid_watch_addresses 2"); tries++) {
      await Bun.sleep(50);
      metrics = await (await fetch(`${service.url}/metrics`)).text();
    }
    expect(metrics).toContain("\nlimpid_watch_addresses 2\n");
    expect(metrics).toContain("\nlimpid_watch_waiting 0\n");
  });

  test("does not start with a wrong list, or as a mirror", async () => {
    const wrong = join(folder, "wrong.csv");
    writeFileSync(wrong, "81.2.69.1\n10.0.0.1\n");
    const ended = await runLimpid(["serve", "--port", "0"], { ...base, LIMPID_WATCH: wrong });
    expect(ended).toMatchObject({
      code: 78,
      err: expect.stringContaining("row 2: the address is not public"),
    });
    const mirror = { ...base, LIMPID_WATCH: list, LIMPID_MIRROR_OF: "http://127.0.0.1:9" };
    expect(await runLimpid(["serve"], mirror)).toMatchObject({
      code: 78,
      err: expect.stringContaining("LIMPID_WATCH: cannot be set together with LIMPID_MIRROR_OF"),
    });
  });
});

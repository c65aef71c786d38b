import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { cleanUpLater, createTemporaryFolder, startDnsServer, startGateway, startTestService } from "#kit";

const project = join(import.meta.dir, "../../..");

test("SIGHUP ends the service as SIGTERM does", async () => {
  const service = await startTestService({ env: { LIMPID_LIVE: "0" } });
  expect(await service.stop("SIGHUP")).toBe(0);
  expect(service.log()).toContain('"signal":"SIGHUP"');
});

test("a shutdown takes less than 10 s with 25 requests, half-sent heads and silent names under way", async () => {
  const [gateway, dns] = [await startGateway(), await startDnsServer()];
  cleanUpLater(() => Promise.all([gateway.close(), dns.close()]));
  for (const type of ["A", "AAAA", "TXT", "PTR"] as const) dns.on(/./, type, "SILENCE");
  const list = join(createTemporaryFolder("limpid-names-"), "watch.csv");
  writeFileSync(list, Array.from({ length: 300 }, (_, n) => `n${n}.example\n`).join(""));
  const service = await startTestService({
    env: {
      LIMPID_UPSTREAM_GATEWAY: gateway.url,
      LIMPID_DNS_SERVERS: dns.address,
      LIMPID_WATCH: list,
      LIMPID_SURVEY_MS: "20000",
      LIMPID_NEW_PER_MINUTE: "100",
      LIMPID_OPEN_PER_DAY: "100",
      LIMPID_OPEN_PER_MINUTE: "100",
    },
  });
  const port = Number(new URL(service.url).port);
  for (let number = 0; number < 25; number++)
    void fetch(`${service.url}/api/lookup?ip=8.8.7.${number}`).catch(() => {});
  const sockets = Array.from({ length: 5 }, () => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /api/myip HTTP/1.1\r\nHost: a"));
    socket.on("error", () => {});
    return socket;
  });
  await Bun.sleep(2000);
  const startedAt = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(service.log()).not.toContain("stop_timed_out");
  for (const socket of sockets) socket.destroy();
}, 60_000);

test.skipIf(process.platform !== "linux")(
  "started with --stop-with-parent, the service ends within 2 s after npx was killed",
  async () => {
    const folder = createTemporaryFolder("limpid-launcher-");
    const launcher = join(folder, "npx-cli.js");
    const output = join(folder, "out.txt");
    writeFileSync(
      launcher,
      `const { spawn } = require("node:child_process");
       spawn("sh", ["-c", ${JSON.stringify(`"${process.execPath}" src/main.ts serve --stop-with-parent > ${output} 2>&1; true`)}], { stdio: "inherit" });`,
    );
    const npx = Bun.spawn([process.execPath, launcher], {
      cwd: project,
      env: {
        PATH: Bun.env.PATH ?? "",
        LIMPID_PORT: "0",
        LIMPID_LIVE: "0",
        LIMPID_FEEDS: "0",
        LIMPID_DATA_DIR: join(folder, "data"),
      },
    });
    const read = () => {
      try {
        return readFileSync(output, "utf8");
      } catch {
        return "";
      }
    };
    while (!read().includes("answers at")) await Bun.sleep(50);
    const url = /answers at (\S+)/.exec(read())?.[1] ?? "";
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const killedAt = performance.now();
    npx.kill("SIGKILL");
    for (;;) {
      const isAlive = await fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      );
      if (!isAlive) break;
      await Bun.sleep(50);
    }
    expect(performance.now() - killedAt).toBeLessThan(2000);
    expect(read()).toContain("parent ended");
    await Bun.sleep(300);
  },
  30_000,
);

test("a wildcard host gives links that this machine can open, and a proxy list of everybody is warned of", async () => {
  for (const [host, origin] of [
    ["0.0.0.0", "http://127.0.0.1:"],
    ["::", "http://[::1]:"],
  ] as const) {
    const service = await startTestService({
      env: { LIMPID_LIVE: "0", LIMPID_HOST: host, LIMPID_TRUSTED_PROXIES: "0.0.0.0/0, 10.0.0.0/8" },
    });
    expect(service.url).toStartWith(origin);
    const report = await (await fetch(`${service.url}/api/lookup?ip=192.0.2.1`)).json();
    expect(report).toMatchObject({ reportUrl: `${service.url}/ip/192.0.2.1` });
    const warnings = service.log().match(/trusted_proxies_too_wide[^\n]*/g);
    expect(warnings).toEqual([expect.stringContaining('"version":4,"bits":0')]);
  }
});

test("the data folder and its files are readable by their owner alone", async () => {
  const folder = join(createTemporaryFolder("limpid-modes-"), "data");
  await startTestService({ env: { LIMPID_LIVE: "0" }, dataDirectory: folder });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of ["limpid.db", "limpid.db-wal", "secret"])
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
});

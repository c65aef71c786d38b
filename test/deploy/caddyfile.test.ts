import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { findFreePort, findProgram, setUp, setUpService } from "#kit";

const caddy = findProgram("caddy");
const file = join(import.meta.dir, "../../deploy/Caddyfile");

describe.skipIf(caddy === undefined)("Caddyfile", () => {
  const setup = setUp("all");
  const service = setUpService({ LIMPID_LIVE: "0", LIMPID_TRUSTED_PROXIES: "127.0.0.1/32" }, setup);
  let folder: string;
  let proxy: Subprocess;
  let url: string;

  beforeAll(async () => {
    folder = setup.makeFolder();
    url = `http://127.0.0.1:${await findFreePort()}`;
    proxy = Bun.spawn([caddy ?? "", "run", "--config", file, "--adapter", "caddyfile"], {
      // A name with "http://" is served as it is: a certificate needs the internet.
      env: { HOME: folder, LIMPID_DOMAIN: url, LIMPID_UPSTREAM: new URL(service.url).host },
      stdout: "ignore",
      stderr: "pipe",
    });
    // Read to its end: Caddy goes on writing after it listens, and dies of a pipe that nobody reads any more.
    let log = "";
    const { promise: serving, resolve, reject } = Promise.withResolvers<void>();
    void (async () => {
      for await (const chunk of proxy.stderr as ReadableStream<Uint8Array>) {
        log += new TextDecoder().decode(chunk);
        if (log.includes("serving initial configuration")) resolve();
      }
      reject(new Error(`Cannot start Caddy: ${log}`));
    })();
    await serving;
  });

  afterAll(async () => {
    proxy?.kill();
    await proxy?.exited;
  });

  test("is valid for a public name, and formatted", () => {
    const env = { HOME: folder, LIMPID_DOMAIN: "ip.example.org" };
    const validate = [caddy ?? "", "validate", "--config", file, "--adapter", "caddyfile"];
    const { exitCode, stderr } = Bun.spawnSync(validate, { env });
    expect(exitCode, stderr.toString()).toBe(0);
    expect(stderr.toString()).toContain("enabling automatic HTTP->HTTPS redirects");
    const shown = Bun.spawnSync([caddy ?? "", "fmt", file], { env });
    expect(shown.stdout.toString()).toBe(readFileSync(file, "utf8"));
  });

  test("lets nobody claim another address", async () => {
    const claim = { headers: { "x-forwarded-for": "8.8.4.4" } };
    const ask = async (origin: string) =>
      (await (await fetch(`${origin}/api/myip?format=text`, claim)).text()).trim();
    // limpid believes whom it is told to trust; Caddy is the one, and does not pass the claim on.
    expect(await ask(service.url)).toContain("8.8.4.4");
    expect(await ask(url)).not.toContain("8.8.4.4");
  });

  test("keeps the operator's counters inside", async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const counters = await fetch(`${url}/metrics`);
    expect([counters.status, await counters.text()]).toEqual([404, ""]);
  });
});

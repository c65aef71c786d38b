import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, findFreePort, runLimpid, startService } from "#kit";

const main = join(import.meta.dir, "../../../src/main.ts");

test("commands create nothing where they are run, and share one folder of the user", async () => {
  const [home, here] = [createTemporaryFolder("limpid-home-"), createTemporaryFolder("limpid-here-")];
  const run = (args: readonly string[], more: Record<string, string> = {}) => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, main, ...args], {
      cwd: here,
      env: { PATH: process.env.PATH, HOME: home, LIMPID_LIVE: "0", LIMPID_FEEDS: "0", ...more },
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  };
  run(["lookup", "46.4.84.25", "--line"]);
  run(["db", "check"]);
  expect(existsSync(join(home, ".local/share/limpid/limpid.db"))).toBe(true);
  run(["lookup", "46.4.84.25", "--line"], { XDG_DATA_HOME: join(home, "elsewhere") });
  expect(existsSync(join(home, "elsewhere/limpid/limpid.db"))).toBe(true);
  expect(readdirSync(here)).toEqual([]);
});

test("a lookup that no live source answers ends with 3", async () => {
  const env = {
    LIMPID_DATA_DIR: createTemporaryFolder("limpid-data-"),
    LIMPID_UPSTREAM_GATEWAY: "http://127.0.0.1:9",
    LIMPID_DNS_SERVERS: "127.0.0.1:9",
    LIMPID_FEEDS: "0",
    LIMPID_SURVEY_MS: "500",
  };
  const { code, out } = await runLimpid(["lookup", "46.4.84.25", "--line"], env);
  expect([code, out]).toEqual([3, expect.stringContaining("46.4.84.25")]);
});

test("serve takes --port, and a port in use names its variable", async () => {
  const port = String(await findFreePort());
  const service = await startService({ args: ["--port", port], env: { LIMPID_LIVE: "0" } });
  expect(new URL(service.url).port).toBe(port);
  const env = {
    LIMPID_DATA_DIR: createTemporaryFolder("limpid-data-"),
    LIMPID_PORT: port,
    LIMPID_FEEDS: "0",
  };
  const { code, err } = await runLimpid(["serve"], env);
  expect([code, err]).toEqual([
    70,
    expect.stringContaining(`Cannot listen on 127.0.0.1:${port} (LIMPID_HOST, LIMPID_PORT)`),
  ]);
  await service.close();
});

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, runLimpid, startTestService } from "#kit";

const project = join(import.meta.dir, "../../..");
const ADDRESSES = ["9.9.5.1", "9.9.5.2", "2620:fe::9"];

const makeFolder = () => createTemporaryFolder("limpid-db-cli-");

describe("limpid db", () => {
  test("backs up while a server runs, refuses to restore meanwhile, and restores the same answers later", async () => {
    const folder = makeFolder();
    const env = { LIMPID_DATA_DIR: folder, LIMPID_LIVE: "0" };
    await (await startTestService({ env, dataDirectory: folder })).stop();
    // Of a process of its own: what this one has opened it holds on to.
    const script = `
      import { openStore } from "#store";
      import { makeReport } from "./test/store/make_report.ts";
      const store = await openStore({ url: "file:${join(folder, "limpid.db")}", migrations: "drizzle" });
      for (const address of ${JSON.stringify(ADDRESSES)}) await store.save(makeReport(address, Date.now()), '{"runs":[]}');
      await store.close();`;
    Bun.spawnSync([process.execPath, "-e", script], { cwd: project });
    const read = async (url: string) =>
      Promise.all(ADDRESSES.map(async (ip) => (await fetch(`${url}/api/lookup?ip=${ip}&lang=en`)).text()));
    const file = join(folder, "backup.db");

    const service = await startTestService({ env, dataDirectory: folder });
    const before = (await read(service.url)).map((text) => text.replaceAll(service.url, ""));
    expect(before.join("")).toContain("9.9.5.2");
    expect(await runLimpid(["db", "backup", file], env)).toMatchObject({ code: 0, err: "" });
    expect(await runLimpid(["db", "backup", file], env)).toMatchObject({
      code: 73,
      err: `Cannot write "${file}": it exists\n`,
    });
    expect(await runLimpid(["db", "check"], env)).toMatchObject({ code: 0 });
    expect(await runLimpid(["db", "stats"], env)).toMatchObject({ code: 0 });
    const refused = await runLimpid(["db", "restore", file], env);
    expect(refused).toMatchObject({ code: 75, out: "" });
    expect(refused.err).toContain("another process uses it");
    expect(await runLimpid(["db", "prune", "--older-than", "1"], env)).toMatchObject({ code: 0 });
    expect(await service.stop()).toBe(0);

    rmSync(join(folder, "limpid.db"));
    const restored = await runLimpid(["db", "restore", file], env);
    expect(restored).toMatchObject({ code: 0, err: "" });
    const again = await startTestService({ env, dataDirectory: folder });
    expect((await read(again.url)).map((text) => text.replaceAll(again.url, ""))).toEqual(before);
  });

  test("returns an exit code for a missing file, a damaged file and an unsupported action", async () => {
    const folder = makeFolder();
    const env = { LIMPID_DATA_DIR: join(folder, "data") };
    expect(await runLimpid(["db", "check"], env)).toMatchObject({ code: 66 });
    expect(await runLimpid(["db", "stats"], env)).toMatchObject({ code: 66 });
    expect(await runLimpid(["db", "backup", join(folder, "b.db")], env)).toMatchObject({ code: 66 });
    expect(existsSync(join(folder, "data"))).toBe(false);
    expect(await runLimpid(["db", "restore", join(folder, "b.db")], env)).toMatchObject({ code: 66 });
    writeFileSync(join(folder, "b.db"), "x".repeat(9000));
    expect(await runLimpid(["db", "restore", join(folder, "b.db")], env)).toMatchObject({ code: 65 });
    expect(readdirSync(join(folder, "data"))).toEqual([]);
    expect(await runLimpid(["db"], env)).toMatchObject({ code: 64 });
    const remote = { ...env, LIMPID_DATABASE_URL: "http://127.0.0.1:9" };
    expect(await runLimpid(["db", "restore", join(folder, "b.db")], remote)).toMatchObject({ code: 64 });
    expect(await runLimpid(["db", "stats"], remote)).toMatchObject({ code: 70 });
  });
});

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, readToEnd } from "#kit";
import manifest from "../../package.json" with { type: "json" };

const project = join(import.meta.dir, "../..");
const folder = createTemporaryFolder("limpid-npm-");
const work = join(folder, "work");
/** A machine that has Node, and no Bun. */
const environment = {
  PATH: join(folder, "bin"),
  HOME: Bun.env.HOME ?? folder,
  LIMPID_LIVE: "0",
  LIMPID_FEEDS: "0",
  LIMPID_PORT: "0",
  npm_config_cache: join(folder, "cache"),
};
let archive = "";

/** `npx` with the package, in a folder that contains nothing. */
function npx(...args: readonly string[]) {
  return Bun.spawn(["npx", "--yes", `--package=${archive}`, "limpid", ...args], {
    cwd: work,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

beforeAll(() => {
  mkdirSync(work);
  mkdirSync(environment.PATH);
  for (const program of ["node", "npm", "npx", "sh"]) {
    const path = Bun.which(program);
    if (path === null) throw new Error(`This test needs ${program}: install Node.js with npm`);
    symlinkSync(path, join(environment.PATH, program));
  }
  const packed = Bun.spawnSync([process.execPath, join(project, "src/build/package.ts"), folder]);
  if (!packed.success) throw new Error(packed.stderr.toString());
  archive = packed.stdout.toString().trim();
}, 300_000);

describe("the npm package", () => {
  test("contains what runs, and nothing of the development", () => {
    expect(archive).toBe(join(folder, `limpid-${manifest.version}.tgz`));
    const listed = Bun.spawnSync(["tar", "tzf", archive]).stdout.toString().split("\n");
    for (const path of [
      "limpid.mjs",
      "src/main.ts",
      "seed/asn.table.zst",
      "seed/snapshot.table.zst",
      "LICENSE",
      "NOTICE",
    ])
      expect(listed).toContain(`package/${path}`);
    const readme = Bun.spawnSync(["tar", "xzOf", archive, "package/README.md"]).stdout.toString();
    expect(readme).toMatch(/npx limpid lookup ADDRESS\n[\s\S]*npx limpid serve\n/);
    // It stands alone: no clone, and no link to a file that is not there.
    expect(readme).not.toMatch(/git clone|\]\(/);
    expect(listed.filter((path) => /node_modules|\/test\/|_snapshot\.json|\.map$/.test(path))).toEqual([]);
  });

  test("answers from the embedded tables in an empty folder, with Node alone", async () => {
    const first = npx("lookup", "46.4.84.25", "--json");
    const { out, err, code } = await readToEnd(first);
    // Processor time, because the rest is the network's. The first time, npm installs Bun, too.
    expect(first.resourceUsage()?.cpuTime.total).toBeLessThan(15_000_000n);
    expect([code, err.includes("Cannot")]).toEqual([0, false]);
    expect(JSON.parse(out)).toMatchObject({ asn: { asn: 24940 }, flags: { isHosting: true } });
    expect(readdirSync(work).filter((name) => name !== "data")).toEqual([]);
  }, 240_000);

  test("is a library with types, under Bun and Node 22", async () => {
    const consumer = join(folder, "consumer");
    mkdirSync(join(consumer, "node_modules/limpid"), { recursive: true });
    const into = join(consumer, "node_modules/limpid");
    expect(Bun.spawnSync(["tar", "xzf", archive, "-C", into, "--strip-components=1"]).success).toBe(true);
    const program = `import { judge, openTables, type Judgement } from "limpid";
const tables = openTables({ off: ["x4b_vpn"] });
const row: Judgement | undefined = judge(tables, "46.4.84.25");
const flags: readonly string[] = row?.flags ?? [];
console.log(JSON.stringify([row?.asn, flags, judge(tables, "46.4.84"), judge(tables, "10.0.0.1")?.purpose]));
`;
    await Bun.write(join(consumer, "use.mts"), program);
    const expected = '[24940,["isHosting"],null,"private_use"]\n';
    const options = "--noEmit --strict --module nodenext --skipLibCheck false --types node --typeRoots".split(
      " ",
    );
    const modules = join(project, "node_modules");
    const typed = Bun.spawnSync([`${modules}/.bin/tsc`, "use.mts", ...options, `${modules}/@types`], {
      cwd: consumer,
    });
    expect(typed.stdout.toString()).toBe("");
    await Bun.write(join(consumer, "use.mjs"), new Bun.Transpiler({ loader: "ts" }).transformSync(program));
    for (const command of [[process.execPath], ["npx", "--yes", "node@22"]]) {
      const run = Bun.spawnSync([...command, "use.mjs"], { cwd: consumer });
      expect(run.stdout.toString()).toBe(expected);
    }
  }, 240_000);

  test("serves with every asset, draws on its thread, and ends with npx", async () => {
    const child = npx("serve");
    let greeting = "";
    let url = "";
    for await (const chunk of child.stdout) {
      greeting += new TextDecoder().decode(chunk);
      url = /answers at ([^\s,]+)/.exec(greeting)?.[1] ?? "";
      if (url !== "") break;
    }
    for (const path of [
      "/ip/46.4.84.25.png",
      "/static/altcha.js",
      "/static/report.css",
      "/method",
      "/readyz",
    ])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    child.kill("SIGTERM");
    await child.exited;
    for (let tries = 0; tries < 100 && (await isUp(url)); tries += 1) await Bun.sleep(100);
    expect(await isUp(url)).toBe(false);
  }, 240_000);
});

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

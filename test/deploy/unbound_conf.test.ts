import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Resolver } from "node:dns/promises";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createTemporaryFolder,
  type DnsServer,
  findFreePort,
  findProgram,
  readToEnd,
  startDnsServer,
  startService,
  startUpstreams,
} from "#kit";
import type { Report } from "#report";

const unbound = findProgram("unbound");
const deploy = join(import.meta.dir, "../../deploy");

/** Where the lists that limpid asks have their names; unbound would not begin at a root of our own. */
const TOP_LEVEL = ["arpa", "com", "cz", "de", "example", "net", "org"];

/** A start that takes longer than this has failed. */
const START_MS = 15_000;

interface Recursor {
  /** `127.0.0.1:PORT`. */
  readonly address: string;
  resolve(name: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Asks with a patience of one second, then twice as long, and so on. */
function createResolver(port: number, tries: number): Resolver {
  const resolver = new Resolver({ timeout: 1000, tries });
  resolver.setServers([`127.0.0.1:${port}`]);
  return resolver;
}

function isAnswering(port: number): Promise<boolean> {
  return createResolver(port, 1)
    .resolve4("ready.example")
    .then(
      () => true,
      (error: { code?: string }) => error.code === "ENOTFOUND",
    );
}

describe.skipIf(unbound === undefined)("unbound.conf", () => {
  let folder: string;
  let upstream: DnsServer;
  const started: Recursor[] = [];

  beforeAll(async () => {
    folder = createTemporaryFolder("limpid-unbound-");
    chmodSync(folder, 0o755);
    upstream = await startDnsServer();
  });
  afterAll(async () => {
    for (const recursor of started) await recursor.close();
    await upstream?.close();
  });

  /**
   * The configuration as it ships, with a port of its own, no rights to give away, and the trees of names that lists
   * stand in on a loopback server, which it is then allowed to ask.
   */
  async function start(server: string, more = ""): Promise<Recursor> {
    const port = await findFreePort();
    const file = join(folder, `${port}.conf`);
    const zones = TOP_LEVEL.map(
      (name) => `stub-zone:\n    name: "${name}"\n    stub-addr: ${server.replace(":", "@")}`,
    ).join("\n");
    writeFileSync(
      file,
      `include: "${join(deploy, "unbound.conf")}"
server:
    interface: 127.0.0.1
    port: ${port}
    username: ""
    chroot: ""
    directory: "${folder}"
    pidfile: ""
    use-syslog: no
    do-not-query-localhost: no
    ${more}
${zones}
remote-control:
    control-enable: no
`,
    );
    const child = Bun.spawn([unbound ?? "", "-d", "-p", "-c", file], { stdout: "pipe", stderr: "pipe" });
    const ended = readToEnd(child);
    const resolver = createResolver(port, 4);
    const recursor = {
      address: `127.0.0.1:${port}`,
      resolve: (name: string) => resolver.resolve4(name),
      async close() {
        child.kill();
        await ended;
      },
    };
    started.push(recursor);
    // It listens a moment after it was started.
    const until = performance.now() + START_MS;
    while (!(await isAnswering(port))) {
      if (child.exitCode === null && performance.now() < until) continue;
      await recursor.close();
      throw new Error(`unbound ended or did not answer: ${(await ended).err}`);
    }
    return recursor;
  }

  test.each(["unbound.conf", "unbound.compose.conf"])(
    "%s is one that unbound takes without a word",
    (name) => {
      const file = join(folder, name);
      // In the container its other half has a place of its own, and so have the root's keys.
      let text = readFileSync(join(deploy, name), "utf8").replace(
        "/etc/unbound/limpid.conf",
        join(deploy, "unbound.conf"),
      );
      for (const [, path = ""] of text.matchAll(/"(\/usr\/share\/dns\/[^"]+)"/g)) {
        writeFileSync(
          join(folder, "root"),
          ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D\n",
        );
        if (path.endsWith(".key")) text = text.replace(path, join(folder, "root"));
        else text = text.replace(/^ *root-hints: .*$/m, "");
      }
      writeFileSync(file, text);
      const checker = join(dirname(unbound ?? ""), "unbound-checkconf");
      const { exitCode, stdout, stderr } = Bun.spawnSync([checker, file]);
      expect({ code: exitCode, text: `${stdout}${stderr}` }).toEqual({
        code: 0,
        text: `unbound-checkconf: no errors in ${file}\n`,
      });
    },
  );

  test("lets a blocklist's answer through, asking one question for it, and the whole of it", async () => {
    const recursor = await start(upstream.address);
    upstream.on("2.0.0.127.list.example", "A", ["127.0.0.2"]);
    upstream.forget();
    expect(await recursor.resolve("2.0.0.127.list.example")).toEqual(["127.0.0.2"]);
    expect(
      upstream.calls.filter(({ name }) => name.endsWith("list.example")).map(({ name }) => name),
    ).toEqual(["2.0.0.127.list.example"]);
    await expect(recursor.resolve("3.0.0.127.list.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  test("would lose it with the rule that other guides recommend", async () => {
    const recursor = await start(upstream.address, "private-address: 127.0.0.0/8");
    upstream.on("2.0.0.127.list.example", "A", ["127.0.0.2"]);
    await expect(recursor.resolve("2.0.0.127.list.example")).rejects.toBeDefined();
  });

  test("is a resolver that limpid finds listings through", async () => {
    const all = await startUpstreams();
    const recursor = await start(all.dns.address);
    const service = await startService({ env: { ...all.env, LIMPID_DNS_SERVERS: recursor.address } });
    try {
      all.dns.on("90.4.8.8.dnsbl.dronebl.org", "A", ["127.0.0.8"]);
      const response = await fetch(`${service.url}/api/lookup?ip=8.8.4.90&lang=en`);
      const { blocklists } = (await response.json()) as Report;
      const find = (zone: string) => blocklists.find((list) => list.zone === zone);
      expect(find("dronebl")).toMatchObject({ listed: true, unavailable: false });
      expect(find("psbl")).toMatchObject({ listed: false, unavailable: false });
    } finally {
      await service.close();
      await all.close();
    }
  });
});

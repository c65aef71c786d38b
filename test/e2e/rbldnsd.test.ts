import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { findFreePort, findProgram, type RunningService, setUp } from "#kit";
import type { Report } from "#report";

const rbldnsd = findProgram("rbldnsd");

describe.skipIf(rbldnsd === undefined)("a real DNS blocklist server", () => {
  const setup = setUp("all");
  let server: Subprocess;
  let service: RunningService;

  beforeAll(async () => {
    const folder = setup.makeFolder();
    // When started as root, it drops its privileges before it reads its zones.
    chmodSync(folder, 0o755);
    writeFileSync(
      join(folder, "zen"),
      [
        ":127.0.0.2:listed",
        "127.0.0.2",
        "8.8.4.90 :127.0.0.4:exploited host",
        "8.8.4.91 :127.0.0.10:end-user range",
        "8.8.4.92 :127.255.255.254:refused to a public resolver",
      ].join("\n"),
    );
    writeFileSync(
      join(folder, "dronebl"),
      [":127.0.0.8:proxy", "127.0.0.2 :127.0.0.2:test", "8.8.4.90"].join("\n"),
    );
    writeFileSync(join(folder, "wildcard"), [":127.0.0.2:everyone", "8.0.0.0/8", "127.0.0.0/8"].join("\n"));
    const port = await findFreePort();
    const zones = [
      "zen.spamhaus.org:ip4set:zen",
      "dnsbl.dronebl.org:ip4set:dronebl",
      "psbl.surriel.com:ip4set:wildcard",
    ];
    server = Bun.spawn([rbldnsd ?? "", "-n", "-b", `127.0.0.1/${port}`, "-w", folder, ...zones], {
      stdout: "pipe",
      stderr: "ignore",
    });
    const reader = (server.stdout as ReadableStream<Uint8Array>).getReader();
    for (let text = ""; !text.includes("started"); ) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`Cannot start rbldnsd: ${text}`);
      text += new TextDecoder().decode(value);
    }
    reader.releaseLock();
    service = await setup.start({ LIMPID_DNS_SERVERS: `127.0.0.1:${port}` });
  });
  afterAll(() => server?.kill());

  async function findListings(ip: string): Promise<Report["blocklists"]> {
    const response = await fetch(`${service.url}/api/lookup?ip=${ip}&lang=en`);
    expect(response.status).toBe(200);
    return ((await response.json()) as Report).blocklists;
  }

  function pick(lists: Report["blocklists"], zone: string) {
    const found = lists.find((list) => list.zone === zone);
    return found && { listed: found.listed, benign: found.benign, unavailable: found.unavailable };
  }

  test("lists, declares end-user space, refuses and keeps silent, each told apart", async () => {
    const listed = await findListings("8.8.4.90");
    expect(pick(listed, "spamhaus_zen")).toEqual({ listed: true, benign: false, unavailable: false });
    expect(pick(listed, "dronebl")).toEqual({ listed: true, benign: false, unavailable: false });
    const policy = await findListings("8.8.4.91");
    expect(pick(policy, "spamhaus_zen")).toEqual({ listed: true, benign: true, unavailable: false });
    expect(pick(policy, "dronebl")).toEqual({ listed: false, benign: false, unavailable: false });
    const refused = await findListings("8.8.4.92");
    expect(pick(refused, "spamhaus_zen")).toEqual({ listed: false, benign: false, unavailable: true });
    // rbldnsd answers REFUSED for zones that it does not serve.
    expect(pick(refused, "spamcop")).toEqual({ listed: false, benign: false, unavailable: true });
  });

  test("detects a zone that lists every address and ignores it", async () => {
    const lists = await findListings("8.8.4.93");
    expect(pick(lists, "psbl")).toEqual({ listed: false, benign: false, unavailable: true });
  });
});

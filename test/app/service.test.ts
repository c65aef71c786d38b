import { describe, expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openService, type Service } from "#app";
import { readConfig } from "#config";
import { FeedCache } from "#feeds";
import { closeAfterEach, createClock, createTemporaryFolder, readAddress } from "#kit";
import { neighbourhoodOf } from "#network";
import type { Assessment } from "#report";
import { openTables } from "../../src/cli/table_classifier.ts";
import { openTables as openLibrary } from "../../src/library.ts";

const project = join(import.meta.dir, "../..");
const closeLater = closeAfterEach();

const makeFolder = () => createTemporaryFolder("limpid-service-");

/** Opens a service without live sources, on a copy of the seed tables. */
async function open(damage: (seed: string) => void, more: Readonly<Record<string, string>> = {}) {
  const clock = createClock();
  const seed = join(makeFolder(), "seed");
  cpSync(join(project, "seed"), seed, { recursive: true });
  damage(seed);
  const warnings: unknown[] = [];
  const env = { LIMPID_DATA_DIR: makeFolder(), LIMPID_LIVE: "0", LIMPID_FEEDS: "0", ...more };
  const config = readConfig(env, { sources: [{ id: "cins", keyed: false }], readSecret: () => "" });
  const paths = {
    seed,
    fonts: join(project, "fonts"),
    migrations: join(project, "drizzle"),
    packages: join(project, "node_modules"),
    static: join(project, "static"),
    program: [],
  };
  const service = await openService(config, {
    paths,
    version: "0.0.0",
    now: clock.now,
    log: (level, event, fields) => {
      if (level === "warn") warnings.push({ event, ...fields });
    },
  });
  closeLater(() => service.close());
  return { service, warnings, clock, config, paths };
}

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

async function assess(service: Service, ip: string): Promise<Assessment> {
  const address = readAddress(ip);
  const client = { key: "192.0.2.1", exempt: false };
  const result = await service.lookup({ address, refresh: false, client }, new AbortController().signal);
  if (result.kind !== "answer") throw new Error(`Cannot look up: ${result.kind}`);
  return result.answer.assessment;
}

describe("openService()", () => {
  test("assesses real networks from the tables alone", async () => {
    const { service, warnings } = await open(() => {});
    expect(warnings).toEqual([]);
    const found = await assess(service, "8.8.4.77");
    expect(found).toMatchObject({ asn: { asn: 15169 }, geo: { country: "US" }, registry: { country: "US" } });
    expect((await assess(service, "2a01:4f8::1")).asn).toMatchObject({ asn: 24940 });
  });

  test.each([
    ["missing", (path: string) => rmSync(path)],
    ["truncated", (path: string) => truncateSync(path, 50_000)],
    ["foreign", (path: string) => writeFileSync(path, "PK\u0003\u0004 not ours".repeat(1000))],
    ["flipped in one bit", flipBit],
  ])(
    "starts without a table that is %s, names the file, and reports it in the sources",
    async (_, damage) => {
      const { service, warnings } = await open((seed) => damage(join(seed, "asn.table")));
      expect(warnings).toEqual([
        { event: "table_missing", table: "asn", problem: expect.stringContaining("asn.table") },
      ]);
      const found = await assess(service, "9.1.1.77");
      expect(found.sources.find((source) => source.id === "asn_table")).toMatchObject({
        state: "failed",
        error: "unavailable",
        detail: expect.stringContaining("asn.table"),
      });
      expect(found.asn).toBeUndefined();
      expect(found.geo).toMatchObject({ country: "US" });
      expect(found.factors.map(({ id }) => id)).toEqual(["not_obtained"]);
    },
  );

  test.each([
    ["missing", (path: string) => rmSync(path), "there is no such file"],
    ["truncated", (path: string) => truncateSync(path, 50_000), "it is truncated"],
    ["changed in one bit", flipBit, "it is damaged, its checksum does not match"],
  ])("starts with a snapshot of lists that is %s, and names the problem", async (_, damage, problem) => {
    const { service, warnings } = await open((seed) => damage(join(seed, "snapshot.table")));
    expect(warnings).toEqual([
      { event: "table_missing", table: "snapshot", problem: expect.stringContaining(problem) },
    ]);
    const found = await assess(service, "8.8.4.77");
    expect(found).toMatchObject({ asn: { asn: 15169 } });
    const list = found.sources.find((source) => source.id === "x4bnet_datacenter");
    expect(list).toMatchObject({ state: "skipped", skipped: "turned_off" });
  });
});

test("a correction applies to stored reports, to what the tables say, and no longer when its row is gone", async () => {
  const path = join(makeFolder(), "corrections.csv");
  writeFileSync(path, "");
  const { service, clock } = await open(() => {}, { LIMPID_CORRECTIONS: path });
  const hetzner = readAddress("46.4.84.25");
  const summarize = () => service.networks.prefix(neighbourhoodOf(hetzner));
  const readUses = async () => {
    clock.advance(1000);
    const stored = await service.findKnown(hetzner);
    return [
      (await assess(service, hetzner.text)).usage,
      stored?.assessment.usage,
      service.findKnownSync(hetzner)?.assessment.usage,
      (await service.assessTables(hetzner)).usage,
      service.classifier.classify(hetzner).usage,
      service.classifier.classifyText(hetzner.text)?.facts.usage,
      summarize().use[0]?.usageType,
    ];
  };
  await assess(service, hetzner.text);
  const plain = await readUses();
  const { listed, marks } = summarize();
  expect(new Set(plain)).toEqual(new Set(["hosting"]));
  writeFileSync(path, "AS24940,business,2999-12-31,ours\n46.4.84.0/24,vpn=yes,2999-12-31,our VPN\n");
  expect(new Set(await readUses())).toEqual(new Set(["business"]));
  // The operator is no list.
  expect(summarize()).toMatchObject({ listed, marks });
  // A neighbour without a correction keeps what the tables say.
  expect(service.classifier.classify(readAddress("8.8.4.77")).asn).toBe(15169);
  const { flags, sources } = await assess(service, hetzner.text);
  expect(flags.isHosting).toBe(false);
  expect(sources.find(({ id }) => id === "operator_correction")?.detail).toBe("our VPN; ours");
  writeFileSync(path, "");
  expect(await readUses()).toEqual(plain);
});

describe("a list that is missing", () => {
  const LISTS = ["cins", "greensnow", "feodo", "stopforumspam_list"];

  test.each([
    ["downloads on", {}, ["failed", "failed", "failed", "noncommercial"]],
    ["downloads off", { LIMPID_FEEDS: "0" }, ["failed", "failed", "turned_off", "noncommercial"]],
    ["one off", { LIMPID_SOURCES_OFF: "cins" }, ["turned_off", "failed", "failed", "noncommercial"]],
  ])("has one state and one coverage in service, commands and library: %s", async (_, env, states) => {
    const directory = makeFolder();
    const cache = new FeedCache(join(directory, "feeds"));
    const error = { at: 1, problem: "covers too much", reason: "implausible" as const };
    cache.save("cins", { failures: 1, dueAt: 0, error });
    cache.save("greensnow", { failures: 1, dueAt: 0, error: { at: 1, problem: "timeout" } });
    const more = { LIMPID_DATA_DIR: directory, LIMPID_FEEDS: "1", ...env };
    const { service, clock, config, paths } = await open(() => {}, more);
    // The library has no clock that a test can set.
    clock.advance(Date.now() - clock.now());
    const ip = "8.8.4.77";
    const address = readAddress(ip);
    const found = await assess(service, ip);
    const tables = await service.assessTables(address);
    const readState = ({ sources }: Assessment, id: string) => {
      const { state, skipped } = sources.find((source) => source.id === id) ?? {};
      return String(skipped ?? state);
    };
    expect(LISTS.map((id) => readState(found, id))).toEqual(states);
    const { now } = clock;
    const commands = openTables(config, { paths, now, warn: expect.unreachable }).openClassifier();
    const library = openLibrary({ dataDirectory: directory, off: [...config.sourcesOff] });
    expect(tables.coverage).toEqual(found.coverage);
    const coverages = [
      service.classifier.classify(address).coverage,
      commands.classify(address).coverage,
      library.judge(ip)?.coverage,
    ];
    expect(coverages).toEqual(Array(3).fill(found.coverage?.total));
    expect(commands.classify(address).purity).toBe(service.classifier.classify(address).purity);
  });
});

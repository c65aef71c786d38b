import { describe, expect, test } from "bun:test";
import { FEEDS } from "#feeds";
import { readAddress } from "#kit";
import { SOURCES, type Source, upstreamHosts, ZONES } from "#sources";
import { UpstreamError } from "#upstream";
import { type Fixture, readSourceFixtures, readZoneFixtures } from "../../sources/fixture.ts";
import { replay } from "../../sources/replay.ts";

const folders = readSourceFixtures();
const zoneFiles = readZoneFixtures();
const lists = new Set(FEEDS.map((feed) => feed.id));
const zones = SOURCES.filter((source) => source.zone !== undefined && !lists.has(source.id));
const others = SOURCES.filter((source) => source.zone === undefined && !lists.has(source.id));
/** Sources that are part of the program: they cannot fail. */
const BUILT_IN = new Set(["special_purpose", "infrastructure"]);
/** Sources that cover every address: a missing entry is a "no". */
const ALL_KNOWING = new Set([
  "special_purpose",
  "tor_dnsel",
  "blocklist_de_api",
  "stopforumspam",
  "ipinfo_resproxy",
]);
/** Errors that mean a refusal. DNS has no error for a quota, so a DNS list refuses or fails. */
const DECLINES = { http: ["quota"], dns: ["refused", "status", "unavailable"] } as const;
const KINDS = ["clean", "hit", "unknown", "quota", "malformed"];
const ADDRESSES = ["203.0.113.7", "2001:db8::7"].map(readAddress);

describe("registry", () => {
  test("has unique snake_case ids, and every zone of the table once", () => {
    const ids = SOURCES.map((source) => source.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][a-z0-9_]*$/.test(id))).toEqual([]);
    expect(zones.map((source) => source.zone?.id)).toEqual(ZONES.map((zone) => zone.id));
  });

  test.each(SOURCES.map((source) => [source.id, source] as const))(
    "%s has complete metadata",
    (_, source) => {
      expect(source.weight).toBeGreaterThanOrEqual(0);
      expect(source.weight).toBeLessThanOrEqual(3);
      expect(source.timeoutMs).toBeGreaterThan(0);
      expect(source.timeoutMs).toBeLessThanOrEqual(4000);
      expect(source.versions.length).toBeGreaterThan(0);
      expect(source.weight > 0).toBe(source.matters.length > 0);
      for (const host of source.hosts ?? []) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      if (source.local === true) expect(source.hosts ?? []).toEqual([]);
      if (source.replacedBy !== undefined) {
        const better = SOURCES.find((other) => other.id === source.replacedBy);
        expect(better?.family).toBe(source.family);
        expect(better?.secret).toBe("required");
      }
    },
  );

  test("allows every host of a source", () => {
    const allowed = upstreamHosts(SOURCES);
    for (const host of SOURCES.flatMap((source) => source.hosts ?? [])) expect(allowed).toContain(host);
    expect(new Set(allowed).size).toBe(allowed.length);
  });
});

describe("fixtures", () => {
  test("each belong to one source, and every source has fixtures", () => {
    expect([...folders.keys()].sort()).toEqual(others.map((source) => source.id).sort());
    expect([...zoneFiles.keys()].sort()).toEqual(zones.map((source) => source.id).sort());
  });

  test.each(others.map((source) => [source.id, source] as const))(
    "of %s include every kind",
    (id, source) => {
      const cases = [...(folders.get(id)?.keys() ?? [])];
      const wanted = ALL_KNOWING.has(id) ? ["clean", "hit"] : ["clean", "hit", "unknown"];
      if (source.local !== true) wanted.push("quota", "malformed");
      else if (!BUILT_IN.has(id)) wanted.push("malformed");
      expect(wanted.filter((kind) => !cases.includes(kind))).toEqual([]);
    },
  );

  test.each(ZONES.map((zone) => [zone.id, zone] as const))("of %s include every answer", (id, zone) => {
    const file = zoneFiles.get(id);
    const cases = Object.keys(file?.cases ?? {});
    const wanted = [...Object.keys(zone.codes), "not listed", "refusal 127.255.255.254", "outside 127/8"];
    wanted.push("SERVFAIL", "retired", "dead");
    if (Object.values(zone.codes).some(({ meaning }) => meaning === "policy")) wanted.push("benign");
    wanted.push(...("6" in zone.names ? ["IPv6 listed", "IPv6 retired"] : ["IPv6"]));
    expect(wanted.filter((kind) => !cases.includes(kind))).toEqual([]);
    expect(file?.zone).toBe(id);
  });

  test("have the run state of their kind", () => {
    const wrong: string[] = [];
    for (const [id, cases] of folders) {
      for (const [name, { expect: expected }] of cases) {
        const isAnswered = expected.state === "answered" || expected.state === "empty";
        if (KINDS.includes(name) && isAnswered !== ["clean", "hit", "unknown"].includes(name))
          wrong.push(`${id}/${name}`);
        if (name === "unknown" && expected.state !== "empty") wrong.push(`${id}/${name}`);
        const declines: readonly string[] = hasHosts(id) ? DECLINES.http : DECLINES.dns;
        if (name === "quota" && !declines.includes(expected.error ?? "")) wrong.push(`${id}/${name}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe.each(others.map((source) => [source.id, source] as const))("%s", (id, source) => {
  test.each([...(folders.get(id) ?? [])])("replays %s", async (_, fixture) => {
    await expectReplay(source, fixture);
  });
});

describe.each(zones.map((source) => [source.id, source] as const))("zone %s", (id, source) => {
  const file = zoneFiles.get(id);
  test.each(Object.entries(file?.cases ?? {}))("replays %s", async (_, fixture) => {
    const points = file?.selfTest[fixture.address.includes(":") ? "6" : "4"];
    const own = fixture.dns ?? [];
    // The list works, unless the case says otherwise.
    const health =
      points === undefined || own.length === 0
        ? []
        : ([
            { name: points.listed, type: "A", records: ["127.0.0.2"] },
            { name: points.clear, type: "A", rcode: "NXDOMAIN" },
          ] as const);
    const dns = [...health.filter(({ name }) => !own.some((row) => row.name === name)), ...own];
    const secret = fixture.secret ?? file?.secret;
    await expectReplay(source, { ...fixture, dns, ...(secret === undefined ? {} : { secret }) });
  });
});

describe("a status other than 200", () => {
  const STATUSES = [400, 401, 402, 403, 404, 422, 429, 500, 503];
  const BODIES = [
    undefined,
    null,
    {},
    [],
    "",
    { message: "limit exceeded", error: "limit", status: "denied" },
  ];

  test.each(
    SOURCES.filter(({ id }) => hasHosts(id) && id !== "rdap").map((source) => [source.id, source] as const),
  )("of %s is refused unless its body is from the source: it may come from a proxy", (_, source) => {
    for (const address of ADDRESSES)
      for (const status of STATUSES)
        for (const body of BODIES)
          expect(() => source.read({ status, body }, address)).toThrow(UpstreamError);
  });
});

function hasHosts(id: string): boolean {
  return (SOURCES.find((source) => source.id === id)?.hosts ?? []).length > 0;
}

async function expectReplay(source: Source, fixture: Omit<Fixture, "about">): Promise<void> {
  const { run, unrecorded, unusedRecordings } = await replay(source, fixture);
  const { state, error, detail, skipped, observation } = run;
  const got = { state, error, detail, skipped, observation };
  const { expect: expected } = fixture;
  // A fixture may omit the detail; everything else is compared exactly.
  expect<unknown>(got).toEqual({ ...expected, detail: "detail" in expected ? expected.detail : detail });
  expect(unrecorded).toEqual([]);
  if (state === "answered" || state === "empty") expect(unusedRecordings).toEqual([]);
}

import { describe, expect, test } from "bun:test";
import { readAddress } from "#kit";
import { type RunPorts, SOURCES, type Source } from "#sources";
import { type HttpRequest, UpstreamError } from "#upstream";
import { readSourceFixtures, readZoneFixtures } from "../../sources/fixture.ts";
import { replay } from "../../sources/replay.ts";

const ADDRESS = readAddress("203.0.113.7");
/** A hostile key: printable ASCII that changes a request if it is inserted without escaping. */
const SECRET = 'k3y&x=1#/"?%';
const ENCODED = encodeURIComponent(SECRET);
/** A key that is valid everywhere, even in a DNS name. */
const LABEL = "0123456789abcdefkey";

/** The place of the key for some vendors; for the others any single place is accepted. */
const PLACES: Readonly<Record<string, (request: HttpRequest) => unknown>> = {
  proxycheck: ({ url }) => new URL(url).searchParams.get("key"),
  ipapi_is: ({ body }) => JSON.parse(body ?? "{}").key,
  ip_api: ({ url }) => new URL(url).searchParams.get("key"),
  abuseipdb: ({ headers }) => headers?.key,
  ipqualityscore: ({ headers }) => headers?.["ipqs-key"],
  greynoise: ({ headers }) => headers?.key,
  ipinfo_lite: ({ url }) => new URL(url).searchParams.get("token"),
  ip2location_io: ({ url }) => new URL(url).searchParams.get("key"),
  ipdata: ({ url }) => new URL(url).searchParams.get("api-key"),
  ipregistry: ({ headers }) => headers?.authorization?.replace(/^ApiKey /, ""),
};

const KEYED = SOURCES.filter(({ secret }) => secret !== undefined);
const rowsOf = (sources: readonly Source[]) => sources.map((source) => [source.id, source] as const);
const OVER_HTTP = rowsOf(KEYED.filter(({ hosts }) => hosts !== undefined));
const OVER_DNS = rowsOf(KEYED.filter(({ hosts }) => hosts === undefined));

describe("the key of a vendor", () => {
  test.each(OVER_HTTP)("%s: is in the request once and cannot change the rest of it", async (id, source) => {
    const request = await ask(source, SECRET);
    const { url, headers = {} } = request;
    const parts = [...Object.values(headers), ...Object.values(fieldsOf(request))];
    // A URL contains the key only in escaped form.
    const times = parts.filter((part) => part.includes(SECRET)).length + url.split(ENCODED).length - 1;
    expect(times).toBe(1);
    expect(url).not.toContain(SECRET);
    expect(source.hosts).toContain(new URL(url).host);
    expect(PLACES[id]?.(request) ?? SECRET).toBe(SECRET);
    expect(placesOf(request)).toEqual(placesOf(await ask(source, LABEL)));
    expect(placesOf(request).filter((place) => valueAt(request, place)?.endsWith(SECRET))).toHaveLength(1);
  });

  test.each(OVER_HTTP.filter(([, { secret }]) => secret === "optional"))(
    "%s: without a key the request has no place for one",
    async (_, source) => {
      const keyed = await ask(source, SECRET);
      const place = placesOf(keyed).find((one) => valueAt(keyed, one)?.endsWith(SECRET));
      expect(placesOf(await ask(source, undefined))).toEqual(placesOf(keyed).filter((one) => one !== place));
    },
  );

  test.each(OVER_DNS)("%s: is one label of the name, or no query is sent", async (_, source) => {
    const [name = "", ...more] = await askNames(source, LABEL);
    expect(more).toEqual([]);
    expect(name.split(".").filter((label) => label === LABEL)).toHaveLength(1);
    for (const hostile of [SECRET, "a.b", "", "a".repeat(64)])
      expect(await askNames(source, hostile)).toEqual([]);
  });

  test.each([...OVER_HTTP, ...OVER_DNS])(
    "%s: is never in a run, even if the vendor repeats it in every text of its answer",
    async (id, source) => {
      let checked = 0;
      for (const fixture of fixturesOf(id)) {
        const { secret } = fixture;
        if (secret === undefined || fixture.expect.state !== "failed") continue;
        const http = fixture.http?.map((recording) => ({
          ...recording,
          ...(recording.body === undefined ? {} : { body: repeatKey(recording.body, secret) }),
        }));
        const { run } = await replay(source, { ...fixture, ...(http === undefined ? {} : { http }) });
        expect(JSON.stringify({ id, run })).not.toContain(secret);
        checked += 1;
      }
      expect(checked, `fixtures of ${id} that fail with a "secret"`).toBeGreaterThan(0);
    },
  );
});

function fixturesOf(id: string) {
  const zone = readZoneFixtures().get(id);
  const cases = Object.values(zone?.cases ?? {}).map((one) => ({
    ...(zone?.secret === undefined ? {} : { secret: zone.secret }),
    ...one,
  }));
  return [...cases, ...(readSourceFixtures().get(id)?.values() ?? [])];
}

/** Every place of a request that has a value: `path 2`, `query key`, `header accept`, `body q`. */
function placesOf(request: HttpRequest): readonly string[] {
  const { pathname, searchParams } = new URL(request.url);
  return [
    ...pathname.split("/").map((_, at) => `path ${at}`),
    ...[...searchParams.keys()].map((name) => `query ${name}`),
    ...Object.keys(request.headers ?? {}).map((name) => `header ${name}`),
    ...Object.keys(fieldsOf(request)).map((name) => `body ${name}`),
  ];
}

function valueAt(request: HttpRequest, place: string): string | undefined {
  const [kind, name = ""] = place.split(" ");
  const { pathname, searchParams } = new URL(request.url);
  if (kind === "path") return decodeURIComponent(pathname.split("/")[Number(name)] ?? "");
  if (kind === "query") return searchParams.get(name) ?? undefined;
  return kind === "header" ? request.headers?.[name] : fieldsOf(request)[name];
}

/** The fields of a body: JSON, or a form. */
function fieldsOf({ body = "{}" }: HttpRequest): Readonly<Record<string, string>> {
  const fields: object = body.startsWith("{")
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body));
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/** Appends the key to every sentence; short texts are codes and stay. */
function repeatKey(value: unknown, secret: string): unknown {
  if (typeof value === "string") return value.includes(" ") ? `${value} (${secret})` : value;
  if (Array.isArray(value)) return value.map((item) => repeatKey(item, secret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, repeatKey(item, secret)]));
}

/** Returns what a source asks over one way, without sending it. The other ways are missing. */
async function listAsked(source: Source, secret: string | undefined, way: "http" | "a"): Promise<unknown[]> {
  const asked: unknown[] = [];
  const upstream = {
    async [way](question: unknown) {
      asked.push(question);
      throw new UpstreamError("timeout", "enough");
    },
  };
  const ports = { upstream } as unknown as RunPorts;
  await Promise.resolve(source.ask(ADDRESS, ports, new AbortController().signal, secret)).catch(
    () => undefined,
  );
  return asked;
}

/** The one HTTP request of a source. */
async function ask(source: Source, secret: string | undefined): Promise<HttpRequest> {
  const requests = await listAsked(source, secret, "http");
  expect(requests).toHaveLength(1);
  return requests[0] as HttpRequest;
}

/** The names that a DNS source queries. */
const askNames = async (source: Source, secret: string) =>
  (await listAsked(source, secret, "a")) as readonly string[];

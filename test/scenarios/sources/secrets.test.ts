import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { type RunPorts, SOURCES, type Source } from "#sources";
import { type HttpRequest, UpstreamError } from "#upstream";
import { readSourceFixtures } from "../../sources/fixture.ts";
import { replay } from "../../sources/replay.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
/** As hostile as a key may be: printable ASCII that would add to a question if it were pasted into one. */
const SECRET = 'k3y&x=1#/"?%';
const ENCODED = encodeURIComponent(SECRET);
/** Where each vendor wants its key. */
const PLACES: Readonly<Record<string, (question: HttpRequest) => unknown>> = {
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
const rows = Object.entries(PLACES).map(([id, place]) => [id, find(id), place] as const);

describe("the key of a vendor", () => {
  test.each(rows)("%s: goes where it is wanted and cannot add to the question", async (_, source, place) => {
    const question = await ask(source, SECRET);
    expect(place(question)).toBe(SECRET);
    // Nowhere else, and in a URL only in escaped form.
    const { url, headers = {}, body = "{}" } = question;
    const parts = [...Object.values(headers), ...Object.values<string>(JSON.parse(body))];
    const times = parts.filter((part) => part.includes(SECRET)).length + url.split(ENCODED).length - 1;
    expect(times).toBe(1);
    expect(url).not.toContain(SECRET);
    expect(source.hosts).toContain(new URL(question.url).host);
  });

  test.each(rows.filter(([, { secret }]) => secret === "optional"))(
    "%s: without one there is no trace of one",
    async (_, source, place) => {
      expect(place(await ask(source, undefined)) ?? undefined).toBeUndefined();
    },
  );

  test("is in no run, even if the vendor repeats it in every text of its answer", async () => {
    const fixtures = readSourceFixtures();
    for (const [id, source] of rows) {
      for (const [name, fixture] of fixtures.get(id) ?? []) {
        const { secret } = fixture;
        if (secret === undefined || fixture.expect.state !== "failed") continue;
        const http = fixture.http?.map((recording) => ({
          ...recording,
          ...(recording.body === undefined ? {} : { body: repeatKey(recording.body, secret) }),
        }));
        const { run } = await replay(source, { ...fixture, ...(http === undefined ? {} : { http }) });
        expect(JSON.stringify({ name, run })).not.toContain(secret);
      }
    }
  });
});

/** Appends the key to every sentence; short texts are codes and stay. */
function repeatKey(value: unknown, secret: string): unknown {
  if (typeof value === "string") return value.includes(" ") ? `${value} (${secret})` : value;
  if (Array.isArray(value)) return value.map((item) => repeatKey(item, secret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, repeatKey(item, secret)]));
}

/** The question a source puts, caught before it leaves. */
async function ask(source: Source, secret: string | undefined): Promise<HttpRequest> {
  const questions: HttpRequest[] = [];
  const upstream = {
    http: async (question: HttpRequest) => {
      questions.push(question);
      throw new UpstreamError("timeout", "enough");
    },
  };
  // Only the HTTP port is used; the rest of the world is not there.
  const ports = { upstream } as unknown as RunPorts;
  await source.ask(ADDRESS, ports, new AbortController().signal, secret).catch(() => undefined);
  expect(questions).toHaveLength(1);
  return questions[0] ?? expect.unreachable();
}

function find(id: string): Source {
  return SOURCES.find((source) => source.id === id) ?? expect.unreachable();
}

import { describe, expect, test } from "bun:test";
import { type AppOptions, answered, answerOf, assessmentOf, openApp } from "../kit/open_app.ts";

const ADDRESS = "198.51.100.7";

/** Request targets of a report in every format, as people and programs write them. */
const TARGETS = [
  `/api/lookup?ip=${ADDRESS}`,
  `/api/lookup?ip=${ADDRESS}&lang=en`,
  `/api/lookup?lang=zh&ip=%31${ADDRESS.slice(1)}&utm=1`,
  "/api/lookup?ip=[2001:db8::1]",
  `/ip/${ADDRESS}`,
  `/en/ip/${ADDRESS}`,
  `/ip/${ADDRESS}.json?lang=en`,
  `/en/ip/${ADDRESS}.txt`,
  `/ip/${ADDRESS}.md`,
  `/cli/${ADDRESS}`,
  `/cli/${ADDRESS}?color=0&lang=en`,
  `/cli/${ADDRESS}?format=line`,
];

/** Headers that differ for each request. */
const OWN_HEADERS = ["x-request-id", "ratelimit", "x-open-budget-remaining"];

async function read(response: Response) {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  return { status: response.status, headers, body: await response.text() };
}

/** Memory holds every address, so that the second request of a URL skips the router. */
function inMemory(options: AppOptions = {}): AppOptions {
  const known = new Map<string, ReturnType<typeof assessmentOf>>();
  return {
    ...options,
    findKnownSync: (address) => {
      const assessment = known.get(address.text) ?? assessmentOf(address.text, address.version);
      known.set(address.text, assessment);
      return answerOf(address, {}, { tier: "cache", assessment });
    },
  };
}

const PLACES = [
  ["in memory", inMemory],
  ["in the lookup alone", (options: AppOptions = {}) => options],
] as const;

describe.each(PLACES)("a URL that was answered before, of an address %s", (place, at) => {
  const callsAfter = (times: number) => (place === "in memory" ? 0 : times);

  test.each(TARGETS)("%s gets the same answer again", async (target) => {
    const testApp = openApp(at());
    const first = await read(await testApp.ask(target));
    expect(first.status).toBe(200);
    for (let times = 2; times <= 4; times += 1) {
      expect(await read(await testApp.ask(target))).toEqual(first);
      expect(testApp.calls.length).toBe(callsAfter(times));
    }
  });

  test.each(TARGETS)("%s costs each client a lookup each time", async (target) => {
    const testApp = openApp(at({ limits: { lookups: 3 }, trustedProxies: ["203.0.113.9/32"] }));
    const ask = async (client: string) => {
      const response = await testApp.ask(target, { headers: { "x-forwarded-for": client } });
      return `${response.status} ${/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]}`;
    };
    const seen: string[] = [];
    for (let times = 0; times < 4; times += 1) seen.push(await ask("192.0.2.1"));
    expect(seen).toEqual(["200 2", "200 1", "200 0", "429 0"]);
    expect(await ask("192.0.2.2")).toBe("200 2");
    testApp.clock.advance(60_000);
    expect(await ask("192.0.2.1")).toBe("200 2");
  });

  test.each(TARGETS)(
    "%s respects the method, the entity tag and the encoding of each request",
    async (target) => {
      const testApp = openApp(at({ limits: { lookups: 100 } }));
      const plain = await read(await testApp.ask(target));
      for (let times = 0; times < 2; times += 1) {
        const head = await read(await testApp.ask(target, { method: "HEAD" }));
        expect(head).toEqual({ ...plain, body: "" });
        expect((await testApp.ask(target, { method: "DELETE" })).status).toBe(405);
        expect((await testApp.ask(target, { method: "OPTIONS" })).status).toBe(204);
        const tag = plain.headers.etag ?? "none";
        const known = await read(await testApp.ask(target, { headers: { "if-none-match": tag } }));
        expect([known.status, known.body, known.headers.etag, known.headers["content-length"]]).toEqual([
          304,
          "",
          tag,
          undefined,
        ]);
        const packed = await testApp.ask(target, { headers: { "accept-encoding": "gzip" } });
        const bytes = await packed.bytes();
        const isPacked = packed.headers.get("content-encoding") === "gzip";
        expect(packed.headers.get("content-length")).toBe(String(bytes.length));
        expect(new TextDecoder().decode(isPacked ? Bun.gunzipSync(new Uint8Array(bytes)) : bytes)).toBe(
          plain.body,
        );
        expect(await read(await testApp.ask(target))).toEqual(plain);
      }
    },
  );

  test("answers with a newer report when there is one", async () => {
    let purity = 85;
    const testApp = openApp({
      lookup: async ({ address }) => answered(answerOf(address, { purity }, { tier: "cache" })),
    });
    const ask = async () =>
      ((await (await testApp.ask(TARGETS[0] ?? "")).json()) as { risk: { purity: number } }).risk.purity;
    expect([await ask(), await ask()]).toEqual([85, 85]);
    purity = 40;
    expect([await ask(), await ask()]).toEqual([40, 40]);
  });

  test("is not cached when it was refused, malformed or a refresh", async () => {
    const testApp = openApp(at());
    for (const [target, status] of [
      ["/api/lookup?ip=8.8.4.77&refresh=1", 403],
      ["/api/lookup?ip=nonsense", 400],
      [`/api/lookup?ip=${ADDRESS}&ip=${ADDRESS}`, 400],
    ] as const) {
      for (let times = 0; times < 3; times += 1) expect((await testApp.ask(target)).status).toBe(status);
    }
    const refresh = "/api/lookup?ip=8.8.4.77&refresh=1";
    expect((await testApp.ask(refresh, { headers: testApp.newPass() })).status).toBe(200);
    // A refresh with a pass does not allow a refresh without one.
    expect((await testApp.ask(refresh)).status).toBe(403);
  });
});

describe("the head of a request", () => {
  const long = { "content-length": "100000" };

  test.each([
    ["/healthz", long, 413],
    [`/ip/${ADDRESS}.json`, long, 413],
    ["/static/report.css", { host: "a, b" }, 400],
    [`/api/lookup?ip=${ADDRESS}`, { host: "a, b" }, 400],
  ])("is checked the first time and each time: %s with %p", async (target, headers, status) => {
    const testApp = openApp(inMemory());
    for (let times = 0; times < 2; times += 1) {
      const request = new Request(`http://localhost${target}`, { headers });
      expect((await testApp.app.handle(request)).status).toBe(status);
      expect((await testApp.ask(target)).status).toBe(200);
    }
  });
});

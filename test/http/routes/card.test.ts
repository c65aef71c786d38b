import { describe, expect, test } from "bun:test";
import type { Answer } from "#lookup";
import { openNetworks, openSmall } from "../../network/small_networks.ts";
import { answerOf, openApp, openShared, surveying } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const IP = "198.51.100.7";

/** Width and height in the head of a PNG file (https://www.w3.org/TR/png-3/, 11.2.1). */
async function sizeOf(response: Response): Promise<readonly [width: number, height: number]> {
  const bytes = new DataView(await response.arrayBuffer());
  expect(bytes.getUint32(0)).toBe(0x89_50_4e_47);
  return [bytes.getUint32(16), bytes.getUint32(20)];
}

function openKnown() {
  const answer = answerOf({ text: IP });
  return openApp({ findKnown: async ({ text }) => (text === IP ? answer : undefined) });
}

tables("card", { surveying });

describe("/ip/{ip}.png", () => {
  test.each(["", "/en"])("is a picture of the stored report below %p", async (prefix) => {
    const testApp = openKnown();
    const response = await testApp.ask(`${prefix}/ip/${IP}.png`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    // Anyone may cache it, so it does not show the limits of this client.
    expect(response.headers.get("ratelimit")).toBeNull();
    expect(response.headers.get("x-open-budget-remaining")).toBeNull();
    expect(await sizeOf(response)).toEqual([1200, 630]);
  });

  test("is drawn once, and not sent again to a client that has it", async () => {
    const testApp = openKnown();
    let drawings = 0;
    const { drawPng } = testApp.deps;
    Object.assign(testApp.deps, {
      drawPng: (renderSvg: () => string) => {
        drawings += 1;
        return drawPng(renderSvg);
      },
    });
    const [first] = await Promise.all([testApp.ask(`/ip/${IP}.png`), testApp.ask(`/ip/${IP}.png`)]);
    const etag = first?.headers.get("etag") ?? "";
    const again = await testApp.ask(`/ip/${IP}.png`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(drawings).toBe(1);
    await testApp.ask(`/en/ip/${IP}.png`);
    expect(drawings).toBe(2);
  });

  test("hides the end of the address on demand, of a known and of an unknown one, and for badges", async () => {
    const testApp = openKnown();
    const drawn: string[] = [];
    const { drawPng } = testApp.deps;
    Object.assign(testApp.deps, {
      drawPng: async (renderSvg: () => string | Promise<string>) => {
        drawn.push(await renderSvg());
        return drawPng(renderSvg);
      },
    });
    for (const ip of [IP, "203.0.113.8"]) {
      drawn.splice(0);
      for (const query of ["", "?mask=1", "", "?mask=1"]) await testApp.ask(`/ip/${ip}.png${query}`);
      const [first, second] = ip.split(".");
      expect(drawn.map((svg) => svg.includes(ip))).toEqual([true, false]);
      expect(drawn[1]).toContain(`${first}.${second}.*.*`);
      const badge = await (await testApp.ask(`/badge/${ip}.svg?mask=1`)).text();
      expect(badge).toContain(`${first}.${second}.*.*`);
      expect(badge).not.toContain(ip);
      expect(await (await testApp.ask(`/badge/${ip}.svg`)).text()).toContain(ip);
    }
    expect((await testApp.ask(`/ip/${IP}.png?mask=yes`)).status).toBe(400);
    expect((await testApp.ask(`/ip/${IP}.json?mask=yes`)).status).toBe(200);
  });

  test("never starts a survey: an unknown address has a card of the local tables", async () => {
    const testApp = openKnown();
    const response = await testApp.ask("/ip/203.0.113.8.png");
    expect(response.status).toBe(200);
    expect(await sizeOf(response)).toEqual([1200, 630]);
    expect(testApp.calls).toEqual([]);
    expect(response.headers.get("etag")).not.toBe((await testApp.ask(`/ip/${IP}.png`)).headers.get("etag"));
  });

  test("shows the report as soon as there is one", async () => {
    let answer: Answer | undefined;
    const testApp = openApp({ findKnown: async () => answer });
    const before = await testApp.ask(`/ip/${IP}.png`);
    answer = answerOf({ text: IP });
    const after = await testApp.ask(`/ip/${IP}.png`);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  test("is drawn again when the tables or the corrections say something else", async () => {
    const testApp = openApp({ networks: openNetworks(openSmall({})) });
    let drawings = 0;
    const drawPng = async () => Buffer.from(`${++drawings}`);
    for (const version of [1, 1, 2, 2]) {
      const classifier = { ...testApp.deps.classifier, version: () => version };
      Object.assign(testApp.deps, { classifier, drawPng });
      for (const path of ["/ip/203.0.113.8.png", "/net/203.0.114.0/24.png"])
        expect((await testApp.ask(path)).status).toBe(200);
      expect(drawings).toBe(version * 2);
    }
  });

  test("says that too much is drawn at the moment", async () => {
    const testApp = openKnown();
    Object.assign(testApp.deps, { drawPng: async () => undefined });
    const response = await testApp.ask(`/ip/${IP}.png`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("2");
  });

  test("asks no table for a card that it does not draw", async () => {
    let asked = 0;
    const assessTables = async (): Promise<never> => {
      asked += 1;
      throw new Error("asked");
    };
    const testApp = openApp({ assessTables });
    Object.assign(testApp.deps, { drawPng: async () => undefined });
    expect((await testApp.ask("/ip/203.0.113.8.png")).status).toBe(503);
    expect(asked).toBe(0);
  });
});

describe("the cards of the pages", () => {
  test.each(["/card/home.png", "/en/card/home.png", "/card/method.png", "/en/card/method.png"])(
    "%s is a picture",
    async (path) => {
      const response = await openShared().ask(path);
      expect(response.status).toBe(200);
      expect(await sizeOf(response)).toEqual([1200, 630]);
    },
  );
});

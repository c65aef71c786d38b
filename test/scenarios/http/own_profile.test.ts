import { expect, test } from "bun:test";
import type { Answer } from "#lookup";
import { answerOf, openApp } from "../../http/kit/open_app.ts";

const OWN = "198.51.100.7";

test.each([
  ["a full service", {}, true],
  ["a mirror", { mirror: {} }, false],
])("%s compares the browser only with the address of the client", async (_name, options, takesRatings) => {
  const testApp = openApp({ limits: { lookups: 100 }, ...options });
  const read = async (from: string, target: string) => {
    testApp.from(from);
    const response = await testApp.ask(target);
    const page = await response.text();
    return {
      profile: page.includes('id="own-profile"'),
      rating: page.includes('id="feedback-form"'),
      cache: response.headers.get("cache-control"),
      etag: response.headers.get("etag"),
    };
  };
  // Twice, so that the second time the answers come from memory.
  for (let again = 0; again < 2; again++) {
    for (const prefix of ["", "/en"]) {
      const own = await read(OWN, `${prefix}/ip/${OWN}`);
      expect(own).toMatchObject({ profile: true, rating: takesRatings, cache: "private, no-cache" });
      const other = await read("192.0.2.8", `${prefix}/ip/${OWN}`);
      expect(other).toMatchObject({ profile: false, rating: false, cache: "private, no-cache" });
      expect(other.etag).not.toBe(own.etag);
      expect((await read(OWN, `${prefix}/ip/me`)).profile).toBe(true);
      expect((await read(OWN, `${prefix}/ip`)).profile).toBe(true);
      expect((await read("10.0.0.1", `${prefix}/ip/me`)).profile).toBe(true);
      expect((await read(OWN, `${prefix}/ip/10.0.0.1`)).profile).toBe(false);
    }
  }
});

test("a new report on the own address counts at once in memory, and soon in the database", async () => {
  const [memory, database] = [new Map<string, Answer>(), new Map<string, Answer>()];
  const testApp = openApp({
    findKnownSync: ({ text }) => memory.get(text),
    findKnown: async ({ text }) => database.get(text),
  });
  const readScore = async (own: string) => {
    testApp.from(own);
    const { report } = (await (await testApp.ask("/api/myip?report=brief&lang=en")).json()) as {
      readonly report: { readonly score?: string };
    };
    return report.score;
  };
  const [own, neighbour] = ["2a02:db8::1", "2a02:db8::2"];
  const before = await readScore(own);
  const answer = (text: string) => answerOf({ text, version: 6 }, { purity: 12 });
  database.set(neighbour, answer(neighbour));
  const known = await readScore(neighbour);
  expect(known).not.toBe(before);
  database.set(own, answer(own));
  expect(await readScore(own)).toBe(before);
  // A clock that was ahead and is set back.
  testApp.clock.advance(-86_400_000);
  expect(await readScore(own)).toBe(known);
  database.clear();
  expect(await readScore(own)).toBe(before);
  memory.set(own, answer(own));
  expect(await readScore(own)).toBe(known);
});

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
  const isKnown = async (own: string) => {
    testApp.from(own);
    return (await (await testApp.ask("/api/myip?report=brief")).text()).includes('"12');
  };
  const [own, neighbour] = ["2a02:db8::1", "2a02:db8::2"];
  const answer = (text: string) => answerOf({ text, version: 6 }, { purity: 12 });
  expect(await isKnown(own)).toBe(false);
  for (const text of [own, neighbour]) database.set(text, answer(text));
  expect([await isKnown(neighbour), await isKnown(own)]).toEqual([true, false]);
  // A clock that was ahead and is set back.
  testApp.clock.advance(-86_400_000);
  expect(await isKnown(own)).toBe(true);
  database.clear();
  expect(await isKnown(own)).toBe(false);
  memory.set(own, answer(own));
  expect(await isKnown(own)).toBe(true);
});

import { expect, test } from "bun:test";
import { openApp } from "../../http/kit/open_app.ts";

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

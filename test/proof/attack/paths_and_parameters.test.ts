import { describe, expect, test } from "bun:test";
import { setUpService } from "#kit";
import ATTACKS from "../../fixtures/attacks/paths.json";
import { VICTIM } from "./victim.ts";
import { requestText, send } from "./wire.ts";

const victim = setUpService(VICTIM);

/** As bytes on the wire: nothing is normalised on the way. */
async function ask(target: string, headers: readonly string[] = [], method = "GET", body = "") {
  const heard = await send(victim, requestText(target, headers, method, body));
  const [head = "", ...rest] = heard.text.split("\r\n\r\n");
  const tag = /^etag: (.*)$/im.exec(head)?.[1];
  return { status: heard.statuses[0] ?? 0, tag, head: head.toLowerCase(), body: rest.join("\r\n\r\n") };
}

describe("unusual ways to write a path", () => {
  test.each(ATTACKS.notFound)("%s is not found", async (path) => {
    const { status, body } = await ask(path);
    expect([400, 404]).toContain(status);
    expect(body).not.toMatch(/root:|limpid"|SQLite|\[core\]|import /);
  });

  test("/metrics requires its token in every spelling", async () => {
    for (const path of ATTACKS.metricsSpellings) {
      const { status, body } = await ask(path);
      expect([401, 404]).toContain(status);
      expect(body).not.toContain("# HELP");
    }
  });

  test("all spellings of one address have one report", async () => {
    for (const [ip, paths] of Object.entries(ATTACKS.spellings))
      for (const path of paths) expect(JSON.parse((await ask(path)).body), path).toMatchObject({ ip });
  });

  test.each(ATTACKS.notAnAddress)("%s is no address", async (path) => {
    const { status, head } = await ask(path);
    expect([400, 404]).toContain(status);
    expect(head).toContain("cache-control: no-store");
  });
});

describe("repeated parameters, and parameters in the wrong place", () => {
  test.each(ATTACKS.badParameters)("%s is refused", async (path) => {
    expect((await ask(path)).status).toBe(400);
  });

  test("unknown ones, and names of object properties, change nothing", async () => {
    const plain = JSON.parse((await ask("/ip/10.0.0.1.json")).body) as object;
    const odd =
      "__proto__[isAdmin]=1&__proto__.x=1&constructor[prototype][x]=1&toString=1&hasOwnProperty=1&_method=POST&callback=f&jsonp=f";
    const { body, head } = await ask(`/ip/10.0.0.1.json?${odd}`);
    const without = (report: object) => ({ ...report, queriedAt: "", sources: [] });
    expect(without(JSON.parse(body) as object)).toEqual(without(plain));
    expect(head).toContain("content-type: application/json");
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("a body on GET and a method override do nothing", async () => {
    const { status, body } = await ask(
      "/api/lookup?ip=10.0.0.1",
      ["Content-Type: application/x-www-form-urlencoded", "X-HTTP-Method-Override: DELETE"],
      "GET",
      "ip=8.8.8.8",
    );
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ ip: "10.0.0.1" });
  });
});

describe("a cached answer for one client is not sent to another", () => {
  test("languages, formats and encodings have their own entity tags", async () => {
    // Twice: first from the sources, then from memory.
    for (let turn = 0; turn < 2; turn++) await ask("/ip/8.8.8.8.json");
    const tags = new Map<string, string>();
    for (const path of ATTACKS.formats) {
      for (const encoding of ["identity", "gzip"]) {
        const { status, head, tag = "" } = await ask(path, [`Accept-Encoding: ${encoding}`]);
        expect(status, path).toBe(200);
        const isPacked = head.includes("content-encoding: gzip");
        if (encoding === "gzip" && !isPacked) continue;
        if (isPacked || head.includes("vary:")) expect(head, path).toMatch(/^vary:.*accept-encoding/m);
        expect(tag, path).toMatch(/^(?:W\/)?"[\w-]+"$/);
        expect(tags.get(tag), `${path} ${encoding}`).toBeUndefined();
        tags.set(tag, `${path} ${encoding}`);
        // The tag of another encoding is not taken for this one.
        const other = await ask(path, [
          `Accept-Encoding: ${encoding === "gzip" ? "identity" : "gzip"}`,
          `If-None-Match: ${tag}`,
        ]);
        if (isPacked) expect(other.status, path).toBe(200);
        expect(
          (await ask(path, [`Accept-Encoding: ${encoding}`, `If-None-Match: ${tag}`])).status,
          path,
        ).toBe(304);
      }
    }
  });

  test("a report cached in one language is localized for the other", async () => {
    const zh = await ask("/api/lookup?ip=8.8.4.4");
    const en = await ask("/api/lookup?ip=8.8.4.4&lang=en");
    expect(JSON.parse(en.body)).toMatchObject({ ip: "8.8.4.4", lang: "en" });
    expect(JSON.parse(zh.body)).not.toHaveProperty("lang");
    expect((JSON.parse(zh.body) as { reportUrl: string }).reportUrl).not.toContain("/en/");
  });

  test("an answer that depends on the caller is not cacheable by others", async () => {
    for (const path of ATTACKS.ofTheCaller) {
      expect((await ask(path)).head, path).toContain("cache-control: private, no-cache");
    }
    for (const path of ATTACKS.notCached) {
      expect((await ask(path)).head, path).toContain("cache-control: no-store");
    }
    for (const path of ATTACKS.public) {
      const { head } = await ask(path, ["Cookie: limpid_pass=x", "Origin: https://evil.test"]);
      expect(head, path).not.toMatch(/^(?:set-cookie|ratelimit|x-open-budget-remaining):/m);
    }
  });

  test("the front page depends only on the headers in its Vary", async () => {
    for (const headers of [[], ["User-Agent: curl/8"], ["Accept: text/html"]]) {
      const { head } = await ask("/", headers);
      expect(head).toMatch(/^vary:.*accept/m);
      expect(head).toMatch(/^vary:.*user-agent/m);
    }
  });

  test("headers that are not part of the key change nothing", async () => {
    const { body } = await ask("/en/ip/10.0.0.1");
    expect((await ask("/en/ip/10.0.0.1", ATTACKS.uselessHeaders)).body.length).toBe(body.length);
  });
});

describe("POST from another site", () => {
  const JSON_TYPE = "Content-Type: application/json";
  const BODIES = {
    "/api/verify": '{"ip":"8.8.8.8","action":"lookup","payload":"e30="}',
    "/api/feedback": '{"scenario":"ai","rating":1}',
  } as const;

  test.each(Object.entries(BODIES))("%s is refused with any claimed origin", async (path, body) => {
    for (const from of ATTACKS.foreignOrigins) {
      const { status, head, body: said } = await ask(path, [JSON_TYPE, ...from], "POST", body);
      expect(status, from.join()).toBe(403);
      expect(said).toContain("forbidden");
      expect(head).not.toMatch(/^(?:set-cookie|access-control-allow-\w+):/m);
    }
  });

  test.each(Object.entries(BODIES))(
    "%s accepts no form, because a page of any site can send one",
    async (path, body) => {
      for (const type of ATTACKS.formTypes) {
        const { status } = await ask(
          path,
          [`Content-Type: ${type}`, "Sec-Fetch-Site: same-origin"],
          "POST",
          body,
        );
        expect(status, type).toBe(400);
      }
      for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
        const { status } = await ask(path, [JSON_TYPE, "Sec-Fetch-Site: same-origin"], method, body);
        expect(status, method).toBe(405);
      }
    },
  );

  test("no preflight allows it", async () => {
    for (const path of ["/api/verify", "/api/feedback", "/mcp"]) {
      const { head } = await ask(
        path,
        [
          "Origin: https://evil.test",
          "Access-Control-Request-Method: POST",
          "Access-Control-Request-Headers: content-type",
        ],
        "OPTIONS",
      );
      expect(head, path).not.toContain("access-control");
    }
    for (const path of ["/api/lookup?ip=8.8.8.8", "/ip/8.8.8.8.json"]) {
      const { head } = await ask(
        path,
        ["Origin: https://evil.test", "Access-Control-Request-Method: POST"],
        "OPTIONS",
      );
      expect(/^access-control-allow-methods: (.*)$/m.exec(head)?.[1], path).toBe("get, head, options");
      expect(head).not.toContain("access-control-allow-credentials");
    }
  });

  test("/mcp answers programs and pages of this site only", async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const accept = "Accept: application/json, text/event-stream";
    expect((await ask("/mcp", [JSON_TYPE, accept], "POST", ping)).status).toBe(200);
    for (const origin of ATTACKS.mcpOrigins)
      expect((await ask("/mcp", [JSON_TYPE, accept, `Origin: ${origin}`], "POST", ping)).status, origin).toBe(
        403,
      );
    for (const type of ["text/plain", "application/x-www-form-urlencoded"])
      expect((await ask("/mcp", [`Content-Type: ${type}`, accept], "POST", ping)).status).toBe(415);
  });

  test("a forged pass has no effect", async () => {
    for (const cookie of ATTACKS.passes) {
      const { status } = await ask(
        "/api/feedback",
        [JSON_TYPE, "Sec-Fetch-Site: same-origin", `Cookie: limpid_pass=${cookie}`],
        "POST",
        BODIES["/api/feedback"],
      );
      expect([400, 403]).toContain(status);
    }
  });
});

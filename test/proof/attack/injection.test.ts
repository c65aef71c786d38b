import { beforeAll, describe, expect, test } from "bun:test";
import { createTemporaryFolder, findProgram, type RunningService, setUp, startChromium } from "#kit";
import PLACES from "../../fixtures/attacks/places.json";
import { ATTACKS, addressOfAttack, MARK, stockAttacks } from "./stock_attacks.ts";
import { VICTIM } from "./victim.ts";

const dataDirectory = createTemporaryFolder("limpid-attack-");
const setup = setUp("all");
let victim: RunningService;
beforeAll(async () => {
  await stockAttacks(dataDirectory);
  victim = await setup.start(
    {
      ...{ ...VICTIM, LIMPID_BASE_URL: "", LIMPID_TRUSTED_PROXIES: "127.0.0.1" },
      LIMPID_EXEMPT_CLIENTS: "0.0.0.0/0",
    },
    { dataDirectory },
  );
});

async function read(path: string, init: RequestInit = {}): Promise<{ type: string; text: string }> {
  const response = await fetch(`${victim.url}${path}`, { redirect: "manual", ...init });
  expect(response.status, path).toBe(200);
  return { type: response.headers.get("content-type") ?? "", text: await response.text() };
}

/** Characters that act on a terminal, a reader of lines, or the direction of text. */
const ACTING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/u;

const everyAttack = ATTACKS.map(
  (attack, index) => [JSON.stringify(attack), addressOfAttack(index), attack] as const,
);

/** Elements and attributes of a page, as a parser that knows HTML sees them. */
async function dissect(page: string): Promise<{ elements: string[]; attributes: string[]; data: string[] }> {
  const elements: string[] = [];
  const attributes: string[] = [];
  const data: string[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      elements.push(element.tagName);
      for (const [name, value] of element.attributes) attributes.push(`${element.tagName} ${name}=${value}`);
    },
  });
  rewriter.on("script#service-report", { text: (chunk) => void data.push(chunk.text) });
  await rewriter.transform(new Response(page, { headers: { "content-type": "text/html" } })).text();
  return { elements, attributes, data };
}

test("the check notices a page with an attack in it", async () => {
  const { elements, attributes, data } = await dissect(
    `<p onclick="x"><iframe src=//x></iframe><a href="javascript:x">x</a><script id="service-report">{}</script>`,
  );
  expect(elements).toEqual(["p", "iframe", "a", "script"]);
  expect(attributes).toEqual([
    "p onclick=x",
    "iframe src=//x",
    "a href=javascript:x",
    "script id=service-report",
  ]);
  expect(data.join("")).toBe("{}");
});

describe("the text of a hostile source", () => {
  test.each(everyAttack)("%s is text in the page", async (_name, address, attack) => {
    for (const path of PLACES.pages.map((place) => place.replace("ADDRESS", address))) {
      const { text } = await read(path);
      const { elements, attributes, data } = await dissect(text);
      for (const name of ["iframe", "object", "embed", "base", "img", "style"])
        expect(elements, path).not.toContain(name);
      for (const attribute of attributes) {
        expect(attribute).not.toMatch(/^\S+ (?:on\w+|style|srcdoc|formaction)=/i);
        expect(attribute).not.toMatch(/^\S+ (?:href|src|action|content)=\s*(?:javascript|data|vbscript):/i);
        expect(attribute).not.toMatch(/^\S+ (?:src|action)=(?!\/)/);
        expect(attribute).not.toMatch(/^meta http-equiv/i);
      }
      const scripts = [...text.matchAll(/<script\b[^>]*>/gi)].map(([tag]) => tag);
      for (const tag of scripts)
        expect(tag).toMatch(
          /^<script (?:type="application\/json" id="service-report"|type="application\/ld\+json"|type="module" src="\/static\/[\w.]+"|src="\/static\/[\w.]+" (?:defer|type="module")|defer src="\/static\/[\w.]+"|async defer src="\/static\/[\w.]+"|src="\/static\/theme\.js")>$/,
        );
      if (path.includes("/ip/")) {
        const report: unknown = JSON.parse(data.join(""));
        expect(JSON.stringify(report)).toContain(MARK);
        expect(text.replace(/<script.*?<\/script>/gs, ""), path).toContain(MARK);
        expect(data.join("")).not.toMatch(/[<>&]/);
      }
      expect(text).not.toMatch(ACTING);
      if (/[<>"]/.test(attack)) expect(text).not.toContain(attack);
    }
  });

  test.each(everyAttack)("%s controls no terminal and adds no line", async (_name, address) => {
    for (const path of PLACES.texts.map((place) => place.replace("ADDRESS", address))) {
      const { text } = await read(path);
      expect(text).not.toMatch(ACTING);
      expect(text).not.toMatch(/^set-cookie:/im);
    }
    const { text } = await read(`/cli/${address}?lang=en`);
    // Only our own colours.
    expect(text.replaceAll(/\u001b\[[0-9;]*m/g, "")).not.toMatch(ACTING);
    const { text: line } = await read(`/cli/${address}?format=line`);
    expect(line.split("\n")).toHaveLength(2);
  });

  test.each(everyAttack)("%s adds no markup to Markdown", async (_name, address) => {
    for (const path of [`/ip/${address}.md`, `/en/ip/${address}.md`]) {
      const { text } = await read(path);
      expect(text).not.toMatch(ACTING);
      const bare = text.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, "");
      expect(bare).not.toMatch(/(?<!\\)<(?:script|img|svg|iframe|base|meta|link|form|!--)/i);
      expect(bare).not.toMatch(/(?<!\\)\]\((?:javascript|https?:\/\/pwn3d)/i);
      expect(bare).not.toMatch(new RegExp(`^#+ .*${MARK}`, "m"));
    }
  });

  test.each(everyAttack)("%s leaves JSON, badge, history, gate and tools intact", async (_name, address) => {
    const { text: json, type } = await read(`/ip/${address}.json`);
    expect(type).toBe("application/json; charset=utf-8");
    expect(JSON.parse(json)).toMatchObject({ ip: address });
    const { text: badge } = await read(`/badge/${address}.svg`);
    expect(badge).not.toMatch(/<script|onload|<image|<foreignObject|href=/i);
    expect(badge).not.toContain(MARK);
    const { text: word } = await read(`/gate/${address}?status=200`);
    expect(word).toMatch(/^(?:PASS|FAIL|UNKNOWN)[^\n]*\n$/);
    expect(word).not.toMatch(ACTING);
    await read(`/api/history?ip=${address}`);
    await read(`/api/compare?ips=${address},8.8.8.8`);
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "lookup_ip", arguments: { ip: address, lang: "en", detail: "full" } },
    };
    const { text: rpc } = await read("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify(call),
    });
    const answer = JSON.parse(rpc) as { result: { content: { text: string }[] } };
    for (const { text } of answer.result.content) expect(text).not.toMatch(ACTING);
  });

  test("is in no page about something else", async () => {
    for (const path of PLACES.others) {
      expect((await read(path)).text, path).not.toContain(MARK);
    }
  });

  test("changes no prototype", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(victim.log()).not.toContain("error");
  });
});

describe("the input of a visitor", () => {
  const REFLECTED = ATTACKS.map(
    (attack) => [JSON.stringify(attack), encodeURIComponent(attack.toWellFormed())] as const,
  );

  test.each(REFLECTED)("%s comes back as text or not at all", async (_name, attack) => {
    for (const path of PLACES.reflecting.map((place) => place.replace("INPUT", () => attack))) {
      const response = await fetch(`${victim.url}${path}`, {
        redirect: "manual",
        headers: { accept: "text/html" },
      });
      expect(response.status, path).toBeLessThan(500);
      const text = await response.text();
      expect(text.replaceAll(/\u001b\[[0-9;]*m/g, ""), path).not.toMatch(ACTING);
      if (response.headers.get("content-type")?.startsWith("text/html") !== true) continue;
      const { elements, attributes } = await dissect(text);
      for (const name of ["iframe", "base", "img", "object"]) expect(elements, path).not.toContain(name);
      for (const attribute of attributes)
        expect(attribute).not.toMatch(/^\S+ (?:on\w+=|(?!value=)[^=]*=\s*javascript:)|^meta http-equiv/i);
      expect(text).not.toMatch(new RegExp(`<script[^>]*>[^<]*${MARK}`));
    }
  });
});

describe.skipIf(findProgram("chromium") === undefined)("in a real browser", () => {
  test("nothing runs, nothing is sent elsewhere, and the policy blocks nothing", async () => {
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      const origins = new Set<string>();
      const dialogs: string[] = [];
      page.on("console", (message) => {
        if (/Content.Security.Policy|Refused/i.test(message.text())) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => origins.add(new URL(request.url()).origin));
      page.on("dialog", (dialog) => {
        dialogs.push(dialog.message());
        dialog.dismiss();
      });
      for (const [index] of ATTACKS.entries()) {
        const address = addressOfAttack(index);
        const paths = [`${index % 2 === 0 ? "/en" : ""}/ip/${address}`];
        if (index % 5 === 0)
          paths.push(`/en/compare?ips=${address},8.8.8.8`, `/ip/${address}.txt`, `/badge/${address}.svg`);
        for (const path of paths) {
          await page.goto(`${victim.url}${path}`);
          await page.mouse.move(300, 300);
          expect(await page.evaluate(`typeof window.${MARK}`), path).toBe("undefined");
          expect(new URL(page.url()).origin).toBe(victim.url);
        }
      }
      expect(complaints).toEqual([]);
      expect(dialogs).toEqual([]);
      expect([...origins]).toEqual([victim.url]);
    } finally {
      await browser.close();
    }
  });
});

import { describe, expect, test } from "bun:test";
import { classifyLines, createLineFormat, MAX_LINE_LENGTH } from "../../../src/http/classify_lines.ts";
import { openNetworks, openSmall } from "../../network/small_networks.ts";
import { type AppOptions, openApp } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const PATH = "/api/classify";
const operator: AppOptions = { exempt: ["192.0.2.0/24"], peer: "192.0.2.7" };

function post<Body>(body: Body, type: string, headers: Record<string, string> = {}) {
  return { method: "POST", headers: { "content-type": type, ...headers }, body };
}

async function readRows(response: Response): Promise<readonly Record<string, unknown>[]> {
  expect(response.headers.get("content-type")).toStartWith("application/x-ndjson");
  const text = await response.text();
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

tables("classify", {
  operator,
  mirror: { ...operator, mirror: { primaryUrl: "https://full.example" } },
  deep: "[".repeat(100_000),
  many: JSON.stringify(Array(1001).fill("8.8.4.9")),
  large: `["${"8".repeat(140_000)}"]`,
});

describe("/api/classify", () => {
  test("gives the same answer with and without the route", async () => {
    const testApp = openApp(operator);
    for (const address of ["8.8.4.9", "10.0.0.1", "2001:4860:4860::1", "::FFFF:8.8.4.9"]) {
      const quick = await testApp.ask(`${PATH}?ip=${address}`);
      const routed = await testApp.ask(`${PATH}?lang=zh&ip=${address}`);
      expect(await quick.text()).toBe(await routed.text());
      const headersOf = ({ headers }: Response) =>
        [...headers].filter(([name]) => name !== "x-request-id" && name !== "content-length");
      expect(headersOf(quick)).toEqual(headersOf(routed));
    }
  });

  test("answers prefixes and AS numbers with their summary, among addresses", async () => {
    const networks = openNetworks(openSmall({ asn: [["81.2.69.0/24", 64500, "Example"]] }));
    const texts = ["8.8.4.9", "81.2.69.7/24", "AS64500", "AS64999", "AS0", "0.0.0.0/0", "64500"];
    const expected = [
      { ip: "8.8.4.9" },
      { prefix: "81.2.69.0/24", networks: [{ asn: 64500 }] },
      { asn: 64500, addresses: 256 },
      { input: "AS64999", error: "not_announced" },
      { input: "AS0", error: "not_as" },
      { input: "0.0.0.0/0", error: "prefix_too_wide" },
      { input: "64500", error: "invalid_ip" },
    ];
    const testApp = openApp({ ...operator, networks });
    const array = await testApp.ask(PATH, post(JSON.stringify(texts), "application/json"));
    const rows = await array.json();
    expect(rows).toMatchObject(expected);
    expect(JSON.stringify(rows)).not.toContain('"cells"');
    const lines = await testApp.ask(PATH, post(`${texts.join("\n")}\n`, "text/plain"));
    expect(await readRows(lines)).toMatchObject(expected);
  });

  test("answers 1000 addresses", async () => {
    const most = JSON.stringify(
      Array.from({ length: 1000 }, (_, at) => `2001:db8:${(at + 4096).toString(16)}::1`),
      null,
      2,
    );
    const response = await openApp(operator).ask(PATH, post(most, "application/json; charset=utf-8"));
    expect(((await response.json()) as unknown[]).length).toBe(1000);
  });

  test("answers one line for each line, also for a blank one and for one that is too long", async () => {
    const long = "1".repeat(MAX_LINE_LENGTH + 1);
    const lines = ["8.8.4.9", "", " 8.8.4.9\t\r", long, "x".repeat(300_000), "10.0.0.1"].join("\n");
    const response = await openApp(operator).ask(PATH, post(lines, "text/plain"));
    expect(await readRows(response)).toMatchObject([
      { ip: "8.8.4.9" },
      { input: "", error: "invalid_ip" },
      { ip: "8.8.4.9" },
      { error: "line_too_long" },
      { error: "line_too_long" },
      { ip: "10.0.0.1" },
    ]);
  });

  test("answers nothing for no line, and shows a wrong line as text", async () => {
    expect(await readRows(await openApp(operator).ask(PATH, post("", "text/plain")))).toEqual([]);
    expect(await readRows(await openApp(operator).ask(PATH, post("\n", "text/plain")))).toEqual([
      { input: "", error: "invalid_ip" },
    ]);
    const odd = `"\\\u0001${"é".repeat(100)}`;
    const [row] = await readRows(await openApp(operator).ask(PATH, post(odd, "text/plain")));
    expect(row).toEqual({ input: odd.slice(0, 64), error: "invalid_ip" });
    const broken = new Uint8Array([0xff, 0xfe, 10]);
    expect(await readRows(await openApp(operator).ask(PATH, post(broken, "text/plain")))).toHaveLength(1);
  });

  test("refuses a 65th stream, until one ends", async () => {
    const testApp = openApp(operator);
    const open: ReadableStreamDefaultController<Uint8Array>[] = [];
    const ask = () => {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void open.push(controller) });
      const request = new Request(`http://localhost${PATH}`, post(body, "text/plain"));
      return testApp.app.handle(request) as Promise<Response>;
    };
    const answers: Response[] = [];
    for (let n = 0; n < 64; n += 1) answers.push(await ask());
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    open[0]?.close();
    await answers[0]?.text();
    expect((await ask()).status).toBe(200);
    for (const answer of answers.slice(1)) await answer.body?.cancel();
  });
});

/** A body that the test sends. */
interface Source {
  readonly start?: (controller: ReadableStreamDefaultController<Uint8Array>) => void;
  readonly pull?: (controller: ReadableStreamDefaultController<Uint8Array>) => void;
}

describe("classifyLines()", () => {
  const format = createLineFormat({ classifyText: () => undefined });
  const encode = (text: string) => new TextEncoder().encode(text);

  function open(source: Source, stallMs = 50) {
    const seen = { ends: 0, isCancelled: false };
    const onEnd = () => {
      seen.ends += 1;
    };
    const cancel = () => {
      seen.isCancelled = true;
    };
    const rows = classifyLines(new ReadableStream({ ...source, cancel }), format, { stallMs, onEnd });
    return { rows, seen };
  }

  test("says at the end that the client sent nothing for too long, and loses no line before", async () => {
    const { rows, seen } = open({ start: (controller) => controller.enqueue(encode("a\nb\nhalf")) });
    expect((await new Response(rows).text()).split("\n")).toEqual([
      '{"input":"a","error":"invalid_ip"}',
      '{"input":"b","error":"invalid_ip"}',
      '{"input":"half","error":"invalid_ip"}',
      '{"error":"timeout"}',
      "",
    ]);
    expect(seen).toEqual({ ends: 1, isCancelled: true });
  });

  test("says at the end that the connection broke", async () => {
    const { rows, seen } = open({
      start: (controller) => controller.enqueue(encode("a\n")),
      pull: (controller) => controller.error(new Error("reset")),
    });
    expect(await new Response(rows).text()).toEndWith('{"error":"incomplete_body"}\n');
    expect(seen.ends).toBe(1);
  });

  test("fails when the client reads nothing for too long, and reads no more of the body", async () => {
    let parts = 0;
    const { rows, seen } = open({
      pull(controller) {
        parts += 1;
        controller.enqueue(encode("a\n".repeat(1000)));
      },
    });
    const reader = rows.getReader();
    await reader.read();
    await Bun.sleep(200);
    expect(parts).toBeLessThan(10);
    expect(seen).toEqual({ ends: 1, isCancelled: true });
    await expect(reader.read()).rejects.toThrow("reads nothing");
  });

  test("ends with the client", async () => {
    const { rows, seen } = open({ pull: (controller) => controller.enqueue(encode("a\n")) });
    await rows.cancel();
    expect(seen).toEqual({ ends: 1, isCancelled: true });
  });

  test("cuts characters and lines at any byte", async () => {
    const bytes = encode("ä\r\nöö\n日本\nz");
    for (let size = 1; size <= bytes.length; size += 1) {
      let at = 0;
      const { rows } = open({
        pull(controller) {
          if (at >= bytes.length) return controller.close();
          controller.enqueue(bytes.slice(at, at + size));
          at += size;
        },
      });
      const inputs = (await new Response(rows).text())
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { input: string }).input);
      expect(inputs).toEqual(["ä", "öö", "日本", "z"]);
    }
  });
});

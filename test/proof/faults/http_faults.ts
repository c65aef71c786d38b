import { gzipSync } from "node:zlib";
import type { Reply } from "#kit";
import FAULTS from "../../fixtures/http_faults.json";

/** Something that goes wrong with an HTTP answer. */
export interface HttpFault {
  readonly name: string;
  /** Made from the good answer of the host. */
  readonly reply: (well: Reply) => Reply;
  /** The errors that a run may have; absent = the fault does no harm. */
  readonly errors?: readonly string[];
  /** Lasts until a client gives up. */
  readonly isSlow?: true;
  /** Made from the JSON of a good answer. */
  readonly isJson?: true;
}

const RAW = { "content-type": "application/json" };
/** Zeros: 33 MB that pack into 32 kB. */
const BOMB = gzipSync(Buffer.alloc(33_554_432));
const DEPTH = 10_000;

/** Every fault an HTTP source is tried with. `canary` is a port of this machine that nobody may knock at. */
export function listHttpFaults(canary: number): readonly HttpFault[] {
  const redirect = (name: string, location: string, status = 302): HttpFault => ({
    name,
    reply: () => ({ status, headers: { location } }),
    errors: ["status", "refused"],
  });
  const said = (name: string, reply: Reply, ...errors: string[]): HttpFault => ({
    name,
    reply: () => reply,
    errors,
  });
  /** The replies of the fixture are whole. */
  const plain = (row: {
    readonly name: string;
    readonly reply: object;
    readonly errors: readonly string[];
  }) => said(row.name, row.reply, ...row.errors);
  const remade = (name: string, reply: (well: Reply) => Reply, ...errors: string[]): HttpFault => ({
    name,
    reply,
    errors,
  });
  const ofJson = (name: string, reply: (well: Reply) => Reply, ...errors: string[]): HttpFault => ({
    ...remade(name, reply, ...errors),
    isJson: true,
  });
  return [
    said("closes the connection without an answer", { fault: "reset" }, "refused"),
    { ...said("never answers", { fault: "hang" }, "timeout"), isSlow: true },
    { ...remade("stops in the middle", (well) => ({ ...well, fault: "stall" }), "timeout"), isSlow: true },
    {
      ...remade("sends one byte a second", (well) => ({ ...well, fault: "drip", dripMs: 1_000 }), "timeout"),
      isSlow: true,
    },
    remade(
      "closes the connection in the middle",
      (well) => ({ ...well, fault: "truncate" }),
      "shape",
      "refused",
    ),
    said(
      "answers with another protocol",
      { raw: Buffer.from("SSH-2.0-OpenSSH_9.9\r\n\0\0\0") },
      "shape",
      "refused",
    ),
    said("4 MB of headers", { raw: longHead() }, "shape", "refused"),
    ...FAULTS.bodies.map(plain),
    ofJson(
      "every value has another type",
      (well) => ({ ...well, json: swap(well.json) }),
      "shape",
      "unavailable",
    ),
    ofJson(
      "lists in place of objects, objects in place of lists",
      (well) => ({ ...well, json: invert(well.json) }),
      "shape",
      "unavailable",
    ),
    ofJson("JSON cut short", (well) => ({ text: textOf(well).slice(0, -2), headers: RAW }), "shape"),
    remade(
      "JSON 10 000 levels deep",
      () => ({ text: `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`, headers: RAW }),
      "shape",
      "too_large",
    ),
    ofJson(
      "a good answer with a field 10 000 levels deep",
      (well) => ({ text: addField(well, `${'{"x":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`), headers: RAW }),
      "shape",
      "too_large",
    ),
    {
      isJson: true,
      name: "a good answer with `__proto__` and `constructor` in every object",
      reply: (well) => ({ ...well, text: poison(well), headers: { ...RAW, ...well.headers } }),
    },
    ofJson(
      "`NaN` in place of every number",
      (well) => ({ text: numbers(well, "NaN"), headers: RAW }),
      "shape",
    ),
    ofJson(
      "`1e999` in place of every number",
      (well) => ({ text: numbers(well, "1e999"), headers: RAW }),
      "shape",
    ),
    ofJson("bytes that are not UTF-8", (well) => ({ bytes: mangle(well), headers: RAW }), "shape"),
    said(
      "a gzip bomb: 33 MB in 32 kB",
      { bytes: BOMB, headers: { ...RAW, "content-encoding": "gzip" } },
      "too_large",
    ),
    ofJson(
      "damaged gzip",
      (well) => ({
        bytes: gzipSync(textOf(well)).subarray(0, -6),
        headers: { ...RAW, "content-encoding": "gzip" },
      }),
      "shape",
    ),
    ofJson(
      "an unknown content coding",
      (well) => ({ text: textOf(well), headers: { ...RAW, "content-encoding": "rot13" } }),
      "shape",
    ),
    said("a body without end, in chunks", { headers: RAW, fault: "endless", chunked: true }, "too_large"),
    said("a body without end", { headers: RAW, fault: "endless" }, "too_large"),
    said(
      "a Content-Length of a terabyte",
      { headers: { ...RAW, "content-length": "1099511627776" }, fault: "stall", json: [] },
      "too_large",
    ),
    ...FAULTS.statuses.map(plain),
    remade("a good answer with status 599", (well) => ({ ...well, status: 599 }), "status"),
    redirect("redirects to itself forever", ".", 301),
    redirect("redirects to a link-local address", "http://169.254.169.254/latest/meta-data/"),
    redirect("redirects to a link-local address over https", "https://169.254.169.254/latest/meta-data/"),
    redirect("redirects to this machine", `http://127.0.0.1:${canary}/`),
    redirect("redirects to this machine over https", `https://localhost:${canary}/`),
    redirect("redirects to a file", "file:///etc/passwd"),
    redirect("redirects to a malformed URL", "https://["),
    redirect("redirects with a user in the URL", "https://a:b@data.iana.org/"),
  ];
}

function longHead(): Uint8Array {
  const line = `x-${"a".repeat(1_000)}: ${"b".repeat(7_000)}\r\n`;
  return Buffer.from(`HTTP/1.1 200 OK\r\n${line.repeat(500)}\r\n{}`);
}

function textOf({ json }: Reply): string {
  return JSON.stringify(json);
}

/** Keeps objects and lists, and changes every value in them. */
function swap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(swap);
  switch (typeof value) {
    case "string":
      return { text: value };
    case "number":
      return [String(value)];
    case "boolean":
      return value ? "perhaps" : 7;
    default:
      return value === null
        ? [true]
        : Object.fromEntries(entriesOf(value).map(([key, item]) => [key, swap(item)]));
  }
}

function invert(value: unknown): unknown {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, at) => [`n${at}`, invert(item)]));
  if (typeof value === "object" && value !== null) return entriesOf(value).map(([, item]) => invert(item));
  return value;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** A good answer with one more field, as JSON text. */
function addField(well: Reply, words: string): string {
  const text = textOf(well);
  return text.startsWith("[") ? `[${words},${text.slice(1)}` : `{"extra":${words},${text.slice(1)}`;
}

function poison(well: Reply): string {
  const evil = '"__proto__":{"isAdmin":true,"is_tor":false},"constructor":{"prototype":{"isAdmin":true}}';
  return textOf(well).replaceAll(
    /\{(?=[}"])/g,
    (_, at: number, text: string) => `{${evil}${text[at + 1] === "}" ? "" : ","}`,
  );
}

function numbers(well: Reply, word: string): string {
  return textOf(well).replaceAll(/(?<=[:[,])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?=[,\]}])/gi, word);
}

function mangle(well: Reply): Uint8Array {
  const bytes = Buffer.from(textOf(well));
  // The closing quote of the first key goes, so that the damage is inside a string.
  bytes[Math.max(2, bytes.indexOf(0x22, 2) - 1)] = 0xff;
  return bytes;
}

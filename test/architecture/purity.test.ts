import { describe, expect, test } from "bun:test";
import { readSourceFiles, type SourceFile } from "./source_files.ts";

/** Modules that only compute: the same arguments give the same result, and nothing outside changes. */
const PURE = ["tsv", "address", "report", "evidence", "scoring", "locale", "render"];

/** What a pure module must not use. `except`: files with a reason. */
const IMPURE: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly example: string;
  readonly except?: readonly string[];
}[] = [
  { name: "the network", pattern: /\bfetch\b|\bWebSocket\b|\bEventSource\b/, example: "globalThis.fetch" },
  {
    name: "modules that do I/O",
    pattern:
      /["'](?:node:)?(?:fs|http|https|http2|net|dgram|tls|dns|child_process|process|worker_threads|os)(?:\/\w+)?["']/,
    example: 'import { get } from "node:http"',
    // isIP() of node:net only reads its argument.
    except: ["address/address.ts"],
  },
  {
    name: "the clock",
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bperformance\b|\bTemporal\.Now\b/,
    example: "Date.now()",
  },
  {
    name: "timers",
    pattern: /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/,
    example: "setTimeout(",
  },
  { name: "randomness", pattern: /\bMath\.random\b|\bcrypto\b|\brandomUUID\b/, example: "Math.random()" },
  { name: "the console", pattern: /\bconsole\b/, example: "console.log" },
  { name: "the process", pattern: /\bprocess\b(?=[.[])|\bglobalThis\b/, example: "process.env" },
  {
    name: "Bun's own I/O",
    // randomUUIDv5() hashes its arguments; nothing in it is random.
    pattern: /\bBun\.(?!stringWidth\b|hash\b|escapeHTML\b|randomUUIDv5\b)/,
    example: "Bun.file(",
  },
];

const files = readSourceFiles("src");

function findUses(pattern: RegExp, among: readonly SourceFile[]): readonly string[] {
  return among.flatMap(({ path, code }) => {
    const found = pattern.exec(code);
    return found === null ? [] : [`${path}: ${found[0]}`];
  });
}

describe("pure modules", () => {
  const pure = files.filter(({ module }) => PURE.includes(module));

  test("exist", () => {
    for (const name of PURE) expect(pure.some(({ module }) => module === name)).toBe(true);
  });

  test.each(IMPURE.map((rule) => ({ ...rule })))("do not use $name", ({ pattern, example, except = [] }) => {
    expect(pattern.test(example), "the pattern finds its own example").toBe(true);
    expect(findUses(pattern, pure).filter((use) => !except.includes(use.split(":")[0] ?? ""))).toEqual([]);
  });
});

/** The store sends requests to the operator's own database server, and to nothing else. */
const DATABASE_CLIENTS = ["store/server_client.ts"];

describe("every module", () => {
  test("fetches through #upstream", () => {
    const users = files.filter(({ code }) =>
      /(?<![.\w#])fetch\(|\bglobalThis\.fetch\b|\bBun\.fetch\b/.test(code),
    );
    expect(users.map(({ module }) => module)).toContain("upstream");
    const others = users.filter(({ module }) => module !== "upstream").map(({ path }) => path);
    expect(others).toEqual(DATABASE_CLIENTS);
  });

  test("opens sockets through #upstream", () => {
    const pattern = /["']node:(?:https?|http2|dgram|tls)["']|\bBun\.(?:connect|udpSocket)\b/;
    expect(pattern.test('import "node:http"')).toBe(true);
    const users = files.filter(({ code }) => pattern.test(code));
    expect(users.filter(({ module }) => module !== "upstream").map(({ path }) => path)).toEqual([]);
  });
});

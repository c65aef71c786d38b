import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import manifest from "../package.json";

const project = join(import.meta.dir, "..");
const source = join(project, "src");

/** The arrows of the house: what each room may import. */
const ARROWS: Record<string, readonly string[]> = {
  address: [],
  report: [],
  upstream: ["concurrency"],
  datasets: ["address"],
  feeds: ["address", "datasets", "upstream"],
  evidence: ["address", "report"],
  scoring: ["evidence", "report"],
  locale: ["report", "scoring"],
  render: ["report", "locale"],
  sources: ["address", "concurrency", "datasets", "feeds", "evidence", "report", "upstream"],
  store: ["address", "concurrency", "report", "upstream"],
  concurrency: [],
  limits: ["address", "concurrency", "store"],
  verification: ["limits", "store"],
  metrics: ["report"],
  lookup: [
    "address",
    "evidence",
    "scoring",
    "sources",
    "store",
    "report",
    "upstream",
    "limits",
    "concurrency",
  ],
  http: ["address", "lookup", "limits", "verification", "locale", "render", "report"],
  app: [
    "address",
    "concurrency",
    "config",
    "datasets",
    "feeds",
    "evidence",
    "http",
    "limits",
    "lookup",
    "metrics",
    "scoring",
    "sources",
    "store",
    "upstream",
    "verification",
  ],
  cli: [
    "address",
    "app",
    "config",
    "datasets",
    "feeds",
    "evidence",
    "locale",
    "lookup",
    "render",
    "report",
    "scoring",
    "sources",
    "store",
    "upstream",
  ],
};

/** Rooms that another may know by type only. */
const TYPES_ONLY: readonly (readonly [string, string])[] = [
  ["lookup", "store"],
  ["lookup", "upstream"],
  ["lookup", "limits"],
  ["limits", "store"],
  ["verification", "store"],
  ["store", "upstream"],
];

/** Packages and globals that belong to one room. */
const ONLY_IN: readonly (readonly [string, RegExp, readonly string[]])[] = [
  ["Elysia", /from "(?:elysia|@elysiajs\/[^"]+)"/, ["http"]],
  ["drizzle and libSQL", /from "(?:drizzle-orm|@libsql|libsql)[^"]*"/, ["store"]],
  ["fetch", /(?<![.\w])fetch\(/, ["upstream"]],
  ["DNS", /from "(?:node:)?dns(?:\/promises)?"|Bun\.dns/, ["upstream"]],
  ["ipaddr.js", /from "ipaddr\.js"/, ["address"]],
  ["output that may block or end the process", /console\.\w+\(|process\.stderr\.write/, ["build"]],
  ["the environment", /process\.env|Bun\.env|import\.meta\.env/, ["main.ts", "config.ts", "build"]],
];

/** Modules without input, output, clock and randomness: everything they use is an argument. */
const PURE: readonly string[] = ["address", "report", "evidence", "scoring", "locale", "render"];

/** What a pure module must not use, each with a line of code that uses it. */
const IMPURE: readonly (readonly [string, RegExp, string])[] = [
  [
    "a clock or timer",
    /\bDate\.now\b|\bnew Date(?:\(\)|\b(?!\())|\bperformance\b|\bTemporal\.Now\b|\bBun\.nanoseconds\b|\bset(?:Timeout|Interval|Immediate)\b/,
    "const now = new Date();",
  ],
  ["randomness", /\bMath\.random\b|\bcrypto\b|\brandom(?:Bytes|UUID|UUIDv7)\b/, "Math.random()"],
  [
    "input or output",
    /from "node:(?!net")|\bfetch\(|\bglobalThis\b|\bprocess\.|\bconsole\.|\bBun\.(?:file|write|spawn|spawnSync|serve|connect|listen|dns|env|sleep|\$)/,
    'import { readFileSync } from "node:fs";',
  ],
];

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".ts") && statSync(path).isFile());
}

function readImports(text: string): Import[] {
  const found: Import[] = [];
  for (const match of text.matchAll(/^(?:import|export)\b([^;]*?)\bfrom "([^"]+)"/gms)) {
    const clause = (match[1] ?? "").trim();
    const named = /^\{([^}]*)\}$/s.exec(clause)?.[1];
    const allTypes =
      named?.split(",").every((part) => part.trim() === "" || part.trim().startsWith("type ")) ?? false;
    found.push({ specifier: match[2] ?? "", typeOnly: clause.startsWith("type ") || allTypes });
  }
  for (const match of text.matchAll(/\bimport\("([^"]+)"\)|^import "([^"]+)"/gm)) {
    found.push({ specifier: match[1] ?? match[2] ?? "", typeOnly: false });
  }
  return found;
}

const files = listFiles(source).map((path) => {
  const place = relative(source, path);
  const text = readFileSync(path, "utf8");
  return {
    place,
    room: place.includes("/") ? (place.split("/")[0] ?? "") : place,
    text,
    code: text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ""),
    imports: readImports(text),
  };
});

describe("the house", () => {
  test("has every room, each with a mod.ts and a name in package.json", () => {
    for (const room of Object.keys(ARROWS)) {
      expect(existsSync(join(source, room, "mod.ts")), `src/${room}/mod.ts`).toBe(true);
      expect(manifest.imports[`#${room}` as keyof typeof manifest.imports]).toBe(`./src/${room}/mod.ts`);
    }
  });

  test("keeps to its arrows", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const allowed = ARROWS[file.room];
      if (allowed === undefined) continue;
      for (const { specifier, typeOnly } of file.imports) {
        if (!specifier.startsWith("#")) continue;
        const room = specifier.slice(1);
        if (!allowed.includes(room)) wrong.push(`${file.place} imports ${specifier}`);
        if (!typeOnly && TYPES_ONLY.some(([from, to]) => from === file.room && to === room)) {
          wrong.push(`${file.place} imports ${specifier} for more than its types`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("imports between rooms by #room and inside a room by ./file.ts", () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const { specifier } of file.imports) {
        if (!specifier.startsWith(".")) continue;
        const target = relative(source, join(source, file.place, "..", specifier));
        const room = target.includes("/") ? target.split("/")[0] : target;
        const inside = file.place.includes("/") && room === file.room;
        const atTop = !file.place.includes("/") && !target.includes("/");
        if (!inside && !atTop && !target.startsWith("..")) wrong.push(`${file.place} imports ${specifier}`);
        if (!/\.(?:ts|json|sql|css)$/.test(specifier))
          wrong.push(`${file.place} imports ${specifier} without its ending`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("has no cycle between rooms", () => {
    const edges = new Map<string, Set<string>>();
    for (const file of files) {
      for (const { specifier, typeOnly } of file.imports) {
        if (specifier.startsWith("#") && !typeOnly) {
          edges.set(file.room, (edges.get(file.room) ?? new Set()).add(specifier.slice(1)));
        }
      }
    }
    const open = new Set<string>();
    const done = new Set<string>();
    function walk(room: string, path: readonly string[]): void {
      if (open.has(room)) throw new Error(`Cycle: ${[...path, room].join(" → ")}`);
      if (done.has(room)) return;
      open.add(room);
      for (const next of edges.get(room) ?? []) walk(next, [...path, room]);
      open.delete(room);
      done.add(room);
    }
    for (const room of edges.keys()) walk(room, []);
    expect(done.size).toBeGreaterThan(8);
  });

  test.each(ONLY_IN.map(([name, pattern, rooms]) => ({ name, pattern, rooms })))(
    "uses $name only where it belongs",
    ({ pattern, rooms }) => {
      const users = files.filter((file) => pattern.test(file.code)).map((file) => file.room);
      expect([...new Set(users)].filter((room) => !rooms.includes(room))).toEqual([]);
      expect(users.length, "the pattern finds its own room").toBeGreaterThan(0);
    },
  );

  test.each(IMPURE.map(([name, pattern, sample]) => ({ name, pattern, sample })))(
    "keeps $name out of pure modules",
    ({ pattern, sample }) => {
      expect(pattern.test(sample), "the pattern finds its sample").toBe(true);
      const users = files.filter((file) => PURE.includes(file.room) && pattern.test(file.code));
      expect(users.map((file) => file.place)).toEqual([]);
    },
  );

  test("names files in snake_case and exports nothing by default", () => {
    const wrong = files.filter(
      (file) => !/^[a-z0-9_/]+\.ts$/.test(file.place) || /^export default/m.test(file.code),
    );
    expect(wrong.map((file) => file.place)).toEqual([]);
  });

  test("speaks of itself alone", () => {
    const tracked = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard"], {
      cwd: project,
    }).stdout.toString();
    const wrong: string[] = [];
    for (const name of tracked.split("\n")) {
      if (name === "" || name === "test/architecture.test.ts" || name === "bun.lock") continue;
      const path = join(project, name);
      if (!existsSync(path) || statSync(path).size > 2_000_000) continue;
      const text = readFileSync(path, "utf8");
      if (/\/work\/|\.\.\/shared\b|\.library|registry\.npmjs|\bissue #?\d|deb\.debian/i.test(text))
        wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });
});

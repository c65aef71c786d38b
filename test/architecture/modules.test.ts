import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import manifest from "../../package.json";
import RULES from "./modules.json";
import { PROJECT, readSourceFiles } from "./source_files.ts";

/**
 * `allowed`: which modules each module may import, besides `common`; `build` may import everything. `typesOnly`: imports
 * that may be types only.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = RULES.allowed;

/** Packages and globals that only some modules may use. Each must have a user, so that a wrong pattern is noticed. */
const ONLY_IN: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly modules: readonly string[];
}[] = [
  { name: "Elysia", pattern: /from "(?:elysia|@elysiajs\/[^"]+)"/, modules: ["http"] },
  { name: "Drizzle and libSQL", pattern: /from "(?:drizzle-orm|@libsql|libsql)[^"]*"/, modules: ["store"] },
  { name: "DNS", pattern: /from "(?:node:)?dns(?:\/promises)?"|Bun\.dns/, modules: ["upstream"] },
  { name: "resvg", pattern: /from "@resvg\/resvg-wasm"/, modules: ["app"] },
  {
    name: "random numbers that can be guessed",
    pattern: /Math\.random/,
    modules: ["app", "cli", "datasets", "lookup", "upstream", "store", "main.ts"],
  },
  { name: "other programs", pattern: /child_process|Bun\.spawn/, modules: ["build", "store"] },
  { name: "markup that is not escaped", pattern: /new Html\(/, modules: ["render"] },
  { name: "ipaddr.js", pattern: /from "ipaddr\.js"/, modules: ["address"] },
  {
    name: "output that can block or end the process",
    pattern: /console\.\w+\(|process\.stderr\.write/,
    modules: ["build"],
  },
  {
    name: "the environment",
    pattern: /process\.env|Bun\.env|import\.meta\.env/,
    modules: ["main.ts", "config.ts", "build"],
  },
];

/** What neither the program nor a script of a page does, with an example. */
const FORBIDDEN: readonly { readonly name: string; readonly pattern: RegExp; readonly example: string }[] = [
  {
    name: "run text as code",
    pattern: /\beval\(|new Function\(|\bvm\.|Function\("|setTimeout\("/,
    example: 'eval("1")',
  },
  {
    name: "write text as markup",
    pattern: /innerHTML|outerHTML|insertAdjacentHTML|srcdoc/,
    example: "element.innerHTML = name",
  },
  {
    name: "turn off the check of certificates",
    pattern: /rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity/,
    example: "{ rejectUnauthorized: false }",
  },
  {
    name: "compare a secret with ===, which ends at the first wrong character",
    pattern:
      /\b(?:secret|token|mac|signature|digest|hmac|password|apiKey|authToken)\b [!=]== (?!undefined|null|""|"(?:re|op)|0|true)/i,
    example: "token === given",
  },
  {
    name: "read its own name from a request",
    pattern: /get\("(?:x-forwarded-host|x-forwarded-proto|forwarded|x-original-url|referer)"\)/,
    example: 'headers.get("referer")',
  },
];

/** Text that belongs to the machine or the plan of a developer, with an example in parts. */
const FOREIGN: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly example: readonly string[];
}[] = [
  {
    name: "a path of a developer's machine",
    pattern: /(?<![\w.~-])\/(?:home|Users|work|workspace)\/[\w.-]+\//,
    example: ["at /ho", "me/someone/limpid/src"],
  },
  {
    name: "a host of a package registry",
    pattern: /\bregistry\.npm\w+|\bdeb\.debian\b/,
    example: ["https://registry.np", "mjs.org/elysia"],
  },
  { name: "the number of an issue", pattern: /\bissue #?\d/i, example: ["see iss", "ue #12"] },
];

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const source = join(PROJECT, "src");
const files = readSourceFiles("src").map((file) => ({ ...file, imports: readImports(file.text) }));

function readImports(text: string): readonly Import[] {
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

/** The file of `src` that an import of the file `from` names; none for a package. */
function findTarget(from: string): (imported: Import) => readonly string[] {
  return ({ specifier }) => {
    if (specifier.startsWith(".")) return [join(from, "..", specifier)];
    const target = manifest.imports[specifier as keyof typeof manifest.imports];
    return target === undefined ? [] : [relative("src", target)];
  };
}

/** The groups of files that reach each other by imports, sorted. */
function findCycles(targets: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reached = new Map([...targets.keys()].map((path) => [path, reachFrom(path, targets)]));
  const inCycles = [...targets.keys()].filter((path) => reached.get(path)?.has(path)).toSorted();
  const groups = inCycles.map((path) =>
    inCycles.filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)),
  );
  return groups.filter((group, index) => group[0] === inCycles[index]);
}

function reachFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = [...(targets.get(path) ?? [])];
  for (let target = next.pop(); target !== undefined; target = next.pop()) {
    if (reached.has(target)) continue;
    reached.add(target);
    next.push(...(targets.get(target) ?? []));
  }
  return reached;
}

describe("modules", () => {
  test("have a row here, a mod.ts and a name in package.json", () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(Object.keys(ALLOWED).toSorted()).toEqual(
      folders
        .map(({ name }) => name)
        .filter((name) => name !== "build")
        .toSorted(),
    );
    for (const module of Object.keys(ALLOWED)) {
      expect(existsSync(join(source, module, "mod.ts")), `src/${module}/mod.ts`).toBe(true);
      const name = `#${module}` as keyof typeof manifest.imports;
      expect(manifest.imports[name]).toBe(`./src/${module}/mod.ts`);
    }
  });

  test("import only the modules of their row", () => {
    const wrong: string[] = [];
    for (const { path, module, imports } of files) {
      const allowed = ALLOWED[module];
      if (allowed === undefined) continue;
      for (const { specifier, typeOnly } of imports) {
        if (!specifier.startsWith("#")) continue;
        const to = specifier.slice(1);
        if (to !== "common" && !allowed.includes(to)) wrong.push(`${path} imports ${specifier}`);
        if (!typeOnly && RULES.typesOnly.includes(`${module} ${to}`))
          wrong.push(`${path} imports more than types from ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("have no needless permission in their row", () => {
    const used = new Set(
      files.flatMap(({ module, imports }) =>
        imports.map(({ specifier }) => `${module} ${specifier.slice(1)}`),
      ),
    );
    const needless = Object.entries(ALLOWED).flatMap(([module, allowed]) =>
      allowed.filter((to) => !used.has(`${module} ${to}`)).map((to) => `${module} never imports #${to}`),
    );
    expect(needless).toEqual([]);
  });

  test("import each other by #module, and their own files by relative paths with an ending", () => {
    const wrong: string[] = [];
    for (const { path, module, imports } of files) {
      for (const { specifier } of imports) {
        if (!specifier.startsWith(".")) continue;
        const target = relative(source, join(source, path, "..", specifier));
        const to = target.includes("/") ? target.split("/")[0] : target;
        const isInside = path.includes("/") && to === module;
        const isInRoot = !path.includes("/") && !target.includes("/");
        if (!isInside && !isInRoot && !target.startsWith("..")) wrong.push(`${path} imports ${specifier}`);
        if (!/\.(?:ts|json|tsv|txt|sql|css)$/.test(specifier))
          wrong.push(`${path} imports ${specifier} without an ending`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("have no cycle, neither modules nor files, counting imports of types", () => {
    const targets = new Map(files.map(({ path, imports }) => [path, imports.flatMap(findTarget(path))]));
    expect(findCycles(targets)).toEqual([]);
    expect([...targets.values()].flat().length, "imports are found").toBeGreaterThan(1000);
    expect(findCycles(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"] })))).toEqual([["b", "c"]]);
  });

  test.each(ONLY_IN.map((rule) => ({ ...rule })))("use $name only where allowed", ({ pattern, modules }) => {
    const users = new Set(files.filter(({ code }) => pattern.test(code)).map(({ module }) => module));
    expect([...users].filter((module) => !modules.includes(module))).toEqual([]);
    expect(users.size, "the pattern finds a user").toBeGreaterThan(0);
  });

  test.each(FORBIDDEN.map((rule) => ({ ...rule })))("do not $name", ({ pattern, example }) => {
    expect(pattern.test(example), "the pattern finds its example").toBe(true);
    const scripts = readdirSync(join(PROJECT, "static"))
      .filter((name) => name.endsWith(".js"))
      .map((name) => ({ path: name, code: readFileSync(join(PROJECT, "static", name), "utf8") }));
    expect(scripts).not.toBeEmpty();
    expect(scripts.filter(({ code }) => /document\.write|\.style\b/.test(code))).toEqual([]);
    const wrong = [...files, ...scripts].filter(({ code }) => pattern.test(code));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("name files in snake_case and export nothing by default", () => {
    const wrong = files.filter(
      ({ path, code }) => !/^[a-z0-9_/]+(?:\.d)?\.ts$/.test(path) || /^export default/m.test(code),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe("the tree", () => {
  const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: PROJECT });
  const tracked = listed.stdout
    .toString()
    .split("\0")
    .filter((name) => name !== "" && name !== "bun.lock" && existsSync(join(PROJECT, name)));

  test("is known to git", () => {
    expect(tracked.length).toBeGreaterThan(500);
  });

  test.each(FOREIGN.map((rule) => ({ ...rule })))("does not contain $name", ({ pattern, example }) => {
    expect(pattern.test(example.join("")), "the pattern finds its example").toBe(true);
    const wrong = tracked.filter((name) => {
      const path = join(PROJECT, name);
      return statSync(path).size < 2_000_000 && pattern.test(readFileSync(path, "utf8"));
    });
    expect(wrong).toEqual([]);
  });
});

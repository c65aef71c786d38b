import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { EXIT } from "#app";
import { findProgram } from "#kit";
import { PROBLEM_CODES } from "#report";
import { SOURCES } from "#sources";
import manifest from "../../package.json";
import catalogue from "../../src/cli/commands.json";
import { COMMANDS, type Command } from "../../src/cli/commands.ts";
import { ConfigSchema, readConfig } from "../../src/config.ts";
import { LEAST_CANDIDATES, MOST_CANDIDATES, MOST_COMPARED } from "../../src/http/parameters.ts";
import { document as description } from "../http/kit/open_app.ts";
import { type Document, listDocuments, PROJECT, readDocument } from "./list_documents.ts";

const documents = listDocuments();
/** With those that name what is gone, and other projects. */
const all = [...documents, ...["CHANGELOG.md", "CONTRIBUTING.md"].map(readDocument)];

/** Every match in the documents, also in code, with its document and line. */
function findAll(pattern: RegExp, where = ({ text }: Document) => text, among = documents) {
  return among.flatMap((document) =>
    [...where(document).matchAll(pattern)].map((match) => ({
      at: `${document.path}:${where(document).slice(0, match.index).split("\n").length}`,
      document,
      whole: match[0],
      part: match[1] ?? "",
    })),
  );
}

/** The anchors of GitHub: lower case, blanks become hyphens; only letters, digits, - and _ stay. */
function anchorsOf({ prose }: Document): ReadonlySet<string> {
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map((match) => match[1] ?? "");
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("links", () => {
  test("lead to files and headings that exist", () => {
    const wrong: string[] = [];
    const links = findAll(/\]\(([^)\s]+)\)/g, ({ prose }) => prose, all);
    for (const { at, document, part } of links) {
      if (/^[a-z]+:/.test(part)) continue;
      const [file = "", anchor] = part.split("#");
      const path = file === "" ? document.path : normalize(join(dirname(document.path), file));
      if (!existsSync(join(PROJECT, path))) wrong.push(`${at}: ${part}: no such file`);
      const target = all.find((other) => other.path === path);
      if (anchor !== undefined && target !== undefined && !anchorsOf(target).has(anchor))
        wrong.push(`${at}: ${part}: no such heading`);
    }
    expect(wrong).toEqual([]);
    expect(links.length).toBeGreaterThan(50);
  });

  test("are links after rendering: a line that begins with a comment is HTML, in which Markdown does not count", () => {
    const raw = all.filter(({ prose }) =>
      Bun.markdown
        .html(prose)
        .replaceAll(/<(code)>.*?<\/code>|<!--.*?-->/gs, "")
        .includes("]("),
    );
    expect(raw.map(({ path }) => path)).toEqual([]);
    const torn = findAll(/^ {0,3}<!--.*?--> *\S.*/gm, ({ prose }) => prose, all);
    expect(torn.map(({ at }) => at)).toEqual([]);
  });

  test("reach every document from the index, and the index from the README", () => {
    const linksOf = (path: string) =>
      [...readDocument(path).prose.matchAll(/\]\(([^)#\s]+)/g)].map((match) =>
        normalize(join(dirname(path), match[1] ?? "")),
      );
    const index = [...linksOf("docs/README.md"), ...linksOf("docs/README.zh.md")];
    const paths = documents.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
    expect(paths.filter((path) => path !== "docs/README.md" && !index.includes(path))).toEqual([]);
    expect(linksOf("README.md")).toContain("docs/README.md");
    expect(linksOf("README.zh.md")).toContain("docs/README.zh.md");
  });

  test("in https only, but for loopback, the upstream of nginx and the XML of others", () => {
    const plain = findAll(/http:\/\/[^\s)`'"]*/g).filter(
      ({ whole }) => !/^http:\/\/(?:127\.0\.0\.1|HOST:PORT|10\.|localhost|limpid\/auth|…?$)/.test(whole),
    );
    expect(plain.map(({ at, whole }) => `${at}: ${whole}`)).toEqual([]);
  });
});

describe("names", () => {
  test("of files and folders exist", () => {
    const named = findAll(
      /(?<![\w/.-])((?:src|test|docs|deploy|integrations|static|drizzle)\/[\w./<>*{},-]*)/g,
    );
    // A file that operators write, and names that stand for any file.
    const own = new Set(["deploy/limpid.env", "src/a/b.ts", "test/a/b.test.ts"]);
    const madeByRecipes = new Set(documents.flatMap(({ blocks }) => blocks.map(({ info }) => info)));
    const missing = named.filter(({ part }) => {
      const path = part.replace(/[.,]+$/, "");
      if (/[<*{]/.test(path)) return !existsSync(join(PROJECT, path.replace(/[^/]*[<*{].*$/, "")));
      return !existsSync(join(PROJECT, path)) && !own.has(path) && !isMadeWithin(path, madeByRecipes);
    });
    expect(missing.map(({ at, part }) => `${at}: ${part}`)).toEqual([]);
  });

  test("of packages have the version of this program", () => {
    const packages = findAll(/limpid-(\d[\w.-]*)\.tgz/g);
    expect(packages.filter(({ part }) => part !== manifest.version).map(({ at }) => at)).toEqual([]);
    expect(packages.length).toBeGreaterThan(2);
  });

  test("of variables mean something", () => {
    const known = new Set(Object.keys(ConfigSchema.entries));
    for (const { id, secret, daily } of SOURCES) {
      if (secret !== undefined) known.add(`LIMPID_${id.toUpperCase()}_KEY`);
      if (daily !== undefined || secret !== undefined) known.add(`LIMPID_${id.toUpperCase()}_DAILY`);
    }
    // The public name in the compose file, which is not a setting of limpid.
    known.add("LIMPID_DOMAIN");
    const unknown = findAll(/LIMPID_[A-Z0-9_]+/g).filter(
      ({ whole }) => !known.has(whole.replace(/_FILE$/, "")) && !/^LIMPID_(?:EXAMPLE_)?$|_$/.test(whole),
    );
    expect(unknown.map(({ at, whole }) => `${at}: ${whole}`)).toEqual([]);
  });

  test("of commands, their words and their options exist", () => {
    const commands: readonly Command[] = COMMANDS;
    const wrong: string[] = [];
    for (const { at, whole, part } of findAll(
      /(?<![\w/.-]|inet )(?:limpid|dist\/limpid|\bsrc\/main\.ts) ([a-z]+\b[^\n`|#&>"]*)/g,
      onlyCode,
    )) {
      const [name = "", ...rest] = part.trim().split(/\s+/);
      const command = commands.find((known) => known.name === name);
      if (command === undefined) {
        wrong.push(`${at}: ${whole}`);
        continue;
      }
      for (const word of rest) {
        const option = /^\[?--([a-z-]+)/.exec(word)?.[1];
        if (option !== undefined && !command.options.some((known) => known.name === option))
          wrong.push(`${at}: ${whole}: --${option}`);
      }
      const [first = ""] = rest;
      if (command.words?.includes(first) === false && /^[a-z]+$/.test(first))
        wrong.push(`${at}: ${whole}: ${first}`);
    }
    expect(wrong).toEqual([]);
  });

  test("of paths are in the description of the interface", () => {
    const { paths } = description as {
      readonly paths: Record<string, { readonly get?: { readonly "x-in-english"?: boolean } }>;
    };
    const patterns = Object.entries(paths).map(([path, { get }]) => {
      const plain = path.replaceAll(/[.]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+");
      const english = path === "/" ? "|/en" : `|/en${plain}`;
      return new RegExp(`^(?:${plain}${get?.["x-in-english"] === true ? english : ""})$`);
    });
    const wrong: string[] = [];
    // Recipes create paths that the description does not contain.
    const spoken = findAll(/`(?:GET |POST )?(\/[^\s`]*)`/g, ({ path, prose }) =>
      path.startsWith("docs/contributors/") ? "" : prose,
    );
    const asked = findAll(
      /(?:http:\/\/127\.0\.0\.1:8080|https:\/\/ip\.example\.org|\$limpid|\$\{limpid\}|\{LIMPID\})(\/[^\s"'`)]*)/g,
    );
    for (const { at, part } of [...spoken, ...asked]) {
      const [path = ""] = part.split(/[?#]/);
      if (/^\/(?:\d+|etc|var|run|usr|work|dev|data)\b|^\/64$|^\/$/.test(path)) continue;
      const whole = path.replaceAll(/\$\{[^}]*\}|\$exit|\{[^}]*\}|ADDRESS/g, "x").replace(/[.,]$/, "");
      const isFolder = Object.keys(paths).some((known) =>
        known.startsWith(`${whole.replace(/^\/en(?=\/)/, "")}/{`),
      );
      if (!isFolder && !patterns.some((pattern) => pattern.test(whole))) wrong.push(`${at}: ${part}`);
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

  test("of every error code stand in the table of errors, and no others", () => {
    const errors = readDocument("docs/api/errors.md").prose;
    const told = [...errors.matchAll(/^\| [\d, ]+ \| `([a-z_]+)` \|/gm)].map((match) => match[1] ?? "");
    expect([...new Set(told)].toSorted()).toEqual([...PROBLEM_CODES].toSorted());
  });

  test("of metrics in expressions are in their table", () => {
    const { text } = readDocument("docs/operators/metrics.md");
    const [expressions = "", table = ""] = text.split("## All metrics");
    const asked = (expressions.match(/\blimpid_[a-z_]+/g) ?? []).map((name) => name.replace(/_bucket$/, ""));
    const unknown = asked.filter((name) => !table.includes(`| \`${name}\` |`) && name !== "limpid_token");
    expect(unknown).toEqual([]);
    expect(asked.length).toBeGreaterThan(10);
  });

  test("of scripts are in package.json, and the README names the pinned Bun", () => {
    const scripts = new Set(Object.keys(manifest.scripts));
    const run = findAll(/bun(?:@[\d.]+)? run ([a-z:]+)/g).filter(({ part }) => !scripts.has(part));
    expect(run.map(({ at, whole }) => `${at}: ${whole}`)).toEqual([]);

    const { blocks } = readDocument("README.md");
    const pinned = manifest.packageManager;
    expect(blocks.slice(0, 2).flatMap(({ code }) => code.match(/^npx.*/gm))).toEqual([
      `npx --yes ${pinned} run start`,
      `npx --yes ${pinned} run test`,
    ]);
    expect(catalogue.advice.tables).toContain(`npx --yes ${pinned} run seed`);
    const bun = findAll(/bun@([\d.]+\d)|Bun (\d+\.\d+\.\d+)/g).filter(
      ({ whole }) => !whole.endsWith(pinned.slice(4)),
    );
    expect(bun.map(({ at, whole }) => `${at}: ${whole}`)).toEqual([]);
  });
});

describe("blocks of code", () => {
  const blocks = documents.flatMap(({ path, blocks: all }) =>
    all.map((block) => ({ at: `${path}:${block.line}`, block })),
  );
  const of = (language: string) => blocks.filter(({ block }) => block.language === language);

  test("of JSON and YAML are well-formed", () => {
    for (const { at, block } of of("json")) expect(() => JSON.parse(block.code), at).not.toThrow();
    for (const { at, block } of of("yaml")) expect(() => Bun.YAML.parse(block.code), at).not.toThrow();
    expect(of("json").length + of("yaml").length).toBeGreaterThan(5);
  });

  test.skipIf(findProgram("bash") === undefined)(
    "of shell are well-formed, those too that only an operator can run",
    () => {
      for (const { at, block } of of("sh")) {
        const { exitCode, stderr } = Bun.spawnSync(["bash", "-n"], {
          stdin: new TextEncoder().encode(block.code),
        });
        expect(exitCode, `${at}: ${stderr}`).toBe(0);
      }
      expect(of("sh").length).toBeGreaterThan(30);
    },
  );

  test.each((["zsh", "fish"] as const).filter((shell) => findProgram(shell) !== undefined))(
    "of the READMEs and of `curl` in prose are well-formed in %s, which takes an unquoted `?` for a file name",
    (shell) => {
      const read = documents.filter(({ path }) => path.startsWith("README"));
      const spoken = findAll(/`(curl [^`]+)`/g, ({ prose }) => prose).map(
        ({ at, part }) => [at, part] as const,
      );
      const codes = read.flatMap(({ path, blocks: all }) =>
        all
          .filter(({ language }) => language === "sh")
          .map(({ code, line }) => [`${path}:${line}`, code] as const),
      );
      for (const [at, code] of [...spoken, ...codes]) {
        const { exitCode, stderr } = Bun.spawnSync([shell, "-n"], { stdin: new TextEncoder().encode(code) });
        expect(exitCode, `${at}: ${stderr}`).toBe(0);
        expect(code.replaceAll(/'[^']*'|"[^"]*"|#.*$/gm, ""), at).not.toMatch(/[?*]/);
      }
      expect(codes.length).toBeGreaterThan(2);
    },
  );

  test("name their language, or are pictures and output", () => {
    const known =
      " sh js ts python json yaml html md text diff output nginx caddyfile haproxy ini toml bash zsh fish crontab";
    const wrong = blocks.filter(({ block }) => !known.split(" ").includes(block.language));
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });
});

describe("words", () => {
  test("are the project's own, and promise nothing", () => {
    const wrong = findAll(
      /\b(?:TODO|FIXME|TBD|XXX|blazing|seamless|cutting-edge|world-class|effortless)\b/gi,
    );
    expect(wrong.map(({ at, whole }) => `${at}: ${whole}`)).toEqual([]);
    // "safe" only as the word that a report does not use.
    const safe = findAll(/^.*\bsafe\b.*$/gim).filter(({ whole }) => !whole.includes('"safe"'));
    expect(safe.map(({ at }) => at)).toEqual([]);
  });
});

describe.each(["README", "docs/README"])("%s in both languages", (name) => {
  const versions = [readDocument(`${name}.md`), readDocument(`${name}.zh.md`)];

  test.each<[string, (document: Document) => readonly string[] | null]>([
    ["headings and rows of tables", ({ prose }) => prose.match(/^#+(?= )|^\|(?!-)/gm)],
    [
      "paths and settings",
      ({ prose }) => prose.replaceAll("`、`", "`, `").match(/^\| (?:`[^`]+`(?:, )?)+/gm),
    ],
    [
      "commands",
      ({ blocks }) => blocks.flatMap(({ code }) => code.replaceAll(/ *#.*|[?&]lang=en/g, "").split("\n")),
    ],
    [
      "links",
      ({ prose }) =>
        [...prose.matchAll(/\]\(([^)#]+)/g)].map(([, link = ""]) => link.replace(".zh.", ".")).toSorted(),
    ],
  ])("has the same %s", (_, read) => {
    const [english, chinese] = versions.map(read);
    expect(chinese).toEqual(english ?? null);
  });
});

describe("numbers", () => {
  const proseOf = (path: string) => readDocument(path).prose;

  test("of limits are those of an untouched configuration", () => {
    const config = readConfig({}, { sources: [], readSecret: () => "" });
    const prose = proseOf("docs/operators/limits.md");
    for (const sentence of [
      `${config.lookupsPerMinute} lookups a minute`,
      `${config.newPerMinute} new addresses a minute`,
      `${config.refreshPerMinute} refreshes a minute`,
      `${config.openPerDay} new addresses a day`,
      `${config.openDailyTotal} new addresses a day`,
      `${config.openPerMinute} new addresses a minute`,
    ]) {
      expect(prose).toContain(`| ${sentence} |`);
    }
    const { lookupsPerMinute, newPerMinute, openPerDay, openPerMinute, openDailyTotal } = config;
    for (const row of [
      `| lookups | ${lookupsPerMinute} a minute | – |`,
      `| of which new addresses | ${newPerMinute} a minute | – |`,
      `| new addresses without the human verification | ${openPerDay} a day | ${openPerMinute} a minute, ${openDailyTotal} a day |`,
    ])
      expect(proseOf("README.md")).toContain(row);
    for (const row of [
      `| 查询 | 每分钟 ${lookupsPerMinute} 次 | – |`,
      `| 其中未入库的地址 | 每分钟 ${newPerMinute} 个 | – |`,
      `| 免验证时未入库的地址 | 每天 ${openPerDay} 个 | 每分钟 ${openPerMinute} 个、每天 ${openDailyTotal} 个 |`,
    ])
      expect(proseOf("README.zh.md")).toContain(row);
  });

  test("of speed are those of the measurements", () => {
    const growth = proseOf("docs/proofs/growth.md");
    const [, memory, rate] =
      /memory, JSON \| (\d+ to \d+) µs, ([\d ]+ to [\d ]+) a second/.exec(growth) ?? [];
    const reads = [...growth.matchAll(/^\| (?:[\d. ]+\w* [^|]*\|){4} ([\d to]+) µs/gm)].flatMap(
      ([, read = ""]) => read.match(/\d+/g),
    );
    const [, loaded] = /file, JSON, with other load on the machine \| (\d+ to \d+) µs/.exec(growth) ?? [];
    const [, kilobytes] = /takes about ([\d.]+) kB/.exec(growth) ?? [];
    const told = [
      `${memory} µs`,
      `${rate?.replaceAll(" 000", ",000")} a second`,
      `${reads[0]} to ${reads.at(-1)} µs`,
    ];
    for (const text of [...told, `${loaded} µs under load`, `about ${kilobytes} GB`]) {
      expect(proseOf("README.md")).toContain(text);
      for (const number of text.match(/[\d.,]+/g) ?? []) expect(proseOf("README.zh.md")).toContain(number);
    }
  });

  test("of comparisons and of paths that take a POST are those of the interface", () => {
    const pages = `up to ${MOST_COMPARED} on the page, ${LEAST_CANDIDATES} to ${MOST_CANDIDATES} in the API`;
    expect(proseOf("README.md")).toContain(pages);
    expect(proseOf("README.zh.md")).toContain(
      `网页最多 ${MOST_COMPARED} 个地址，接口 ${LEAST_CANDIDATES} 到 ${MOST_CANDIDATES} 个`,
    );
    const { paths } = description as { readonly paths: Record<string, { readonly post?: object }> };
    const posts = Object.keys(paths).filter((path) => paths[path]?.post !== undefined);
    const told = /POST on four paths: ([^.]+)\./.exec(proseOf("docs/security.md"))?.[1] ?? "";
    expect([...told.matchAll(/`([^`]+)`/g)].map(([, path]) => path).toSorted()).toEqual(posts.toSorted());
  });

  test("of exit codes are all told", () => {
    const prose = /^Exit codes:[\s\S]*?\n\n/m.exec(proseOf("docs/operators/running.md"))?.[0] ?? "";
    const told = new Set([...prose.matchAll(/\b\d+\b/g)].map(([code]) => Number(code)));
    // "1 to 3" includes 2.
    expect(Object.values(EXIT).filter((code) => code !== 2 && !told.has(code))).toEqual([]);
  });
});

describe("NOTICE", () => {
  test("names every package that is installed with the program", async () => {
    const notice = await Bun.file(join(PROJECT, "NOTICE")).text();
    const named = Object.keys(manifest.dependencies).filter((name) => !notice.includes(name));
    expect(named).toEqual([]);
  });
});

/** Code blocks, and text between backticks in prose. */
function onlyCode({ text, prose }: Document): string {
  const rows = prose.split("\n");
  return text
    .split("\n")
    .map((row, at) => {
      if (row.startsWith("```")) return "";
      if (rows[at] !== row) return row;
      return row
        .split("`")
        .map((part, place) => (place % 2 === 1 ? part : " ".repeat(part.length)))
        .join("`");
    })
    .join("\n");
}

function isMadeWithin(path: string, made: ReadonlySet<string>): boolean {
  return [...made].some((name) => name === path || name.startsWith(`${path.replace(/\/$/, "")}/`));
}

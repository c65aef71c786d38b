import { describe, expect, test } from "bun:test";
import { listProgramFiles } from "./list_patterns.ts";

const files = listProgramFiles("src");
const browserFiles = listProgramFiles("static");

/** Lines of the program that match, as `file:line text`; comments left out. */
function findLines(pattern: RegExp, among = files): string[] {
  return among.flatMap(({ file, text }) =>
    text.split("\n").flatMap((line, at) => {
      const code = line.replace(/^\s*(?:\/\/|\*|\/\*).*/, "");
      return pattern.test(code) ? [`${file}:${at + 1} ${code.trim()}`] : [];
    }),
  );
}

const SECRETS = "secret|token|mac|signature|digest|hmac|password|cookie|apiKey|authToken";

describe("a secret", () => {
  test("is compared in constant time", () => {
    const isNothing = /[!=]== (?:undefined|null|""|"required"|"optional"|0|true)|typeof/;
    const compared = findLines(
      new RegExp(`\\b(?:${SECRETS})\\b(?:\\.\\w+)? ?[!=]==|[!=]== ?(?:\\w+\\.)*(?:${SECRETS})\\b`, "i"),
    );
    expect(compared.filter((line) => !isNothing.test(line))).toEqual([]);
    const users = new Set(findLines(/timingSafeEqual\(/).map((line) => line.split(":")[0]));
    expect([...users].toSorted()).toEqual(["src/http/routes/metrics.ts", "src/limits/keyed_hash.ts"]);
  });

  test("uses random values of the system only", () => {
    const guessed = findLines(/Math\.random/).map((line) => line.split(":")[0] ?? "");
    // Times of downloads and pruning, and the order of sources: nothing that an attacker gains from.
    for (const file of guessed)
      expect(file).toMatch(/^src\/(?:app|cli|datasets|lookup|upstream|store|main\.ts)/);
    expect(
      findLines(/Math\.random/).filter((line) => /src\/(?:limits|verification|http)\//.test(line)),
    ).toEqual([]);
  });
});

describe("the program", () => {
  test("runs no text as code", () => {
    expect(findLines(/\beval\(|new Function\(|\bvm\.|Function\("|setTimeout\("/)).toEqual([]);
    expect(
      findLines(
        /\beval\(|new Function\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc/,
        browserFiles,
      ),
    ).toEqual([]);
  });

  test("starts no other program; a mirror starts itself", () => {
    const starters = new Set(
      findLines(/child_process|Bun\.spawn|Bun\.\$|execSync/).map((line) => line.split(":")[0]),
    );
    for (const file of starters) expect(file).toMatch(/^src\/(?:build\/|store\/mirror\/sync_copy\.ts$)/);
    expect(findLines(/Bun\.spawn/).filter((line) => line.startsWith("src/store/"))).toEqual([
      expect.stringContaining("Bun.spawn([...program, SYNC_COMMAND], {"),
    ]);
  });

  test("reads no header for its own name", () => {
    const readers = findLines(
      /get\("(?:host|x-forwarded-host|x-forwarded-proto|forwarded|x-original-url|referer)"\)/,
    );
    // This one refuses a request with two Host headers. It does not use the name.
    expect(readers.filter((line) => !line.endsWith('?.includes(",") !== true;'))).toEqual([]);
  });

  test("writes and escapes markup in one place only", () => {
    const makers = findLines(/new Html\(/).map((line) => line.split(":")[0]);
    // Icons contain drawings of a package and of our own only, no text from outside.
    expect([...new Set(makers)]).toEqual(["src/render/html/html.ts", "src/render/html/icons.ts"]);
  });

  test("merges no object from outside into its own", () => {
    const merges = findLines(/Object\.assign\(|\.__proto__|setPrototypeOf|structuredClone\(/);
    const served = merges.filter((line) => /^src\/(?:limits|verification|http)\//.test(line));
    // This one merges the declarations of routes, which are in the program itself.
    expect(served.filter((line) => !line.startsWith("src/http/responses.ts:"))).toEqual([]);
  });

  test("never turns off certificate checks", () => {
    expect(findLines(/rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity/)).toEqual([]);
  });
});

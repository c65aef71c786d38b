import { describe, expect, test } from "bun:test";
import { type Lock, listComponents } from "../../src/build/components.ts";

const integrity = (text: string) => `sha512-${Buffer.from(text).toString("base64")}`;
const lock: Lock = {
  workspaces: { "": { dependencies: { web: "1.0.0", "@data/set": "2.0.0" } } },
  packages: {
    web: [
      "web@1.0.0",
      "",
      { dependencies: { cookie: "1" }, peerDependencies: { types: "*" } },
      integrity("w"),
    ],
    cookie: ["cookie@1.0.0", "", {}, integrity("c")],
    "web/cookie": ["cookie@0.9.0", "", { dependencies: { cookie: "1" } }, integrity("o")],
    types: ["types@3.0.0", "", {}, integrity("t")],
    "@data/set": ["@data/set@2.0.0", "", {}, integrity("d")],
    tester: ["tester@9.0.0", "", {}, integrity("x")],
  },
};

function list(packages: readonly string[], licences: Readonly<Record<string, string>> = {}) {
  const contents: Parameters<typeof listComponents>[0] = {
    program: { name: "limpid", version: "1.2.3", license: "MIT" },
    sha256: "ab".repeat(32),
    runtimeVersion: "1.4.5",
    target: "bun-linux-x64",
    packages,
    lock,
    licenceOf: (path) => licences[path],
  };
  return listComponents(contents) as unknown as {
    readonly components: readonly Record<string, unknown>[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
}

describe("listComponents", () => {
  test("lists the packages with version, checksum and licence, and the nearest of two versions", () => {
    const { components, dependencies } = list(["web", "web/node_modules/cookie", "@data/set"], {
      web: "MIT",
    });
    expect(components.map((part) => part["bom-ref"])).toEqual([
      "pkg:generic/bun@1.4.5",
      "pkg:npm/%40data/set@2.0.0",
      "pkg:npm/web@1.0.0",
      "pkg:npm/cookie@0.9.0",
    ]);
    expect(components[2]).toMatchObject({
      name: "web",
      version: "1.0.0",
      hashes: [{ alg: "SHA-512", content: Buffer.from("w").toString("hex") }],
      licenses: [{ license: { id: "MIT" } }],
    });
    expect(dependencies.find(({ ref }) => ref === "pkg:npm/web@1.0.0")?.dependsOn).toEqual([
      "pkg:npm/cookie@0.9.0",
    ]);
    const known = new Set(["pkg:generic/limpid@1.2.3", ...components.map((part) => part["bom-ref"])]);
    for (const { ref, dependsOn } of dependencies) {
      for (const each of [ref, ...dependsOn]) expect(known.has(each), each).toBe(true);
    }
  });

  test.each([
    { text: "MIT", said: { license: { id: "MIT" } } },
    { text: "(MIT OR Apache-2.0)", said: { expression: "(MIT OR Apache-2.0)" } },
    { text: "SEE LICENSE IN FILE", said: { license: { name: "SEE LICENSE IN FILE" } } },
  ])("says the licence $text as the format wants it", ({ text, said }) => {
    expect(list(["web"], { web: text }).components[1]?.licenses).toEqual([said]);
  });

  test("gives the same document for the same packages in any order", () => {
    expect(list(["web", "@data/set"])).toEqual(list(["@data/set", "web"]));
  });

  test.each(["tester", "unheard-of"])("refuses %s, which is not a dependency of the program", (name) => {
    expect(() => list([name])).toThrow(`Cannot list "${name}"`);
  });
});

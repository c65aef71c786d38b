import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readToEnd } from "#kit";
import type { Block } from "./list_documents.ts";
import { PROJECT } from "./list_documents.ts";

/** The origin of the service in the recipes. */
const ORIGIN = "http://127.0.0.1:8080";

/** What a block needs: the address of the service, environment variables, and programs. */
export interface Stage {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly python: string;
}

/** Runs a block of a recipe against a service. In its output, the origin of the recipes replaces the real one. */
export async function runBlock(
  block: Block,
  stage: Stage,
): Promise<{ readonly code: number; readonly out: string }> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-recipe-"));
  try {
    const child = Bun.spawn(write(block, folder, stage), {
      cwd: folder,
      env: {
        ...stage.env,
        PATH: `${folder}:${Bun.env.PATH ?? ""}`,
        HOME: folder,
        LIMPID_DATA_DIR: join(folder, "data"),
        PYTHONDONTWRITEBYTECODE: "1",
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const { out, err, code } = await readToEnd(child);
    return { code, out: `${out}${code === 0 ? "" : err}`.replaceAll(stage.url, ORIGIN) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write({ language, info, code }: Block, folder: string, { url, python }: Stage): string[] {
  const file = join(folder, `block.${language === "js" ? "mjs" : language}`);
  const text = code.replaceAll(ORIGIN, url);
  switch (language) {
    case "python":
      writeFileSync(file, text);
      return [python, file];
    case "js":
      writeFileSync(file, text);
      return [process.execPath, file];
    default: {
      const limpid = `#!/bin/sh\nexec "${process.execPath}" "${join(PROJECT, "src/main.ts")}" "$@"\n`;
      writeFileSync(join(folder, "limpid"), limpid, { mode: 0o755 });
      if (info.includes("integrations"))
        symlinkSync(join(PROJECT, "integrations"), join(folder, "integrations"));
      // A database with one report.
      const before = info.includes("database") ? "limpid lookup 46.4.84.25 --line\n" : "";
      writeFileSync(file, `set -euo pipefail\nlimpid=${url}\n${before}${text}`);
      return ["bash", file];
    }
  }
}

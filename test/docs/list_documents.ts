import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Root of the project. */
export const PROJECT = join(import.meta.dir, "../..");

/** A code block of a document: `language` and `info` are the text after the fence, `line` is its first line. */
export interface Block {
  readonly language: string;
  readonly info: string;
  readonly code: string;
  readonly line: number;
}

/** One Markdown document of the project; `prose` is its text with empty lines in place of code blocks. */
export interface Document {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
  readonly prose: string;
  readonly blocks: readonly Block[];
}

/** Reads one document. */
export function readDocument(path: string): Document {
  const text = readFileSync(join(PROJECT, path), "utf8");
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open:
    | { readonly mark: string; readonly line: number; readonly head: string; readonly rows: string[] }
    | undefined;
  for (const [at, row] of text.split("\n").entries()) {
    const fence = /^(`{3,})(.*)$/.exec(row);
    if (open === undefined && fence !== null) {
      open = { mark: fence[1] ?? "", line: at + 1, head: (fence[2] ?? "").trim(), rows: [] };
    } else if (open !== undefined && row === open.mark) {
      const [language = "", ...info] = open.head.split(" ");
      blocks.push({ language, info: info.join(" "), code: `${open.rows.join("\n")}\n`, line: open.line });
      open = undefined;
    } else if (open !== undefined) {
      open.rows.push(row);
    } else {
      prose.push(row);
      continue;
    }
    prose.push("");
  }
  if (open !== undefined) throw new Error(`${path}:${open.line}: the code block has no end`);
  return { path, text, prose: prose.join("\n"), blocks };
}

/** All documents for people, by path. */
export function listDocuments(): readonly Document[] {
  const found = ["docs", "integrations"].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  );
  return ["README.md", "README.zh.md", "AGENTS.md", "deploy/turso.md", ...found.toSorted()].map(readDocument);
}

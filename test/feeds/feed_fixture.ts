import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FeedRecord } from "../scenarios/feeds/record_feed.ts";

const FOLDER = join(import.meta.dir, "../fixtures/feeds");

/** A file of a list: a JSON value, or lines of text. */
type Content = { readonly json: unknown } | { readonly text: readonly string[] };

/** A downloaded file, by its position in the feed's `files`. */
interface File {
  readonly index: number;
  readonly bytes: Uint8Array;
}

/** What one list publishes, with addresses of documentation space, and what is read from it. */
export interface FeedFixture {
  readonly files: readonly File[];
  readonly expected: FeedRecord;
  /** Files that must be refused. */
  readonly malformed: readonly (File & { readonly name: string })[];
}

/** The ids of the lists that have fixtures. */
export function listFeedFixtures(): readonly string[] {
  return readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ""));
}

/** Reads the fixtures of a list. `file` of a malformed one is its position; 0 if it is missing. */
export function readFeedFixture(id: string): FeedFixture {
  const { files, expected, malformed } = JSON.parse(readFileSync(join(FOLDER, `${id}.json`), "utf8")) as {
    readonly files: Readonly<Record<string, Content>>;
    readonly expected: FeedRecord;
    readonly malformed: Readonly<Record<string, Content & { readonly file?: number }>>;
  };
  return {
    files: Object.entries(files).map(([index, content]) => ({
      index: Number(index),
      bytes: bytesOf(content),
    })),
    expected,
    malformed: Object.entries(malformed).map(([name, { file: index = 0, ...content }]) => {
      return { name, index, bytes: bytesOf(content as Content) };
    }),
  };
}

function bytesOf(content: Content): Uint8Array {
  return new TextEncoder().encode("text" in content ? content.text.join("\n") : JSON.stringify(content.json));
}

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCompiler, type Feed, FeedCache, type Feeds, openFeeds, type Snapshot } from "#feeds";

/** Lists compiled from existing files. `refused` names the lists whose files were not accepted. */
export interface OfflineFeeds {
  readonly feeds: Feeds;
  readonly ready: readonly Feed[];
  readonly refused: readonly string[];
  close(): void;
}

/**
 * Compiles the downloads in `folder` in a temporary folder, which `close` removes. The downloads of a list are stored
 * as the service stores them (`ID/state.json`), or as downloaded: `ID/0.*`, `ID/1.*` … by their index among the files
 * of the list. All count as downloaded now.
 */
export async function openOfflineFeeds(
  folder: string,
  feeds: readonly Feed[],
  snapshot?: Snapshot,
): Promise<OfflineFeeds> {
  const directory = mkdtempSync(join(tmpdir(), "limpid-feeds-"));
  const compiler = createCompiler();
  const close = () => {
    compiler.close();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const nowMs = Date.now();
    const cache = new FeedCache(directory);
    for (const feed of feeds) {
      const downloads = join(folder, feed.id);
      if (existsSync(downloads)) layOut(feed, downloads, cache, nowMs);
    }
    const opened = openFeeds({
      directory,
      feeds,
      now: () => nowMs,
      ...(snapshot === undefined ? {} : { snapshot }),
    });
    const { readings } = await opened.rebuild(compiler);
    const good = new Set(readings.filter((reading) => reading.good).map((reading) => reading.id));
    return {
      feeds: opened,
      ready: feeds.filter((feed) => good.has(feed.id)),
      refused: readings.filter((reading) => !reading.good).map((reading) => reading.id),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Puts the downloads of a list in the cache. */
function layOut(feed: Feed, downloads: string, cache: FeedCache, nowMs: number): void {
  if (existsSync(join(downloads, "state.json"))) {
    cpSync(downloads, join(cache.directory, feed.id), { recursive: true });
    const kept = cache.record(feed.id);
    if (kept.good === undefined) return;
    cache.save(feed.id, { ...kept, good: { ...kept.good, fetchedAt: nowMs, checkedAt: nowMs } });
    return;
  }
  const names = readdirSync(downloads);
  const files = feed.files.flatMap(({ url }, index) => {
    const name = names.find((one) => one.startsWith(`${index}.`));
    if (name === undefined) return [];
    const bytes = readFileSync(join(downloads, name));
    return [{ index, url, name: cache.put(feed.id, index, bytes).name, bytes: bytes.length }];
  });
  if (files.length === 0) return;
  const good = { files, rows: 0, stripped: 0, fetchedAt: nowMs, checkedAt: nowMs };
  cache.save(feed.id, { good, failures: 0, dueAt: 0 });
}

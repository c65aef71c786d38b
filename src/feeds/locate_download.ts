import type { DownloadOnDisk } from "./compile_job.ts";
import type { FeedShelf, KeptFile } from "./feed_shelf.ts";

/** Where the files of a download are, as the compiler wants them. */
export function locateDownload(id: string, files: readonly KeptFile[], shelf: FeedShelf): DownloadOnDisk {
  return {
    id,
    files: files.map(({ index, url, name }) => ({ index, url, path: shelf.path(id, name) })),
  };
}

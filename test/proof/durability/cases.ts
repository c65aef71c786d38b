import type { Case } from "./case_result.ts";
import { failWrites } from "./fail_writes.ts";
import { flipBytes } from "./flip_bytes.ts";
import { flipFeeds, flipSeeds, killFeeds } from "./kill_feeds.ts";
import { killMigrations } from "./kill_migrations.ts";
import { killService } from "./kill_service.ts";
import { killWriters } from "./kill_writers.ts";
import { losePlaces } from "./lose_places.ts";
import { shareFile } from "./share_file.ts";
import { spoilTexts } from "./spoil_texts.ts";
import { takeSnapshots } from "./take_snapshots.ts";

/** Every case by name. */
export const CASES: Readonly<Record<string, Case>> = {
  kill_writers: killWriters,
  kill_service: killService,
  take_snapshots: takeSnapshots,
  fail_writes_enospc: failWrites("ENOSPC"),
  fail_writes_eio: failWrites("EIO"),
  lose_places: losePlaces,
  flip_bytes: flipBytes,
  spoil_texts: spoilTexts,
  share_file: shareFile,
  kill_migrations: killMigrations,
  kill_feeds: killFeeds,
  flip_feeds: flipFeeds,
  flip_seeds: flipSeeds,
};

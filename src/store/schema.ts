import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * One language-free document a row, packed with one of `casts`; without one `assessment` is JSON and `survey` JSON in
 * zstd, as in older rows. `survey` stands last: SQLite then never touches its overflow pages when a hit reads only the
 * assessment.
 */
export const reports = sqliteTable(
  "reports",
  {
    address: text("address").primaryKey(),
    surveyedAt: integer("surveyed_at").notNull(),
    scoringVersion: integer("scoring_version").notNull(),
    liveHeard: integer("live_heard").notNull(),
    assessment: text("assessment").notNull(),
    survey: blob("survey", { mode: "buffer" }).notNull(),
  },
  // Holds all that a list of the newest shows, so that no document is touched for one.
  (table) => [index("reports_newest").on(table.surveyedAt, table.address)],
);

/**
 * What the runs of a survey say of their sources, which is the same in every survey of one build: reports name it by id
 * and leave it out. A few rows, never deleted.
 */
export const casts = sqliteTable("casts", {
  id: text("id").primaryKey(),
  content: text("content").notNull(),
});

/** Conclusions about an address by survey and version of the scoring, oldest dropped beyond the limit kept by the queries. */
export const history = sqliteTable(
  "history",
  {
    address: text("address").notNull(),
    surveyedAt: integer("surveyed_at").notNull(),
    purity: integer("purity").notNull(),
    band: text("band").notNull(),
    scoringVersion: integer("scoring_version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.address, table.surveyedAt, table.scoringVersion] })],
);

/**
 * Questions asked of a source on a UTC day (days since the epoch), by every process on this database.
 * `granted` is what the last statement on the row gave: SQLite's RETURNING shows new values only.
 */
export const budgets = sqliteTable(
  "budgets",
  {
    day: integer("day").notNull(),
    source: text("source").notNull(),
    used: integer("used").notNull(),
    granted: integer("granted").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.source] })],
);

/**
 * Permits to start a survey, as long as they can be given back. `windows` and `counts` are the names they were entered
 * under, as JSON lists. Moments are milliseconds since the epoch, days are days since the epoch (UTC).
 */
export const permits = sqliteTable(
  "permits",
  {
    id: text("id").primaryKey(),
    at: integer("at").notNull(),
    day: integer("day").notNull(),
    windows: text("windows").notNull(),
    counts: text("counts").notNull(),
  },
  (table) => [index("permits_at").on(table.at)],
);

/** Permits as they stand in sliding windows. */
export const permitEntries = sqliteTable(
  "permit_entries",
  {
    name: text("name").notNull(),
    at: integer("at").notNull(),
    id: text("id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.name, table.at, table.id] }),
    index("permit_entries_at").on(table.at),
  ],
);

/** Permits granted on a day, by name. */
export const permitCounts = sqliteTable(
  "permit_counts",
  {
    day: integer("day").notNull(),
    name: text("name").notNull(),
    used: integer("used").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name] })],
);

/** Solved challenges until they expire. */
export const challenges = sqliteTable(
  "challenges",
  { id: text("id").primaryKey(), expiresAt: integer("expires_at").notNull() },
  (table) => [index("challenges_expires_at").on(table.expiresAt)],
);

/** One visitor's rating a day. */
export const votes = sqliteTable(
  "votes",
  {
    address: text("address").notNull(),
    scenario: text("scenario").notNull(),
    day: integer("day").notNull(),
    voter: text("voter").notNull(),
    rating: integer("rating").notNull(),
  },
  (table) => [primaryKey({ columns: [table.address, table.scenario, table.day, table.voter] })],
);

/** The votes of an address added up, so that a hit reads six rows at most however many have voted. */
export const voteSums = sqliteTable(
  "vote_sums",
  {
    address: text("address").notNull(),
    scenario: text("scenario").notNull(),
    count: integer("count").notNull(),
    sum: integer("sum").notNull(),
  },
  (table) => [primaryKey({ columns: [table.address, table.scenario] })],
);

import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Tables keep the SQL names of their first version: processes of an older version may work on the same database.

/**
 * One report per address, without a language. `assessment` and `survey` are documents (reports/documents.ts),
 * compressed with one of the `dictionaries`. `survey` is the last column, so that a lookup that needs only the
 * assessment reads none of its overflow pages.
 */
export const reports = sqliteTable(
  "reports",
  {
    address: text("address").primaryKey(),
    surveyedAt: integer("surveyed_at").notNull(),
    scoringVersion: integer("scoring_version").notNull(),
    liveAnswers: integer("live_heard").notNull(),
    assessment: text("assessment").notNull(),
    survey: blob("survey", { mode: "buffer" }).notNull(),
  },
  // Deleting old reports finds them by this index.
  (table) => [index("reports_newest").on(table.surveyedAt, table.address)],
);

/** Dictionaries for the compression of reports (reports/dictionaries.ts). A few rows, never deleted. */
export const dictionaries = sqliteTable("casts", {
  id: text("id").primaryKey(),
  content: text("content").notNull(),
});

/**
 * Conclusions about an address by survey and scoring version. Each write deletes the oldest ones above the limit per
 * address. `coverage` is the total in percent. Rows of earlier versions have neither it nor a confidence.
 */
export const history = sqliteTable(
  "history",
  {
    address: text("address").notNull(),
    surveyedAt: integer("surveyed_at").notNull(),
    purity: integer("purity").notNull(),
    band: text("band").notNull(),
    scoringVersion: integer("scoring_version").notNull(),
    confidence: text("confidence"),
    coverage: integer("coverage"),
  },
  (table) => [primaryKey({ columns: [table.address, table.surveyedAt, table.scoringVersion] })],
);

/**
 * Queries sent to a source on a UTC day (days since the epoch) by every process on this database. `granted` is the
 * number of queries that the last statement on the row allowed. It is a column, because SQLite's RETURNING shows new
 * values only.
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
 * Admissions to start a survey: `used` of them count for the limit `name` until a moment (milliseconds since the epoch).
 * Names contain keyed hashes of clients, never an address.
 */
export const admissions = sqliteTable(
  "admissions",
  { name: text("name").notNull(), until: integer("until").notNull(), used: integer("used").notNull() },
  (table) => [primaryKey({ columns: [table.name, table.until] }), index("admissions_until").on(table.until)],
);

/** Solved challenges until they expire. */
export const challenges = sqliteTable(
  "challenges",
  { id: text("id").primaryKey(), expiresAt: integer("expires_at").notNull() },
  (table) => [index("challenges_expires_at").on(table.expiresAt)],
);

/**
 * One rating per voter, scenario, address and day. `voter` is a hash of the other three under a key that is not stored
 * (rating_repository.ts), so no row names an address.
 */
export const votes = sqliteTable(
  "ratings",
  {
    voter: text("voter").notNull(),
    scenario: text("scenario").notNull(),
    rating: integer("rating").notNull(),
  },
  (table) => [primaryKey({ columns: [table.voter, table.scenario] })],
);

/** The sums of all votes on an address, so that a lookup reads at most one row per scenario. */
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

/** Addresses that the operator watches: when each is surveyed next, and what its sources last said (#watch), as JSON. */
export const watched = sqliteTable("watched", {
  address: text("address").primaryKey(),
  dueAt: integer("due_at").notNull(),
  state: text("state"),
});

/** Changes of watched addresses. `sendAt` is the next attempt to send one to the webhook; without it there is none. */
export const watchEvents = sqliteTable(
  "watch_events",
  {
    id: text("id").primaryKey(),
    address: text("address").notNull(),
    at: integer("at").notNull(),
    body: text("body").notNull(),
    attempts: integer("attempts").notNull(),
    sendAt: integer("send_at"),
  },
  (table) => [
    index("watch_events_address").on(table.address, table.at),
    index("watch_events_send_at").on(table.sendAt),
  ],
);

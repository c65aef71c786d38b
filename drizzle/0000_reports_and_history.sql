CREATE TABLE `history` (
	`address` text NOT NULL,
	`surveyed_at` integer NOT NULL,
	`purity` integer NOT NULL,
	`band` text NOT NULL,
	`scoring_version` integer NOT NULL,
	PRIMARY KEY(`address`, `surveyed_at`)
);
--> statement-breakpoint
CREATE TABLE `reports` (
	`address` text PRIMARY KEY NOT NULL,
	`surveyed_at` integer NOT NULL,
	`scoring_version` integer NOT NULL,
	`live_heard` integer NOT NULL,
	`assessment` text NOT NULL,
	`survey` blob NOT NULL
);

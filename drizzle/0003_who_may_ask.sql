CREATE TABLE `challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `challenges_expires_at` ON `challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `permit_counts` (
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`day`, `name`)
);
--> statement-breakpoint
CREATE TABLE `permit_entries` (
	`name` text NOT NULL,
	`at` integer NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`name`, `at`, `id`)
);
--> statement-breakpoint
CREATE INDEX `permit_entries_at` ON `permit_entries` (`at`);--> statement-breakpoint
CREATE TABLE `permits` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`day` integer NOT NULL,
	`windows` text NOT NULL,
	`counts` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `permits_at` ON `permits` (`at`);--> statement-breakpoint
CREATE TABLE `vote_sums` (
	`address` text NOT NULL,
	`scenario` text NOT NULL,
	`count` integer NOT NULL,
	`sum` integer NOT NULL,
	PRIMARY KEY(`address`, `scenario`)
);
--> statement-breakpoint
CREATE TABLE `votes` (
	`address` text NOT NULL,
	`scenario` text NOT NULL,
	`day` integer NOT NULL,
	`voter` text NOT NULL,
	`rating` integer NOT NULL,
	PRIMARY KEY(`address`, `scenario`, `day`, `voter`)
);

CREATE TABLE `watch_events` (
	`id` text PRIMARY KEY NOT NULL,
	`address` text NOT NULL,
	`at` integer NOT NULL,
	`body` text NOT NULL,
	`attempts` integer NOT NULL,
	`send_at` integer
);
--> statement-breakpoint
CREATE INDEX `watch_events_address` ON `watch_events` (`address`,`at`);--> statement-breakpoint
CREATE INDEX `watch_events_send_at` ON `watch_events` (`send_at`);--> statement-breakpoint
CREATE TABLE `watched` (
	`address` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	`state` text
);

ALTER TABLE `history` ADD `confidence` text;--> statement-breakpoint
ALTER TABLE `history` ADD `coverage` integer;
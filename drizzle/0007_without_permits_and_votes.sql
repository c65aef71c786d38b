DROP TABLE `permit_counts`;--> statement-breakpoint
DROP TABLE `permit_entries`;--> statement-breakpoint
DROP TABLE `permits`;--> statement-breakpoint
DROP TABLE `votes`;
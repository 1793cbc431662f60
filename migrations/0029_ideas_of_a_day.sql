ALTER TABLE `organizations` ADD `ideas_day` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `day_ideas` integer DEFAULT 0 NOT NULL;
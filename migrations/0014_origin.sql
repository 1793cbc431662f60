DROP INDEX `generations_list`;--> statement-breakpoint
ALTER TABLE `generations` ADD `microdollars` integer;--> statement-breakpoint
ALTER TABLE `generations` ADD `article_id` text;--> statement-breakpoint
CREATE INDEX `generations_of` ON `generations` (`organization_id`,`creation_time`,`id`);--> statement-breakpoint
ALTER TABLE `articles` ADD `origin` text;
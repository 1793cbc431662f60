DROP INDEX `articles_list`;--> statement-breakpoint
CREATE INDEX `articles_list_by_edit` ON `articles` (`blog_id`,`published`,`last_edit_time`,`id`,`locale`);
CREATE TABLE `redirects` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`source` text NOT NULL,
	`article_id` text,
	`target` text,
	`target_key` text,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `redirects_source` ON `redirects` (`blog_id`,`source`);--> statement-breakpoint
CREATE INDEX `redirects_list` ON `redirects` (`blog_id`,`id`);--> statement-breakpoint
CREATE INDEX `redirects_by_target` ON `redirects` (`blog_id`,`target_key`) WHERE target_key is not null;--> statement-breakpoint
CREATE INDEX `redirects_by_article` ON `redirects` (`article_id`) WHERE article_id is not null;--> statement-breakpoint
ALTER TABLE `blogs` ADD `redirects_version` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `redirects` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `redirect_usage_insert` AFTER INSERT ON `redirects`
BEGIN
  UPDATE `organizations` SET redirects = redirects + 1 WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `redirect_usage_delete` AFTER DELETE ON `redirects`
BEGIN
  UPDATE `organizations` SET redirects = redirects - 1 WHERE id = old.organization_id;
END;

ALTER TABLE `articles` ADD `publish_time` text;
--> statement-breakpoint
-- Nobody knows when they were first public, only since when they are.
UPDATE `articles` SET publish_time = public_time WHERE published = 1;
--> statement-breakpoint
CREATE INDEX `articles_list_by_publication` ON `articles` (`blog_id`,`publish_time`,`id`) WHERE published = 1;
--> statement-breakpoint
CREATE INDEX `articles_list_locale_by_publication` ON `articles` (`blog_id`,`locale`,`publish_time`,`id`) WHERE published = 1;

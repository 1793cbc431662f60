CREATE TABLE `trash` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`locale` text NOT NULL,
	`published` integer NOT NULL,
	`bytes` integer NOT NULL,
	`terms` text NOT NULL,
	`moved_slugs` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`version` text NOT NULL,
	`deletion_time` text NOT NULL,
	`due_time` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `trash_list` ON `trash` (`organization_id`,`due_time`,`article_id`);--> statement-breakpoint
CREATE INDEX `trash_of_blog` ON `trash` (`blog_id`,`due_time`,`article_id`);--> statement-breakpoint
CREATE TABLE `trashed_rows` (
	`article_id` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`organization_id` text NOT NULL,
	`members` text NOT NULL,
	`content` blob,
	PRIMARY KEY(`article_id`, `kind`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `trash_articles` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `trash_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TRIGGER `trash_usage_insert` AFTER INSERT ON `trash`
BEGIN
  UPDATE `organizations` SET trash_articles = trash_articles + 1, trash_bytes = trash_bytes + new.bytes
  WHERE id = new.organization_id;
END;--> statement-breakpoint
CREATE TRIGGER `trash_usage_update` AFTER UPDATE OF `bytes` ON `trash`
BEGIN
  UPDATE `organizations` SET trash_bytes = trash_bytes + new.bytes - old.bytes WHERE id = new.organization_id;
END;--> statement-breakpoint
CREATE TRIGGER `trash_usage_delete` AFTER DELETE ON `trash`
BEGIN
  UPDATE `organizations` SET trash_articles = trash_articles - 1, trash_bytes = trash_bytes - old.bytes
  WHERE id = old.organization_id;
END;--> statement-breakpoint
DROP TRIGGER `article_usage_insert`;--> statement-breakpoint
-- By the time of the last edit, because an article from the trash keeps that of its creation.
CREATE TRIGGER `article_usage_insert` AFTER INSERT ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles + 1, article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      + coalesce(octet_length(new.seo), 0),
    day_events = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.last_edit_time, 1, 10))
  WHERE id = new.organization_id;
END;

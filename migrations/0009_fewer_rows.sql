-- A write costs five rows less. The version of the service that still runs cannot write until the new one is deployed.
-- An article knows its row in the full text index, so no table between them is needed. The index is contentless: it
-- keeps terms, but no texts. The Worker's cron indexes every article anew; until then, searches find fewer.
DROP TRIGGER `article_search_insert`;--> statement-breakpoint
DROP TRIGGER `article_search_update`;--> statement-breakpoint
DROP TRIGGER `article_search_delete`;--> statement-breakpoint
DROP TABLE `article_search`;--> statement-breakpoint
DROP TABLE `article_text_terms`;--> statement-breakpoint
DROP TABLE `article_text`;--> statement-breakpoint
CREATE VIRTUAL TABLE `article_text` USING fts5(place, title, description, content, tokenize = 'ascii', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE `article_text_terms` USING fts5vocab(article_text, instance);
--> statement-breakpoint
ALTER TABLE `articles` ADD `search_id` integer;--> statement-breakpoint
ALTER TABLE `articles` ADD `indexed_version` text;--> statement-breakpoint
CREATE UNIQUE INDEX `articles_search_id` ON `articles` (`search_id`);--> statement-breakpoint
CREATE INDEX `articles_unindexed` ON `articles` (`organization_id`,`id`) WHERE indexed_version is not version;--> statement-breakpoint
CREATE TRIGGER `article_search_delete` AFTER DELETE ON `articles` WHEN old.search_id IS NOT NULL
BEGIN
  DELETE FROM `article_text` WHERE rowid = old.search_id;
END;
--> statement-breakpoint
-- The audit log has no rowid and no other index. Its ids are UUIDv7, and so in the order of time.
CREATE TABLE `audit_by_id` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`action` text NOT NULL,
	`resource_id` text NOT NULL,
	`blog_id` text,
	`request_id` text NOT NULL,
	`creation_time` text NOT NULL,
	PRIMARY KEY(`organization_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `audit_by_id` (`id`, `organization_id`, `actor_kind`, `actor_id`, `action`, `resource_id`, `blog_id`, `request_id`, `creation_time`) SELECT `id`, `organization_id`, `actor_kind`, `actor_id`, `action`, `resource_id`, `blog_id`, `request_id`, `creation_time` FROM `audit` ORDER BY `organization_id`, `id`;--> statement-breakpoint
DROP TABLE `audit`;--> statement-breakpoint
ALTER TABLE `audit_by_id` RENAME TO `audit`;--> statement-breakpoint
-- Events are numbered without AUTOINCREMENT, whose counter is a row written for each event. SQLite then counts on from
-- the last row, which is never deleted (src/store/retention.ts). If no event is left, the numbers begin again.
CREATE TABLE `events_by_seq` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`creation_time` text NOT NULL,
	`enqueue_time` text NOT NULL,
	`fan_out_time` text
);
--> statement-breakpoint
INSERT INTO `events_by_seq` (`seq`, `id`, `organization_id`, `blog_id`, `kind`, `data`, `creation_time`, `enqueue_time`, `fan_out_time`) SELECT `seq`, `id`, `organization_id`, `blog_id`, `kind`, `data`, `creation_time`, `enqueue_time`, `fan_out_time` FROM `events` ORDER BY `seq`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `events_by_seq` RENAME TO `events`;--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_pending` ON `events` (`organization_id`,`seq`) WHERE fan_out_time IS NULL;--> statement-breakpoint
UPDATE `webhook_subscriptions` SET since_seq = (SELECT coalesce(max(seq), 0) FROM `events`) WHERE since_seq > (SELECT coalesce(max(seq), 0) FROM `events`);

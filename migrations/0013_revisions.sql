CREATE TABLE `revisions` (
	`article_id` text NOT NULL,
	`number` integer NOT NULL,
	`organization_id` text NOT NULL,
	`published` integer NOT NULL,
	`lasting` integer NOT NULL,
	`members` text NOT NULL,
	`actor_kind` text,
	`actor_id` text,
	`action` text,
	`last_edit_time` text NOT NULL,
	`end_time` text NOT NULL,
	`content` blob,
	PRIMARY KEY(`article_id`, `number`),
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `revisions_oldest` ON `revisions` (`organization_id`,`lasting`,`end_time`);--> statement-breakpoint
CREATE TABLE `working_copies` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`members` text NOT NULL,
	`base_version` text NOT NULL,
	`version` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	`content` text,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `articles` ADD `revision` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `revision_bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Working copies count as texts of articles, former states by themselves (src/store/core/quota.ts). The rows of a deleted
-- article go with it.
CREATE TRIGGER `working_copy_usage_insert` AFTER INSERT ON `working_copies`
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    + octet_length(new.members) + coalesce(octet_length(new.content), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `working_copy_usage_update` AFTER UPDATE ON `working_copies`
WHEN octet_length(new.members) + coalesce(octet_length(new.content), 0)
  <> octet_length(old.members) + coalesce(octet_length(old.content), 0)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    + octet_length(new.members) + coalesce(octet_length(new.content), 0)
    - octet_length(old.members) - coalesce(octet_length(old.content), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `working_copy_usage_delete` AFTER DELETE ON `working_copies`
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    - octet_length(old.members) - coalesce(octet_length(old.content), 0)
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
-- A former state is stored right before its article changes: so all counters of an update are one row written.
DROP TRIGGER `article_usage_update`;
--> statement-breakpoint
CREATE TRIGGER `article_usage_update` AFTER UPDATE OF title, description, cover_url, content, version ON `articles`
WHEN new.version <> old.version
  OR octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
  <> octet_length(old.title) + octet_length(old.description) + octet_length(old.cover_url) + octet_length(old.content)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content),
    revision_bytes = revision_bytes + coalesce((SELECT octet_length(members) + coalesce(octet_length(content), 0)
      FROM `revisions` WHERE article_id = new.id AND number = new.revision - 1 AND new.revision IS NOT old.revision), 0),
    day_events = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_events END + (new.version <> old.version),
    day_deliveries = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.last_edit_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `revision_usage_delete` AFTER DELETE ON `revisions`
BEGIN
  UPDATE `organizations` SET revision_bytes = revision_bytes
    - octet_length(old.members) - coalesce(octet_length(old.content), 0)
  WHERE id = old.organization_id;
END;

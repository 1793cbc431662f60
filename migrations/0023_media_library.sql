CREATE TABLE `media_uses` (
	`media_id` text NOT NULL,
	`article_id` text NOT NULL,
	`place` text NOT NULL,
	`organization_id` text NOT NULL,
	PRIMARY KEY(`media_id`, `article_id`, `place`),
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `media_uses_of_article` ON `media_uses` (`article_id`,`place`);--> statement-breakpoint
DROP INDEX `media_unowned`;--> statement-breakpoint
ALTER TABLE `media` ADD `library` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `blog_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `file_id` text;--> statement-breakpoint
ALTER TABLE `media` ADD `name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `alt` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `width` integer;--> statement-breakpoint
ALTER TABLE `media` ADD `height` integer;--> statement-breakpoint
ALTER TABLE `media` ADD `sha256` text;--> statement-breakpoint
ALTER TABLE `media` ADD `blur_hash` text;--> statement-breakpoint
ALTER TABLE `media` ADD `sizes` text;--> statement-breakpoint
ALTER TABLE `media` ADD `size_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `version` text;--> statement-breakpoint
ALTER TABLE `media` ADD `last_edit_time` text;--> statement-breakpoint
CREATE INDEX `media_library` ON `media` (`organization_id`,`creation_time`,`id`) WHERE library = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_hash` ON `media` (`organization_id`,`sha256`,`blog_id`) WHERE library = 1;--> statement-breakpoint
CREATE INDEX `media_unsized` ON `media` (`last_edit_time`) WHERE library = 1 AND sizes IS NULL;--> statement-breakpoint
CREATE INDEX `media_unowned` ON `media` (`creation_time`) WHERE article_id IS NULL AND library = 0;
--> statement-breakpoint
-- The sum of a row's changes: a replacement changes a file's size, and a deletion frees its bytes before the sweep has
-- deleted the file.
CREATE TRIGGER `media_usage_update` AFTER UPDATE OF bytes ON `media`
WHEN new.bytes <> old.bytes
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + new.bytes - old.bytes WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- What an article shows: uploads of its organization whose address, /media/ and 36 characters, is in its texts. As JSON
-- text, which is cut at each address, it becomes a list: this takes time in proportion to the text. The first thousand
-- count.
CREATE TRIGGER `media_uses_insert` AFTER INSERT ON `articles`
WHEN instr(new.content, '/media/') > 0 OR instr(new.cover_url, '/media/') > 0 OR instr(coalesce(new.seo, ''), '/media/') > 0
BEGIN
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.id, 'article', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `media_uses_update` AFTER UPDATE OF content, cover_url, seo ON `articles`
WHEN (new.content IS NOT old.content OR new.cover_url IS NOT old.cover_url OR new.seo IS NOT old.seo)
  AND (instr(new.content, '/media/') > 0 OR instr(new.cover_url, '/media/') > 0 OR instr(coalesce(new.seo, ''), '/media/') > 0
    OR instr(old.content, '/media/') > 0 OR instr(old.cover_url, '/media/') > 0 OR instr(coalesce(old.seo, ''), '/media/') > 0)
BEGIN
  DELETE FROM `media_uses` WHERE article_id = new.id AND place = 'article'
    AND instr(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content, '/media/' || media_id) = 0;
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.id, 'article', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `draft_media_uses_insert` AFTER INSERT ON `working_copies`
WHEN instr(new.members, '/media/') > 0 OR instr(coalesce(new.content, ''), '/media/') > 0
BEGIN
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.article_id, 'draft', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `draft_media_uses_update` AFTER UPDATE OF members, content ON `working_copies`
WHEN (new.members IS NOT old.members OR new.content IS NOT old.content)
  AND (instr(new.members, '/media/') > 0 OR instr(coalesce(new.content, ''), '/media/') > 0
    OR instr(old.members, '/media/') > 0 OR instr(coalesce(old.content, ''), '/media/') > 0)
BEGIN
  DELETE FROM `media_uses` WHERE article_id = new.article_id AND place = 'draft'
    AND instr(new.members || ' ' || coalesce(new.content, ''), '/media/' || media_id) = 0;
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.article_id, 'draft', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER `draft_media_uses_delete` AFTER DELETE ON `working_copies`
BEGIN
  DELETE FROM `media_uses` WHERE article_id = old.article_id AND place = 'draft';
END;

CREATE TABLE `slug_terms` (
	`blog_id` text NOT NULL,
	`slug` text NOT NULL,
	`kind` text NOT NULL,
	`term_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`blog_id`, `slug`, `kind`, `term_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `term_articles` (
	`term_id` text NOT NULL,
	`creation_time` text NOT NULL,
	`article_id` text NOT NULL,
	`published` integer NOT NULL,
	`locale` text NOT NULL,
	`publish_time` text,
	PRIMARY KEY(`term_id`, `creation_time`, `article_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `term_articles_published` ON `term_articles` (`term_id`,`creation_time`,`article_id`,`locale`) WHERE published = 1;--> statement-breakpoint
CREATE INDEX `term_articles_by_publication` ON `term_articles` (`term_id`,`publish_time`,`article_id`,`locale`) WHERE published = 1;--> statement-breakpoint
CREATE TABLE `terms` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`members` text NOT NULL,
	`articles` integer DEFAULT 0 NOT NULL,
	`published_articles` integer DEFAULT 0 NOT NULL,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `terms_slug` ON `terms` (`blog_id`,`kind`,`slug`);--> statement-breakpoint
CREATE INDEX `terms_list` ON `terms` (`blog_id`,`kind`,`creation_time`,`id`);--> statement-breakpoint
ALTER TABLE `articles` ADD `seo` text;--> statement-breakpoint
DROP TRIGGER `article_usage_insert`;
--> statement-breakpoint
DROP TRIGGER `article_usage_update`;
--> statement-breakpoint
DROP TRIGGER `article_usage_delete`;
--> statement-breakpoint
-- As in 0011_quotas and 0013_revisions; the bytes of `seo` count, too.
CREATE TRIGGER `article_usage_insert` AFTER INSERT ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles + 1, article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      + coalesce(octet_length(new.seo), 0),
    day_events = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.creation_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `article_usage_update` AFTER UPDATE OF title, description, cover_url, content, seo, version ON `articles`
WHEN new.version <> old.version
  OR octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
    + coalesce(octet_length(new.seo), 0)
  <> octet_length(old.title) + octet_length(old.description) + octet_length(old.cover_url) + octet_length(old.content)
    + coalesce(octet_length(old.seo), 0)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      + coalesce(octet_length(new.seo), 0)
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content)
      - coalesce(octet_length(old.seo), 0),
    revision_bytes = revision_bytes + coalesce((SELECT octet_length(members) + coalesce(octet_length(content), 0)
      FROM `revisions` WHERE article_id = new.id AND number = new.revision - 1 AND new.revision IS NOT old.revision), 0),
    day_events = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_events END + (new.version <> old.version),
    day_deliveries = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.last_edit_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `article_usage_delete` AFTER DELETE ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles - 1, article_bytes = article_bytes
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content)
      - coalesce(octet_length(old.seo), 0),
    day_events = CASE WHEN day < e.today THEN 0 ELSE day_events END + e.deleted,
    day_deliveries = CASE WHEN day < e.today THEN 0 ELSE day_deliveries END,
    day = max(day, e.today)
  FROM (
    SELECT count(*) AS deleted, coalesce(max(substr(creation_time, 1, 10)), '') AS today
    FROM (SELECT kind, data, creation_time FROM `events` ORDER BY seq DESC LIMIT 1)
    WHERE kind = 'article.deleted' AND data ->> '_id' = old.id
  ) AS e
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
-- Terms: an article has those of its slug, and is in the list of each.
CREATE TRIGGER `terms_of_new_article` AFTER INSERT ON `articles`
BEGIN
  INSERT OR IGNORE INTO `term_articles` (term_id, creation_time, article_id, published, locale, publish_time)
  SELECT term_id, new.creation_time, new.id, new.published, new.locale, new.publish_time
  FROM `slug_terms` WHERE blog_id = new.blog_id AND slug = new.slug;
END;
--> statement-breakpoint
CREATE TRIGGER `terms_of_changed_article` AFTER UPDATE OF locale, published, publish_time ON `articles`
WHEN new.slug = old.slug
  AND (new.locale <> old.locale OR new.published <> old.published OR new.publish_time IS NOT old.publish_time)
BEGIN
  UPDATE `term_articles` SET locale = new.locale, published = new.published, publish_time = new.publish_time
  WHERE (term_id, creation_time, article_id) IN (
    SELECT term_id, new.creation_time, new.id FROM `slug_terms` WHERE blog_id = new.blog_id AND slug = new.slug);
END;
--> statement-breakpoint
-- The terms of a slug go along with the last article that has it, unless others have the new slug already.
CREATE TRIGGER `terms_of_moved_article` AFTER UPDATE OF slug ON `articles`
WHEN new.slug <> old.slug
BEGIN
  DELETE FROM `term_articles` WHERE (term_id, creation_time, article_id) IN (
    SELECT term_id, old.creation_time, old.id FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug);
  INSERT OR IGNORE INTO `slug_terms` (blog_id, slug, kind, term_id, position)
  SELECT blog_id, new.slug, kind, term_id, position FROM `slug_terms`
  WHERE blog_id = old.blog_id AND slug = old.slug AND NOT EXISTS (
    SELECT 1 FROM `articles` WHERE blog_id = new.blog_id AND slug = new.slug AND id <> new.id);
  INSERT OR IGNORE INTO `term_articles` (term_id, creation_time, article_id, published, locale, publish_time)
  SELECT term_id, new.creation_time, new.id, new.published, new.locale, new.publish_time
  FROM `slug_terms` WHERE blog_id = new.blog_id AND slug = new.slug;
  DELETE FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug AND NOT EXISTS (
    SELECT 1 FROM `articles` WHERE blog_id = old.blog_id AND slug = old.slug);
END;
--> statement-breakpoint
CREATE TRIGGER `terms_of_deleted_article` AFTER DELETE ON `articles`
BEGIN
  DELETE FROM `term_articles` WHERE (term_id, creation_time, article_id) IN (
    SELECT term_id, old.creation_time, old.id FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug);
  DELETE FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug AND NOT EXISTS (
    SELECT 1 FROM `articles` WHERE blog_id = old.blog_id AND slug = old.slug);
END;
--> statement-breakpoint
CREATE TRIGGER `term_given` AFTER INSERT ON `slug_terms`
BEGIN
  INSERT OR IGNORE INTO `term_articles` (term_id, creation_time, article_id, published, locale, publish_time)
  SELECT new.term_id, creation_time, id, published, locale, publish_time
  FROM `articles` WHERE blog_id = new.blog_id AND slug = new.slug;
END;
--> statement-breakpoint
CREATE TRIGGER `term_taken` AFTER DELETE ON `slug_terms`
BEGIN
  DELETE FROM `term_articles` WHERE (term_id, creation_time, article_id) IN (
    SELECT old.term_id, creation_time, id FROM `articles` WHERE blog_id = old.blog_id AND slug = old.slug);
END;
--> statement-breakpoint
CREATE TRIGGER `term_counted` AFTER INSERT ON `term_articles`
BEGIN
  UPDATE `terms` SET articles = articles + 1, published_articles = published_articles + new.published WHERE id = new.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER `term_count_changed` AFTER UPDATE OF published ON `term_articles`
WHEN new.published <> old.published
BEGIN
  UPDATE `terms` SET published_articles = published_articles + new.published - old.published WHERE id = new.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER `term_uncounted` AFTER DELETE ON `term_articles`
BEGIN
  UPDATE `terms` SET articles = articles - 1, published_articles = published_articles - old.published WHERE id = old.term_id;
END;

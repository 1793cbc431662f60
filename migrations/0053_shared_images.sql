CREATE INDEX `trashed_images` ON `trashed_rows` (`key`) WHERE kind = 'media';--> statement-breakpoint
DROP TRIGGER `media_uses_insert`;--> statement-breakpoint
-- What an article shows is also an image of another article in the same blog. One of both keeps it if the other is deleted.
CREATE TRIGGER `media_uses_insert` AFTER INSERT ON `articles`
WHEN instr(new.content, '/media/') > 0 OR instr(new.cover_url, '/media/') > 0 OR instr(coalesce(new.seo, ''), '/media/') > 0
BEGIN
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.id, 'article', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND (m.library = 1 OR EXISTS (
      SELECT 1 FROM `articles` AS o WHERE o.id = m.article_id AND o.id <> new.id AND o.blog_id = new.blog_id));
END;--> statement-breakpoint
DROP TRIGGER `media_uses_update`;--> statement-breakpoint
CREATE TRIGGER `media_uses_update` AFTER UPDATE OF content, cover_url, seo ON `articles`
WHEN (new.content IS NOT old.content OR new.cover_url IS NOT old.cover_url OR new.seo IS NOT old.seo)
  AND (instr(new.content, '/media/') > 0 OR instr(new.cover_url, '/media/') > 0 OR instr(coalesce(new.seo, ''), '/media/') > 0
    OR instr(old.content, '/media/') > 0 OR instr(old.cover_url, '/media/') > 0 OR instr(coalesce(old.seo, ''), '/media/') > 0)
BEGIN
  DELETE FROM `media_uses` WHERE article_id = new.id AND place = 'article' AND media_id NOT IN (
    SELECT substr(value, 1, 36) FROM json_each('[' || replace(
      json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
    WHERE key > 0);
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.id, 'article', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND (m.library = 1 OR EXISTS (
      SELECT 1 FROM `articles` AS o WHERE o.id = m.article_id AND o.id <> new.id AND o.blog_id = new.blog_id));
END;--> statement-breakpoint
DROP TRIGGER `draft_media_uses_insert`;--> statement-breakpoint
CREATE TRIGGER `draft_media_uses_insert` AFTER INSERT ON `working_copies`
WHEN instr(new.members, '/media/') > 0 OR instr(coalesce(new.content, ''), '/media/') > 0
BEGIN
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.article_id, 'draft', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND (m.library = 1 OR EXISTS (
      SELECT 1 FROM `articles` AS o WHERE o.id = m.article_id AND o.id <> new.article_id AND o.blog_id = (SELECT blog_id FROM `articles` WHERE id = new.article_id)));
END;--> statement-breakpoint
DROP TRIGGER `draft_media_uses_update`;--> statement-breakpoint
CREATE TRIGGER `draft_media_uses_update` AFTER UPDATE OF members, content ON `working_copies`
WHEN (new.members IS NOT old.members OR new.content IS NOT old.content)
  AND (instr(new.members, '/media/') > 0 OR instr(coalesce(new.content, ''), '/media/') > 0
    OR instr(old.members, '/media/') > 0 OR instr(coalesce(old.content, ''), '/media/') > 0)
BEGIN
  DELETE FROM `media_uses` WHERE article_id = new.article_id AND place = 'draft' AND media_id NOT IN (
    SELECT substr(value, 1, 36) FROM json_each('[' || replace(
      json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
    WHERE key > 0);
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.article_id, 'draft', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND (m.library = 1 OR EXISTS (
      SELECT 1 FROM `articles` AS o WHERE o.id = m.article_id AND o.id <> new.article_id AND o.blog_id = (SELECT blog_id FROM `articles` WHERE id = new.article_id)));
END;--> statement-breakpoint
DROP TRIGGER `media_usage_insert`;--> statement-breakpoint
-- An image counts once, whether an article has it, or any number of those in the trash, or both.
CREATE TRIGGER `media_usage_insert` AFTER INSERT ON `media`
WHEN (new.bytes > 0 OR new.library > 0) AND NOT EXISTS (SELECT 1 FROM `trashed_rows` WHERE kind = 'media' AND key = new.id)
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + new.bytes, media_items = media_items + new.library
  WHERE id = new.organization_id;
END;--> statement-breakpoint
DROP TRIGGER `media_usage_delete`;--> statement-breakpoint
CREATE TRIGGER `media_usage_delete` AFTER DELETE ON `media`
WHEN (old.bytes > 0 OR old.library > 0) AND NOT EXISTS (SELECT 1 FROM `trashed_rows` WHERE kind = 'media' AND key = old.id)
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes - old.bytes, media_items = media_items - old.library
  WHERE id = old.organization_id;
END;--> statement-breakpoint
DROP TRIGGER `trashed_rows_usage_insert`;--> statement-breakpoint
DROP TRIGGER `trashed_rows_usage_delete`;--> statement-breakpoint
CREATE TRIGGER `trashed_rows_usage_delete` AFTER DELETE ON `trashed_rows`
WHEN old.kind = 'media' AND NOT EXISTS (SELECT 1 FROM `media` WHERE id = old.key)
  AND NOT EXISTS (SELECT 1 FROM `trashed_rows` WHERE kind = 'media' AND key = old.key)
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes - (old.members ->> '$.bytes') WHERE id = old.organization_id;
END;--> statement-breakpoint
-- Until now, translations shared images because of their slug.
INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
SELECT m.id, t.id, 'article', m.organization_id FROM `media` AS m JOIN `articles` AS a ON a.id = m.article_id
JOIN `articles` AS t ON t.blog_id = a.blog_id AND t.slug = a.slug AND t.id <> a.id;

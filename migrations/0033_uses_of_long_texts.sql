-- As in 0023_media_library, but what an article or a working copy no longer shows is found by one walk through its text, as
-- what it shows is. Each picture was looked for by itself: a long text with a thousand of them took seconds, in which the
-- database did nothing else.
DROP TRIGGER `media_uses_update`;
--> statement-breakpoint
DROP TRIGGER `draft_media_uses_update`;
--> statement-breakpoint
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
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
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
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;

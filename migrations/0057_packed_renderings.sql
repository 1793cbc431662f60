ALTER TABLE `article_renderings` ADD `html_bytes` integer;--> statement-breakpoint
ALTER TABLE `article_renderings` ADD `audio` text;--> statement-breakpoint
ALTER TABLE `articles` ADD `packed` blob;
--> statement-breakpoint
DROP TRIGGER `rendering_of_changed_article`;
--> statement-breakpoint
-- As before, but for the new columns.
CREATE TRIGGER `rendering_of_changed_article` AFTER UPDATE OF content ON `articles`
WHEN new.content IS NOT old.content
BEGIN
  UPDATE `article_renderings` SET renderer = 0, state = 'pending', version = new.version, reading_minutes = NULL,
    excerpt = NULL, headings = NULL, text = NULL, html = NULL, html_bytes = NULL, audio = NULL
  WHERE article_id = new.id AND version <> new.version;
END;

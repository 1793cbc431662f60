DROP INDEX `article_renderings_waiting`;--> statement-breakpoint
CREATE INDEX `article_renderings_waiting` ON `article_renderings` (`renderer`,`organization_id`) WHERE renderer <> 7;--> statement-breakpoint
-- The full text index without the places of words. The new renderer has everything indexed again.
DROP TABLE `article_text_terms`;
--> statement-breakpoint
DROP TABLE `article_text`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `article_text` USING fts5(content, title, description, place, source, tokenize = 'ascii', content = '', contentless_delete = 1, detail = 'column');
--> statement-breakpoint
CREATE VIRTUAL TABLE `article_text_terms` USING fts5vocab(article_text, instance);

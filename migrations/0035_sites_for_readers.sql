DROP INDEX `article_renderings_waiting`;--> statement-breakpoint
CREATE INDEX `article_renderings_waiting` ON `article_renderings` (`renderer`,`organization_id`) WHERE renderer <> 3;--> statement-breakpoint
ALTER TABLE `blogs` ADD `newsletter` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- The search of readers finds what they read, and that of writers also what only the source has: its terms are in a column of
-- their own. The Worker's cron indexes every article anew; until then, searches find fewer.
DROP TABLE `article_text_terms`;--> statement-breakpoint
DROP TABLE `article_text`;--> statement-breakpoint
CREATE VIRTUAL TABLE `article_text` USING fts5(content, title, description, place, source, tokenize = 'ascii', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE `article_text_terms` USING fts5vocab(article_text, instance);
--> statement-breakpoint
UPDATE `articles` SET `indexed_version` = NULL WHERE `indexed_version` IS NOT NULL;

-- The words of an index, as FTS5 keeps them: a search asks how many begin with its last word.
CREATE VIRTUAL TABLE `article_text_terms` USING fts5vocab(article_text, instance);
--> statement-breakpoint
-- A row now holds each word of a text a few times only, and each two neighbours as a term (src/store/search-rows.ts).
-- The Worker's cron makes all rows again; until then, they are found by their words, but not by phrases.
UPDATE `article_search` SET version = '';

-- The full text index of articles (src/store/search-rows.ts). The words come prepared: separated by spaces, each
-- with a mark of its organization, so that what a search reads, and how rare a word counts, does not depend on others.
-- bm25 also takes the number of rows and the average length of a text, which are those of all organizations.
CREATE VIRTUAL TABLE `article_text` USING fts5(place, title, description, content, tokenize = 'ascii');
--> statement-breakpoint
-- What waits to be indexed: articles from before this index, and what something else than the service wrote.
CREATE INDEX `article_search_due` ON `article_search` (`id`) WHERE version = '';
--> statement-breakpoint
CREATE TRIGGER `article_search_insert` AFTER INSERT ON `articles`
WHEN NOT EXISTS (SELECT 1 FROM `article_search` WHERE article_id = new.id AND version = new.version)
BEGIN
  INSERT INTO `article_search` (article_id, organization_id, version) VALUES (new.id, new.organization_id, '')
    ON CONFLICT (article_id) DO UPDATE SET version = '';
END;
--> statement-breakpoint
CREATE TRIGGER `article_search_update` AFTER UPDATE OF version ON `articles`
WHEN NOT EXISTS (SELECT 1 FROM `article_search` WHERE article_id = new.id AND version = new.version)
BEGIN
  INSERT INTO `article_search` (article_id, organization_id, version) VALUES (new.id, new.organization_id, '')
    ON CONFLICT (article_id) DO UPDATE SET version = '';
END;
--> statement-breakpoint
CREATE TRIGGER `article_search_delete` AFTER DELETE ON `articles`
BEGIN
  DELETE FROM `article_text` WHERE rowid = (SELECT id FROM `article_search` WHERE article_id = old.id);
  DELETE FROM `article_search` WHERE article_id = old.id;
END;
--> statement-breakpoint
INSERT INTO `article_search` (article_id, organization_id, version) SELECT id, organization_id, '' FROM `articles`;

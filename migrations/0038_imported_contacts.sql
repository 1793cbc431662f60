ALTER TABLE `contacts` ADD `imported` text;
--> statement-breakpoint
-- Words are folded further than before: the sweep makes the index again.
UPDATE `articles` SET `indexed_version` = NULL WHERE `indexed_version` IS NOT NULL;

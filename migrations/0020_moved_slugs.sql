DROP TRIGGER `moved_slug_taken_by_new`;--> statement-breakpoint
DROP TRIGGER `moved_slug_taken`;--> statement-breakpoint
DROP TRIGGER `moved_slug_left`;--> statement-breakpoint
CREATE TABLE `__new_moved_slugs` (
	`id` integer PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`slug` text NOT NULL,
	`locale` text NOT NULL,
	`article_id` text NOT NULL,
	`move_time` text NOT NULL,
	`number` integer NOT NULL,
	`live` integer NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_moved_slugs` (organization_id, blog_id, slug, locale, article_id, move_time, number, live)
SELECT m.organization_id, m.blog_id, m.slug, m.locale, m.article_id, m.move_time,
  row_number() OVER (PARTITION BY m.organization_id ORDER BY m.move_time, m.article_id), a.published
FROM `moved_slugs` m JOIN `articles` a ON a.id = m.article_id ORDER BY m.move_time, m.article_id;--> statement-breakpoint
DROP TABLE `moved_slugs`;--> statement-breakpoint
ALTER TABLE `__new_moved_slugs` RENAME TO `moved_slugs`;--> statement-breakpoint
CREATE UNIQUE INDEX `moved_slugs_slug` ON `moved_slugs` (`blog_id`,`slug`,`locale`);--> statement-breakpoint
CREATE INDEX `moved_slugs_by_article` ON `moved_slugs` (`article_id`,`number`);--> statement-breakpoint
CREATE INDEX `moved_slugs_of_organization` ON `moved_slugs` (`organization_id`,`number`);--> statement-breakpoint
CREATE INDEX `moved_slugs_live` ON `moved_slugs` (`slug`,`move_time`) WHERE live = 1;--> statement-breakpoint
CREATE INDEX `moved_slugs_live_locale` ON `moved_slugs` (`slug`,`locale`,`move_time`) WHERE live = 1;--> statement-breakpoint
-- An article that gets a slug takes it from an article that had it before.
CREATE TRIGGER `moved_slug_taken_by_new` AFTER INSERT ON `articles`
BEGIN
  DELETE FROM `moved_slugs` WHERE blog_id = new.blog_id AND slug = new.slug AND locale = new.locale;
END;
--> statement-breakpoint
CREATE TRIGGER `moved_slug_taken` AFTER UPDATE OF slug, locale ON `articles`
WHEN new.slug <> old.slug OR new.locale <> old.locale
BEGIN
  DELETE FROM `moved_slugs` WHERE blog_id = new.blog_id AND slug = new.slug AND locale = new.locale;
END;
--> statement-breakpoint
-- An article keeps its 50 newest former slugs, an organization its 50,000 newest.
CREATE TRIGGER `moved_slug_left` AFTER UPDATE OF slug, locale ON `articles`
WHEN old.published = 1 AND (new.slug <> old.slug OR new.locale <> old.locale)
BEGIN
  INSERT INTO `moved_slugs` (organization_id, blog_id, slug, locale, article_id, move_time, number, live)
  VALUES (old.organization_id, old.blog_id, old.slug, old.locale, old.id, new.last_edit_time,
    (SELECT coalesce(max(number), 0) + 1 FROM `moved_slugs` WHERE organization_id = old.organization_id), new.published);
  DELETE FROM `moved_slugs` WHERE id IN (
    SELECT id FROM `moved_slugs` WHERE article_id = new.id ORDER BY number DESC LIMIT -1 OFFSET 50);
  DELETE FROM `moved_slugs` WHERE organization_id = new.organization_id
    AND number <= (SELECT max(number) FROM `moved_slugs` WHERE organization_id = new.organization_id) - 50000;
END;
--> statement-breakpoint
-- The former slugs of an article lead to it while it is published.
CREATE TRIGGER `moved_slug_live` AFTER UPDATE OF published ON `articles`
WHEN new.published <> old.published
BEGIN
  UPDATE `moved_slugs` SET live = new.published WHERE article_id = new.id;
END;

ALTER TABLE `organizations` ADD `media_items` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `organizations` SET media_items = m.items
  FROM (SELECT organization_id, count(*) AS items FROM `media` WHERE library = 1 GROUP BY organization_id) AS m
  WHERE m.organization_id = organizations.id;
--> statement-breakpoint
DROP TRIGGER `media_usage_insert`;
--> statement-breakpoint
DROP TRIGGER `media_usage_update`;
--> statement-breakpoint
DROP TRIGGER `media_usage_delete`;
--> statement-breakpoint
-- The pictures of a library are counted where their bytes are, so that a deletion, which changes both, writes one row.
CREATE TRIGGER `media_usage_insert` AFTER INSERT ON `media`
WHEN new.bytes > 0 OR new.library > 0
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + new.bytes, media_items = media_items + new.library
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `media_usage_update` AFTER UPDATE OF bytes, library ON `media`
WHEN new.bytes <> old.bytes OR new.library <> old.library
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + new.bytes - old.bytes,
    media_items = media_items + new.library - old.library
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `media_usage_delete` AFTER DELETE ON `media`
WHEN old.bytes > 0 OR old.library > 0
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes - old.bytes, media_items = media_items - old.library
  WHERE id = old.organization_id;
END;

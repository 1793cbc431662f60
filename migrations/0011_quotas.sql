CREATE TABLE `waiting_outboxes` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`deliveries` integer NOT NULL,
	`purged_seq` integer NOT NULL,
	`time` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `organizations` ADD `media_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `day` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `day_events` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `day_deliveries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER `article_usage_insert`;
--> statement-breakpoint
DROP TRIGGER `article_usage_update`;
--> statement-breakpoint
DROP TRIGGER `article_usage_delete`;
--> statement-breakpoint
DROP TRIGGER `contact_usage_insert`;
--> statement-breakpoint
-- Events of a day are counted where the same write counts something else already (src/store/core/quota.ts), so that all
-- counters of a write are one row written. Clocks differ: what is late counts for the day that has begun.
CREATE TRIGGER `article_usage_insert` AFTER INSERT ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles + 1, article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content),
    day_events = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.creation_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `article_usage_update` AFTER UPDATE OF title, description, cover_url, content, version ON `articles`
WHEN new.version <> old.version
  OR octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
  <> octet_length(old.title) + octet_length(old.description) + octet_length(old.cover_url) + octet_length(old.content)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content),
    day_events = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_events END + (new.version <> old.version),
    day_deliveries = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.last_edit_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- The event of a deletion is stored before it, as it shows the article: so it is the last one.
CREATE TRIGGER `article_usage_delete` AFTER DELETE ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles - 1, article_bytes = article_bytes
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content),
    day_events = CASE WHEN day < e.today THEN 0 ELSE day_events END + e.deleted,
    day_deliveries = CASE WHEN day < e.today THEN 0 ELSE day_deliveries END,
    day = max(day, e.today)
  FROM (
    SELECT count(*) AS deleted, coalesce(max(substr(creation_time, 1, 10)), '') AS today
    FROM (SELECT kind, data, creation_time FROM `events` ORDER BY seq DESC LIMIT 1)
    WHERE kind = 'article.deleted' AND data ->> '_id' = old.id
  ) AS e
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `contact_usage_insert` AFTER INSERT ON `contacts`
BEGIN
  UPDATE `organizations` SET contacts = contacts + 1,
    day_events = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.creation_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- All other events. A ping is stored with its one delivery.
CREATE TRIGGER `event_usage_insert` AFTER INSERT ON `events`
WHEN new.kind NOT IN ('article.created', 'article.updated', 'article.deleted', 'contact.created')
BEGIN
  UPDATE `organizations` SET
    day_events = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_deliveries END + (new.kind = 'ping'),
    day = max(day, substr(new.creation_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `media_usage_insert` AFTER INSERT ON `media`
WHEN new.bytes > 0
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + new.bytes WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `media_usage_delete` AFTER DELETE ON `media`
WHEN old.bytes > 0
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes - old.bytes WHERE id = old.organization_id;
END;

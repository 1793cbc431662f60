-- Images in the trash count against the quota for images, not against the bound of the trash.
CREATE TRIGGER `trashed_rows_usage_insert` AFTER INSERT ON `trashed_rows`
WHEN new.kind = 'media'
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + (new.members ->> '$.bytes') WHERE id = new.organization_id;
END;--> statement-breakpoint
CREATE TRIGGER `trashed_rows_usage_delete` AFTER DELETE ON `trashed_rows`
WHEN old.kind = 'media'
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes - (old.members ->> '$.bytes') WHERE id = old.organization_id;
END;--> statement-breakpoint
UPDATE `organizations` SET media_bytes = media_bytes + images.bytes
FROM (SELECT organization_id, sum(members ->> '$.bytes') AS bytes FROM `trashed_rows` WHERE kind = 'media' GROUP BY organization_id) AS images
WHERE `organizations`.id = images.organization_id;--> statement-breakpoint
UPDATE `trash` SET bytes = `trash`.bytes - images.bytes
FROM (SELECT article_id, sum(octet_length(members) + (members ->> '$.bytes')) AS bytes FROM `trashed_rows` WHERE kind = 'media' GROUP BY article_id) AS images
WHERE `trash`.article_id = images.article_id;

-- What tags and authors have beside their names counts as texts of articles: names in other languages, bios and pictures. Short
-- ones, such as those of tags that articles have made, are free, so that giving tags to an article writes no further row.
UPDATE `organizations` SET article_bytes = article_bytes + t.bytes
FROM (
  SELECT organization_id, sum(octet_length(members)) AS bytes FROM `terms` WHERE octet_length(members) > 64
  GROUP BY organization_id
) AS t WHERE t.organization_id = `organizations`.id;
--> statement-breakpoint
CREATE TRIGGER `term_usage_insert` AFTER INSERT ON `terms`
WHEN octet_length(new.members) > 64
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes + octet_length(new.members) WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `term_usage_update` AFTER UPDATE OF members ON `terms`
WHEN octet_length(new.members) <> octet_length(old.members)
  AND (octet_length(new.members) > 64 OR octet_length(old.members) > 64)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    + iif(octet_length(new.members) > 64, octet_length(new.members), 0)
    - iif(octet_length(old.members) > 64, octet_length(old.members), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `term_usage_delete` AFTER DELETE ON `terms`
WHEN octet_length(old.members) > 64
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes - octet_length(old.members) WHERE id = old.organization_id;
END;
--> statement-breakpoint
-- Of kept answers, those of more than 1 KiB count beside their contents: an article's without its content seldom has as much.
DROP TRIGGER `answer_usage_insert`;
--> statement-breakpoint
DROP TRIGGER `answer_usage_update`;
--> statement-breakpoint
DROP TRIGGER `answer_usage_delete`;
--> statement-breakpoint
UPDATE `organizations` SET answer_bytes = answer_bytes + a.bytes
FROM (
  SELECT organization_id, sum(octet_length(answer)) AS bytes FROM `idempotency` WHERE octet_length(answer) > 1024
  GROUP BY organization_id
) AS a WHERE a.organization_id = `organizations`.id;
--> statement-breakpoint
CREATE TRIGGER `answer_usage_insert` AFTER INSERT ON `idempotency`
WHEN octet_length(new.content) > 0 OR octet_length(new.answer) > 1024
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes
    + coalesce(octet_length(new.content), 0) + iif(octet_length(new.answer) > 1024, octet_length(new.answer), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- A key is claimed without an answer, which comes later. A claim anew takes the earlier one away.
CREATE TRIGGER `answer_usage_update` AFTER UPDATE OF answer, content ON `idempotency`
WHEN coalesce(octet_length(new.content), 0) <> coalesce(octet_length(old.content), 0)
  OR (coalesce(octet_length(new.answer), 0) <> coalesce(octet_length(old.answer), 0)
    AND (octet_length(new.answer) > 1024 OR octet_length(old.answer) > 1024))
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes
    + coalesce(octet_length(new.content), 0) + iif(octet_length(new.answer) > 1024, octet_length(new.answer), 0)
    - coalesce(octet_length(old.content), 0) - iif(octet_length(old.answer) > 1024, octet_length(old.answer), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `answer_usage_delete` AFTER DELETE ON `idempotency`
WHEN octet_length(old.content) > 0 OR octet_length(old.answer) > 1024
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes
    - coalesce(octet_length(old.content), 0) - iif(octet_length(old.answer) > 1024, octet_length(old.answer), 0)
  WHERE id = old.organization_id;
END;

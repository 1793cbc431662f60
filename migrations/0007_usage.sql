ALTER TABLE `organizations` ADD `articles` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `article_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `answer_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `contacts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What organizations have stored (src/store/quota.ts), counted from here on by the triggers below.
UPDATE `organizations` SET articles = u.articles, article_bytes = u.bytes
FROM (
  SELECT organization_id, count(*) AS articles,
    sum(octet_length(title) + octet_length(description) + octet_length(cover_url) + octet_length(content)) AS bytes
  FROM `articles` GROUP BY organization_id
) AS u WHERE u.organization_id = `organizations`.id;
--> statement-breakpoint
UPDATE `organizations` SET answer_bytes = u.bytes
FROM (
  SELECT organization_id, sum(octet_length(content)) AS bytes
  FROM `idempotency` WHERE content IS NOT NULL GROUP BY organization_id
) AS u WHERE u.organization_id = `organizations`.id;
--> statement-breakpoint
UPDATE `organizations` SET contacts = u.contacts
FROM (SELECT organization_id, count(*) AS contacts FROM `contacts` GROUP BY organization_id) AS u
WHERE u.organization_id = `organizations`.id;
--> statement-breakpoint
CREATE TRIGGER `article_usage_insert` AFTER INSERT ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles + 1, article_bytes = article_bytes
    + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `article_usage_update` AFTER UPDATE OF title, description, cover_url, content ON `articles`
WHEN octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
  <> octet_length(old.title) + octet_length(old.description) + octet_length(old.cover_url) + octet_length(old.content)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
    - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `article_usage_delete` AFTER DELETE ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles - 1, article_bytes = article_bytes
    - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content)
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
-- A key is claimed without a content: it comes with the answer.
CREATE TRIGGER `answer_usage_insert` AFTER INSERT ON `idempotency`
WHEN octet_length(new.content) > 0
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes + octet_length(new.content) WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `answer_usage_update` AFTER UPDATE OF content ON `idempotency`
WHEN coalesce(octet_length(new.content), 0) <> coalesce(octet_length(old.content), 0)
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes
    + coalesce(octet_length(new.content), 0) - coalesce(octet_length(old.content), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `answer_usage_delete` AFTER DELETE ON `idempotency`
WHEN octet_length(old.content) > 0
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes - octet_length(old.content) WHERE id = old.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `contact_usage_insert` AFTER INSERT ON `contacts`
BEGIN
  UPDATE `organizations` SET contacts = contacts + 1 WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER `contact_usage_delete` AFTER DELETE ON `contacts`
BEGIN
  UPDATE `organizations` SET contacts = contacts - 1 WHERE id = old.organization_id;
END;

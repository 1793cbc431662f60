ALTER TABLE `articles` ADD `event_due` text;--> statement-breakpoint
CREATE INDEX `articles_event_due` ON `articles` (`event_due`) WHERE event_due is not null;--> statement-breakpoint
ALTER TABLE `revisions` ADD `working_copy` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- As in 0017_terms, but a change that leaves its event for later uses up none of the day. Whoever fires it counts it.
DROP TRIGGER `article_usage_update`;
--> statement-breakpoint
CREATE TRIGGER `article_usage_update` AFTER UPDATE OF title, description, cover_url, content, seo, version ON `articles`
WHEN new.version <> old.version
  OR octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
    + coalesce(octet_length(new.seo), 0)
  <> octet_length(old.title) + octet_length(old.description) + octet_length(old.cover_url) + octet_length(old.content)
    + coalesce(octet_length(old.seo), 0)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      + coalesce(octet_length(new.seo), 0)
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content)
      - coalesce(octet_length(old.seo), 0),
    revision_bytes = revision_bytes + coalesce((SELECT octet_length(members) + coalesce(octet_length(content), 0)
      FROM `revisions` WHERE article_id = new.id AND number = new.revision - 1 AND new.revision IS NOT old.revision), 0),
    day_events = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_events END
      + (new.version <> old.version AND new.event_due IS NULL),
    day_deliveries = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.last_edit_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- A state of a working copy is stored without a change of its article, whose trigger counts the others.
CREATE TRIGGER `revision_usage_insert` AFTER INSERT ON `revisions`
WHEN new.working_copy = 1
BEGIN
  UPDATE `organizations` SET revision_bytes = revision_bytes
    + octet_length(new.members) + coalesce(octet_length(new.content), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- Only published articles have working copies from now on. Each draft gets what its own has: a slug and locale only if no
-- other article has or gets them. The draft's version becomes that of the copy, which names who has saved it in the audit
-- log, and the page that has it open goes on. `kept` says whether what the draft had becomes a former state.
CREATE TABLE `__folded` (
	`article_id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`locale` text NOT NULL,
	`kept` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__folded` (article_id, slug, locale, kept)
WITH wished AS (
  SELECT a.id, a.blog_id, coalesce(w.members ->> '$.slug', a.slug) AS slug, coalesce(w.members ->> '$.locale', a.locale) AS locale
  FROM `working_copies` w JOIN `articles` a ON a.id = w.article_id WHERE a.published = 0),
ranked AS (SELECT *, row_number() OVER (PARTITION BY blog_id, slug, locale ORDER BY id) AS place FROM wished),
got AS (
  SELECT r.id, r.slug, r.locale, r.place = 1
    AND NOT EXISTS (SELECT 1 FROM `articles` o WHERE o.blog_id = r.blog_id AND o.slug = r.slug AND o.locale = r.locale AND o.id <> r.id)
    AND (SELECT count(*) FROM `articles` o WHERE o.blog_id = r.blog_id AND o.slug = r.slug AND o.id <> r.id) < 200 AS free
  FROM ranked r)
SELECT a.id, iif(g.free, g.slug, a.slug), iif(g.free, g.locale, a.locale),
  coalesce(w.content, a.content) <> a.content OR coalesce(w.members ->> '$.title', a.title) <> a.title
    OR coalesce(w.members ->> '$.description', a.description) <> a.description
    OR coalesce(w.members ->> '$.coverUrl', a.cover_url) <> a.cover_url
    OR coalesce(w.members ->> '$.publishTime', a.publish_time) IS NOT a.publish_time
    OR json_type(w.members, '$.seo') IS NOT NULL OR (g.free AND (g.slug <> a.slug OR g.locale <> a.locale))
FROM got g JOIN `articles` a ON a.id = g.id JOIN `working_copies` w ON w.article_id = g.id;
--> statement-breakpoint
INSERT INTO `revisions` (article_id, number, organization_id, published, lasting, members, actor_kind, actor_id, action,
  last_edit_time, end_time, content)
SELECT a.id, coalesce(a.revision, 1), a.organization_id, 0,
  coalesce((SELECT o.lasting AND o.content IS NULL FROM `revisions` o WHERE o.article_id = a.id ORDER BY o.number DESC LIMIT 1), 0),
  json_object('title', a.title, 'description', a.description, 'slug', a.slug, 'locale', a.locale, 'coverUrl', a.cover_url, 'seo', a.seo),
  l.actor_kind, l.actor_id, l.action,
  iif(a.state_version IS NULL, a.last_edit_time, coalesce(l.creation_time, a.last_edit_time)),
  max(a.last_edit_time, w.last_edit_time), iif(w.content IS NULL OR w.content = a.content, NULL, a.content)
FROM `__folded` f JOIN `articles` a ON a.id = f.article_id JOIN `working_copies` w ON w.article_id = a.id
LEFT JOIN `audit` l ON l.organization_id = a.organization_id AND l.id = coalesce(a.state_version, a.version)
WHERE f.kept;
--> statement-breakpoint
UPDATE `articles` SET
  title = coalesce(w.members ->> '$.title', title),
  description = coalesce(w.members ->> '$.description', description),
  slug = f.slug,
  locale = f.locale,
  cover_url = coalesce(w.members ->> '$.coverUrl', cover_url),
  content = coalesce(w.content, articles.content),
  publish_time = coalesce(w.members ->> '$.publishTime', publish_time),
  origin = iif(coalesce(w.members ->> '$.title', title) <> title OR coalesce(w.members ->> '$.description', description) <> description
    OR coalesce(w.content, articles.content) <> articles.content, json_set(origin, '$.kind', 'edited'), origin),
  seo = CASE
    WHEN json_type(w.members, '$.seo') IS NULL THEN seo
    WHEN w.members ->> '$.seo.title' = '' AND w.members ->> '$.seo.description' = '' AND w.members ->> '$.seo.canonicalUrl' = ''
      AND NOT w.members ->> '$.seo.noindex' AND w.members ->> '$.seo.image' = '' THEN NULL
    ELSE json_object('title', w.members ->> '$.seo.title', 'description', w.members ->> '$.seo.description',
      'canonicalUrl', w.members ->> '$.seo.canonicalUrl', 'noindex', json(iif(w.members ->> '$.seo.noindex', 'true', 'false')),
      'image', w.members ->> '$.seo.image') END,
  revision = coalesce(revision, 1) + f.kept,
  state_version = iif(f.kept, NULL, coalesce(state_version, articles.version)),
  event_due = w.last_edit_time,
  last_edit_time = max(articles.last_edit_time, w.last_edit_time),
  version = w.version
FROM `__folded` f JOIN `working_copies` w ON w.article_id = f.article_id
WHERE articles.id = f.article_id
  AND (f.kept OR json_type(w.members, '$.tags') IS NOT NULL OR json_type(w.members, '$.authors') IS NOT NULL);
--> statement-breakpoint
-- Tags and authors, as src/store/terms/assigning.ts gives them. Translations with different ones get those of all. A published
-- translation shares them: its readers would see what nobody has published, so it keeps its own.
CREATE TABLE `__given` (
	`article_id` text NOT NULL,
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__given` (article_id, kind, slug, name, position)
SELECT w.article_id, k.kind, t.value ->> '$.slug', t.value ->> '$.name', t.key
FROM `__folded` f JOIN `working_copies` w ON w.article_id = f.article_id
JOIN (SELECT 'tag' AS kind UNION ALL SELECT 'author') AS k
JOIN `articles` a ON a.id = w.article_id
JOIN json_each(w.members, '$.' || k.kind || 's') AS t
WHERE NOT EXISTS (SELECT 1 FROM `articles` p WHERE p.blog_id = a.blog_id AND p.slug = a.slug AND p.published = 1);
--> statement-breakpoint
INSERT INTO `terms` (id, organization_id, blog_id, kind, slug, name, members, version, creation_time, last_edit_time)
SELECT lower(printf('%08x-%04x-7', m.ms >> 16, m.ms & 65535) || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2)
    || '-' || hex(randomblob(6))),
  a.organization_id, a.blog_id, g.kind, g.slug, g.name,
  iif(g.kind = 'tag', '{"names":{}}', '{"bio":"","pictureUrl":""}'), a.version, a.last_edit_time, a.last_edit_time
FROM `__given` g JOIN `articles` a ON a.id = g.article_id
JOIN (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS integer) AS ms) AS m
WHERE true ON CONFLICT DO NOTHING;
--> statement-breakpoint
DELETE FROM `slug_terms` WHERE EXISTS (
  SELECT 1 FROM `__folded` f JOIN `working_copies` w ON w.article_id = f.article_id JOIN `articles` a ON a.id = f.article_id
  WHERE a.blog_id = slug_terms.blog_id AND a.slug = slug_terms.slug AND json_type(w.members, '$.' || slug_terms.kind || 's') IS NOT NULL)
AND NOT EXISTS (SELECT 1 FROM `articles` p WHERE p.blog_id = slug_terms.blog_id AND p.slug = slug_terms.slug AND p.published = 1)
AND term_id NOT IN (
  SELECT t.id FROM `__given` g JOIN `articles` a ON a.id = g.article_id
  JOIN `terms` t ON t.blog_id = a.blog_id AND t.kind = g.kind AND t.slug = g.slug
  WHERE a.blog_id = slug_terms.blog_id AND a.slug = slug_terms.slug);
--> statement-breakpoint
INSERT INTO `slug_terms` (blog_id, slug, kind, term_id, position)
SELECT a.blog_id, a.slug, g.kind, t.id, g.position FROM `__given` g JOIN `articles` a ON a.id = g.article_id
JOIN `terms` t ON t.blog_id = a.blog_id AND t.kind = g.kind AND t.slug = g.slug
WHERE true ON CONFLICT (blog_id, slug, kind, term_id) DO UPDATE SET position = excluded.position;
--> statement-breakpoint
DELETE FROM `working_copies` WHERE article_id IN (SELECT article_id FROM `__folded`);
--> statement-breakpoint
DROP TABLE `__given`;
--> statement-breakpoint
DROP TABLE `__folded`;

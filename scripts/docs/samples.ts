/**
 * What the examples of the reference send: identifiers, queries and bodies. An identifier stands for one kind of thing
 * wherever it occurs, so that the test of the examples can put that of a real one in its place.
 */
import type { Operation } from "./document.ts";

/** Identifiers by the name of the parameter, or of the member of a body. */
export const SAMPLE_IDS: Readonly<Record<string, string>> = {
  blogId: "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a",
  articleId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
  previewId: "019a9d3e-20c1-7b48-a3d2-6e7f8091a2b3",
  tagId: "019a9d3c-a1d4-7e52-8c6b-0f1e2d3c4b5a",
  authorId: "019a9d3c-b2e5-7f63-9d7c-1a2b3c4d5e6f",
  topicId: "019a9d3d-44a7-7c19-b8e0-2b3c4d5e6f70",
  refreshId: "019a9d3d-5b18-7d2a-8f91-3c4d5e6f7081",
  webhookSubscriptionId: "019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
  deadLetterId: "019a9d3e-6c29-7e3b-9aa2-4d5e6f708192",
  apiKeyId: "019a9d3e-7d3a-7f4c-8bb3-5e6f708192a3",
  accessTokenId: "019a9d3e-8e4b-705d-9cc4-6f708192a3b4",
  memberId: "019a9d3f-9f5c-716e-8dd5-708192a3b4c5",
  invitationId: "019a9d3f-a06d-727f-9ee6-8192a3b4c5d6",
  otherTagId: "019a9d3f-b17e-7380-8ff7-92a3b4c5d6e7",
  otherAuthorId: "019a9d3f-c28f-7491-9008-a3b4c5d6e7f8",
  eventId: "019a9d3d-1c22-7b5d-8e4f-60718293a4b5",
  host: "journal.example.com",
  importId: "019a9d40-06c3-78d5-a44c-e7f8091a2b3c",
  redirectId: "019a9d3f-f5b2-77c4-933b-d6e7f8091a2b",
  contactId: "019a9d3f-e4a1-76b3-822a-c5d6e7f8090a",
  mediaId: "019a9d3f-d390-75a2-8119-b4c5d6e7f809",
};

const id = (name: string): string => SAMPLE_IDS[name] ?? "";

export type Sample = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The same by the command line, without the program's name. */
  readonly command?: string;
};

const IN_BLOG = { query: { blogId: id("blogId") } };

const SAMPLES: Readonly<Record<string, Sample>> = {
  "articles.list": {
    query: { blogId: id("blogId"), limit: "20" },
    command: `articles list --blog ${id("blogId")} --limit 20`,
  },
  "articles.save": {
    body: {
      blogId: id("blogId"),
      title: "Slow mornings in Porto",
      description: "Six walks that begin before the city does.",
      content: "# Slow mornings\n\nBegin at the river.",
      published: true,
    },
    command: `articles create --blog ${id("blogId")} --title "Slow mornings in Porto" --published`,
  },
  "articles.get": { command: `articles get ${id("articleId")}` },
  "articles.delete": { command: `articles delete ${id("articleId")} --yes` },
  "articles.search": {
    query: { query: "slow porto", blogId: id("blogId") },
    command: `articles search slow porto --blog ${id("blogId")}`,
  },
  "articles.bulk": {
    body: { action: "publish", articleIds: [id("articleId")] },
    command: `articles bulk publish ${id("articleId")}`,
  },
  "articles.generate": {
    body: { blogId: id("blogId"), topic: "Six morning walks in Porto", words: 300, published: false },
    command: `articles generate --blog ${id("blogId")} --topic "Six morning walks in Porto" --words 300`,
  },
  "articles.assist": {
    body: {
      blogId: id("blogId"),
      task: "shorten",
      text: "The first ferry, which is the one that leaves before all others, leaves at six.",
    },
  },
  "articles.all": { query: { limit: "20" } },
  "generations.list": { query: { limit: "20" }, command: "generations --limit 20" },
  "previews.list": { command: `articles preview list ${id("articleId")}` },
  "previews.create": {
    body: { expiresInSeconds: 86400 },
    command: `articles preview create ${id("articleId")} --expires-in 86400`,
  },
  "previews.revoke": { command: `articles preview revoke ${id("articleId")} ${id("previewId")}` },
  "revisions.list": { command: `articles revisions ${id("articleId")}` },
  "revisions.compare": { command: `articles diff ${id("articleId")} 1` },
  "revisions.restore": { command: `articles restore ${id("articleId")} 1` },
  "drafts.get": { command: `articles draft show ${id("articleId")}` },
  "drafts.save": {
    body: { title: "Slower mornings in Porto" },
    command: `articles draft save ${id("articleId")} --title "Slower mornings in Porto"`,
  },
  "drafts.publish": { body: {}, command: `articles draft publish ${id("articleId")}` },
  "drafts.discard": { command: `articles draft discard ${id("articleId")} --yes` },
  "schedules.set": {
    body: { publishTime: "2034-12-01T09:00", timeZone: "Europe/Lisbon" },
    command: `articles schedule ${id("articleId")} --publish "2034-12-01 09:00" --zone Europe/Lisbon`,
  },
  "schedules.delete": { command: `articles unschedule ${id("articleId")}` },
  "schedules.list": { ...IN_BLOG, command: `schedules --blog ${id("blogId")}` },
  "deletions.set": { body: {} },
  "blogs.list": { command: "blogs list" },
  "blogs.create": {
    body: { name: "Field Notes", locales: ["en", "de"] },
    command: `blogs create "Field Notes" --locales en,de`,
  },
  "blogs.update": {
    body: { name: "Field Notes", topicRefresh: "manual" },
    command: `blogs update ${id("blogId")} --name "Field Notes" --topic-refresh manual`,
  },
  "blogs.updateSite": {
    body: { description: "Walks, maps and mornings.", accentColor: "#0f766e", feedContent: "full" },
    command: `blogs site ${id("blogId")} --description "Walks, maps and mornings." --accent-color "#0f766e" --feed-content full`,
  },
  "blogs.site": { command: `blogs site ${id("blogId")}` },
  "embeds.create": {
    body: { url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
    command: "media embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  },
  "hosts.list": { command: `blogs hosts list --blog ${id("blogId")}` },
  "hosts.add": {
    body: { host: id("host") },
    command: `blogs hosts add ${id("host")} --blog ${id("blogId")}`,
  },
  "hosts.check": { command: `blogs hosts check ${id("host")} --blog ${id("blogId")}` },
  "hosts.remove": { command: `blogs hosts remove ${id("host")} --blog ${id("blogId")} --yes` },
  "redirects.list": { query: { query: "/2012/" }, command: `redirects list --blog ${id("blogId")} --query /2012/` },
  "redirects.add": {
    body: { from: "/2012/02/03/slow-mornings", to: "/archive" },
    command: `redirects add /2012/02/03/slow-mornings /archive --blog ${id("blogId")}`,
  },
  "redirects.addMany": { body: { redirects: [{ from: "/2012/02/03/slow-mornings", to: "/archive" }] } },
  "redirects.remove": {},
  "imports.create": { query: { fileName: "ghost.json", publication: "source" } },
  "imports.articles": { query: { lossy: "true" } },
  "blogs.movedslugs": { command: `blogs moved --blog ${id("blogId")}` },
  "blogs.show": IN_BLOG,
  "blogs.search": { query: { q: "slow porto" } },
  "tags.list": { ...IN_BLOG, command: `tags list --blog ${id("blogId")}` },
  "tags.create": {
    body: { blogId: id("blogId"), name: "Slow travel", names: { de: "Langsam reisen" } },
    command: `tags create "Slow travel" --blog ${id("blogId")} --in "de=Langsam reisen"`,
  },
  "tags.update": {
    body: { name: "Slow journeys" },
    command: `tags update ${id("tagId")} --blog ${id("blogId")} --name "Slow journeys"`,
  },
  "tags.merge": {
    body: { into: id("otherTagId") },
    command: `tags merge ${id("tagId")} ${id("otherTagId")} --blog ${id("blogId")} --yes`,
  },
  "tags.delete": { command: `tags delete ${id("tagId")} --blog ${id("blogId")} --yes` },
  "authors.list": { ...IN_BLOG, command: `authors list --blog ${id("blogId")}` },
  "authors.create": {
    body: { blogId: id("blogId"), name: "Ada Lovelace", bio: "Writes about trains." },
    command: `authors create "Ada Lovelace" --blog ${id("blogId")} --bio "Writes about trains."`,
  },
  "authors.update": {
    body: { bio: "Writes about trains and ferries." },
    command: `authors update ${id("authorId")} --blog ${id("blogId")} --bio "Writes about trains and ferries."`,
  },
  "authors.merge": {
    body: { into: id("otherAuthorId") },
    command: `authors merge ${id("authorId")} ${id("otherAuthorId")} --blog ${id("blogId")} --yes`,
  },
  "authors.delete": { command: `authors delete ${id("authorId")} --blog ${id("blogId")} --yes` },
  "topics.list": {
    query: { blogId: id("blogId"), limit: "20" },
    command: `topics list --blog ${id("blogId")} --limit 20`,
  },
  "topics.update": { body: { status: "dismissed" } },
  "topics.refresh": { body: { blogId: id("blogId") }, command: `topics refresh --blog ${id("blogId")} --no-wait` },
  "topics.research": { body: { blogId: id("blogId"), limit: 10 } },
  "contacts.import": {
    body: { blogId: id("blogId"), from: "members.csv", contacts: [{ email: "ada@example.com", state: "subscribed" }] },
  },
  "contacts.list": IN_BLOG,
  "contacts.subscribe": { body: { email: "ada@example.com", locale: "en" } },
  "contacts.create": { body: { blogId: id("blogId"), email: "ada@example.com", name: "Ada", locale: "en" } },
  "webhooksubscriptions.create": {
    body: { url: "https://example.com/hooks/edgepress", events: ["article.created", "article.updated"] },
  },
  "webhooksubscriptions.update": { body: { events: ["article.created"], active: true } },
  "deadletters.list": { command: "webhooks dead" },
  "deadletters.retry": { command: `webhooks retry ${id("deadLetterId")}` },
  "apikeys.create": { body: { name: "Website build", scopes: ["articles:read"], blogId: id("blogId") } },
  "accesstokens.create": { body: { name: "Deployment" } },
  "members.update": { body: { role: "reader" } },
  "invitations.create": { body: { email: "ada@example.com", role: "writer" } },
  "organization.update": { body: { name: "Acme" } },
  "usage.get": { command: "usage" },
  "caller.show": { command: "whoami" },
  "audit.list": { query: { limit: "20" } },
};

/** Returns what the examples of an operation send. */
export const sampleOf = (operation: Operation): Sample => SAMPLES[operation.id] ?? {};

/** Returns the value of a parameter in a path. One that has no sample of its own gets {@link UNKNOWN}. */
export function pathSample({ path }: Operation, name: string): string {
  if (name === "revision") return "1";
  if (name === "idOrSlug") return id("articleId");
  if (name === "id" && path.startsWith("/media")) return id("mediaId");
  if (name === "file") return `${id("articleId")}.md`;
  return SAMPLE_IDS[name] ?? UNKNOWN;
}

/** Nobody has it, so the test of the examples fails until the parameter has a sample and the test can make its thing. */
const UNKNOWN = "019a9d40-0000-7000-8000-000000000000";

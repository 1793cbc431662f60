/** The commands that only pass on what they are given to an operation: a row each. Those of articles: article-operations.ts. */
import type { Command } from "commander";
import type { Author, SiteHost, Tag, Usage } from "../client.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { printableLine } from "../terminal.ts";
import { ARTICLES } from "./article-operations.ts";
import { addRow, groupOf, oneOf, row, type Taken } from "./declare.ts";
import { LOCALE_COLUMN, TITLE_COLUMN } from "./find.ts";
import { listed, when, wholeNumber } from "./shared.ts";

const GROUPS: Readonly<Record<string, string>> = {
  blogs: "the blogs of your organization",
  "blogs hosts": "custom domains of a blog's site",
  articles: "the articles of a blog",
  "articles draft": "the working copy of a published article, which readers do not see",
  "articles preview": "links that show an article to people without an account",
  "articles bulk": "change many articles at once",
  tags: "the tags of a blog",
  authors: "the authors of a blog",
  redirects: "redirects of a blog's site: old paths, and where they lead",
  contacts: "contacts of a blog: who gets its emails",
  media: "the images in the organization's library",
  topics: "ideas for articles, from a blog's sources",
  webhooks: "signed events of your organization",
};

/** Returns a group of commands by its words, and makes it if there is none. */
export const group = (program: Command, words: string): Command => groupOf(program, words.split(" "), GROUPS);

const HOST: Taken = ["<host>", "the host name, such as journal.example.com"];
export const COVER: Taken = ["--cover-url <url>", "the URL of its cover image"];
export const LOCALES: Taken = ["--locales <list>", "language tags, the default first", listed];
export const VANITY_ID = "its id in /blogs/{vanityId}, which can also be a subdomain";

const BLOGS = [
  row("GET /api/blogs", "blogs list", "list the blogs", {
    example: "blogs list --json | jq -r '.[].vanityId'",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "VANITY ID", cell: ({ vanityId }) => vanityId },
      { head: "NAME", cell: ({ name }) => name, shrinks: true },
      { head: "LOCALES", cell: ({ locales }) => locales.join(", "), shrinks: true },
      { head: "EDITED", cell: ({ lastEditTime }) => when(lastEditTime), drops: true },
    ],
  }),
  row("POST /api/blogs", "blogs create", "create a blog", {
    members: {
      name: ["<name>", "its name"],
      vanityId: ["--vanity-id <label>", `${VANITY_ID} (default: from the name)`],
      locales: LOCALES,
      coverUrl: COVER,
    },
    example: 'blogs create "Field Notes" --locales en,de',
    says: ({ name, vanityId, _id }) => `Created the blog ${printableLine(`${name} (${vanityId}, ${_id})`)}.`,
  }),
  row(
    "GET /api/blogs/{blogId}/site/hosts",
    "blogs hosts list",
    "list the hosts of a blog, with the status of their DNS records",
    {
      example: "blogs hosts list --blog field-notes",
      none: "No hosts.",
      columns: [
        { head: "HOST", cell: ({ host }) => host, shrinks: true },
        { head: "STATE", cell: ({ state }) => state },
        { head: "CHECKED (UTC)", cell: ({ checkTime }) => when(checkTime) },
        { head: "NEXT (UTC)", cell: ({ nextCheckTime }) => when(nextCheckTime), drops: true },
        { head: "FOUND", cell: ({ failure }) => failure?.found.join(", ") ?? "", shrinks: true, drops: true },
      ],
    },
  ),
  row("POST /api/blogs/{blogId}/site/hosts", "blogs hosts add", "add a host, and show the DNS records to create", {
    members: { host: HOST },
    example: "blogs hosts add journal.example.com --blog field-notes",
    says: ({ records }) =>
      records.map((each) => [each.type, each.name, each.value].map(printableLine).join("  ")).join("\n"),
    after: (_, output) =>
      output.note("Create these DNS records. The site is shown there once the first of them is found."),
  }),
  row("POST /api/blogs/{blogId}/site/hosts/{host}/check", "blogs hosts check", "check the DNS record of a host now", {
    members: { host: HOST },
    example: "blogs hosts check journal.example.com --blog field-notes",
    says: (host) => checked(host).map(printableLine).join("\n"),
  }),
  row(
    "DELETE /api/blogs/{blogId}/site/hosts/{host}",
    "blogs hosts remove",
    "remove a host; the site is no longer shown there",
    {
      members: { host: HOST },
      example: "blogs hosts remove journal.example.com --blog field-notes --yes",
      asks: ({ host }) => `Remove ${printableLine(String(host))}? The blog's site will no longer be shown there.`,
      says: (_, { host }) => `Removed ${printableLine(String(host))}.`,
    },
  ),
];

function checked({ host, records: [proof], failure }: SiteHost): string[] {
  if (failure === null) return [`${host} is verified.`];
  if (failure.reason === "host_taken") {
    return [`${host} shows another blog, whose record was found, too. Remove that record:`, ...failure.found];
  }
  const found = failure.found.length === 0 ? "No record was found." : `Found instead: ${failure.found.join(", ")}`;
  return [`The TXT record ${proof?.name ?? ""} does not have the value ${proof?.value ?? ""}. ${found}`];
}

const limit = (otherwise?: number) => ["--limit <n>", "the most to list", wholeNumber(1, 100_000), otherwise] as const;

const TERM_COLUMNS = [
  { head: "SLUG", cell: ({ slug }: Tag | Author) => slug, shrinks: true },
  { head: "NAME", cell: ({ name }: Tag | Author) => name, shrinks: true },
  { head: "ARTICLES", cell: ({ articles }: Tag | Author) => String(articles) },
  { head: "PUBLISHED", cell: ({ publishedArticles }: Tag | Author) => String(publishedArticles) },
  { head: "ID", cell: ({ _id }: Tag | Author) => _id },
];

const OTHERS = [
  row("GET /api/schedules", "schedules", "list schedules, next first", {
    anyBlog: true,
    members: {
      state: oneOf("--state <state>", "only schedules in this state", ["waiting", "failed"]),
      limit: limit(20),
    },
    example: "schedules --state failed",
    none: "Nothing is scheduled.",
    one: "schedule",
    columns: [
      { head: "ARTICLE", cell: ({ articleId }) => articleId },
      { head: "NEXT (UTC)", cell: ({ dueTime }) => when(dueTime) },
      { head: "ACTION", cell: ({ publishTime }) => (publishTime === null ? "unpublish" : "publish") },
      { head: "UNPUBLISH (UTC)", cell: ({ unpublishTime }) => when(unpublishTime) },
      { head: "STATE", cell: (each) => each.failure?.code ?? each.state },
      LOCALE_COLUMN,
      TITLE_COLUMN,
    ],
  }),
  row("GET /api/tags", "tags list", "list the tags of a blog, with how many articles have them", {
    anyBlog: false,
    isDefault: true,
    none: "The blog has no tags.",
    columns: TERM_COLUMNS,
  }),
  row("GET /api/authors", "authors list", "list the authors of a blog, with how many articles have them", {
    anyBlog: false,
    isDefault: true,
    none: "The blog has no authors.",
    columns: TERM_COLUMNS,
  }),
  row("POST /api/blogs/{blogId}/redirects", "redirects add", "add a redirect", {
    members: {
      from: ["<from>", "the old path, such as /2012/02/old-name"],
      to: ["[to]", "the new path, or an https URL; or name an article with --article"],
      articleId: ["--article <id>", "the article that it leads to, whatever its slug is"],
    },
    example: "redirects add /2012/02/old-name /en/new-name --blog field-notes",
    says: ({ from, to, articleId }) =>
      `${printableLine(from)} leads to ${printableLine(to ?? `the article ${articleId}`)}.`,
    after: ({ overridden }, output) => void (overridden && output.warn(OVERRIDDEN)),
  }),
  row("GET /api/media", "media list", "list the images, newest first", {
    isDefault: true,
    members: {
      query: ["--query <words>", "only images with all these words in their name or alt text"],
      limit: limit(),
    },
    none: "No images.",
    columns: [
      { head: "NAME", cell: ({ name }) => name, shrinks: true },
      { head: "ALT", cell: ({ alt }) => alt, shrinks: true },
      { head: "PIXELS", cell: ({ width, height }) => `${width}x${height}` },
      { head: "ARTICLES", cell: ({ articles }) => String(articles) },
      { head: "URL", cell: ({ url }) => url },
    ],
  }),
  row(
    "POST /api/embeds",
    "media embed",
    "get the title and image of a video, a sound or code, and print the Markdown of its card",
    {
      members: { url: ["<url>", "its address"] },
      says: ({ markdown }) => markdown,
    },
  ),
  row("GET /api/topics", "topics list", "list the ideas, best first", {
    anyBlog: false,
    members: {
      status: oneOf("--status <status>", "only ideas with this status", ["new", "used", "dismissed"]),
      limit: limit(20),
    },
    example: "topics list --blog field-notes --status new --limit 5",
    none: "No ideas.",
    one: "idea",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "STATUS", cell: ({ status }) => status },
      { head: "SOURCE", cell: ({ source }) => source.name, shrinks: true },
      TITLE_COLUMN,
    ],
  }),
  row("GET /api/deadletters", "webhooks dead", "list events that the service could not send, newest first", {
    operator: true,
    members: { limit: limit(20) },
    help: "\nExample:\n  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks dead",
    none: "No dead letters.",
    one: "dead letter",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "EVENT", cell: ({ event }) => event },
      { head: "SUBSCRIPTION", cell: ({ webhookSubscriptionId: id }) => id ?? "all", shrinks: true },
      { head: "ATTEMPTS", cell: ({ tries }) => String(tries) },
      { head: "DEAD SINCE", cell: ({ deadTime }) => when(deadTime) },
    ],
  }),
  row("POST /api/deadletters/{deadLetterId}/retry", "webhooks retry", "retry it", {
    operator: true,
    members: { deadLetterId: ["<id>", "the id that `webhooks dead` shows"] },
    help: "\nExample:\n  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks retry 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
    says: ({ event }) => `${event} will be retried within a minute.`,
  }),
  row("GET /api/generations", "generations", "list what models have written, and what it cost", {
    members: {
      state: oneOf("--state <state>", "only generations in this state", ["running", "stored", "answered", "failed"]),
      limit: limit(20),
    },
    example: "generations --json | jq 'map(.cost) | add'",
    none: "No generations.",
    one: "generation",
    columns: [
      { head: "STARTED (UTC)", cell: ({ creationTime }) => when(creationTime) },
      { head: "OUTCOME", cell: ({ state, code }) => code ?? state },
      { head: "MODEL", cell: ({ model }) => model, shrinks: true },
      { head: "TOKENS", cell: (each) => (each.inputTokens + each.outputTokens).toLocaleString("en") },
      { head: "US$", cell: ({ cost }) => (cost === null ? "" : cost.toFixed(4)) },
      { head: "ARTICLE", cell: ({ articleId }) => articleId ?? "", drops: true },
    ],
  }),
  row("GET /api/usage", "usage", "show how much the organization uses of its quotas", {
    example: "usage --json | jq .eventsPerDay.used",
    says: (usage, _, output) => quotas(usage, output),
    after({ deliveriesPerDay: { waitingSince } }, output) {
      if (waitingSince !== null)
        output.warn(`Events have been waiting for the next day's deliveries since ${when(waitingSince)} UTC.`);
    },
  }),
];

export const OVERRIDDEN = "The site has an article or a page at this path, which readers see instead.";

const QUOTAS: Readonly<Record<keyof Usage, string>> = {
  articles: "articles",
  articleBytes: "bytes of articles",
  answerBytes: "bytes of kept responses",
  mediaBytes: "bytes of images",
  revisionBytes: "bytes of earlier versions",
  contacts: "contacts",
  blogs: "blogs",
  credentials: "credentials",
  subscriptions: "webhook subscriptions",
  eventsPerDay: "events today",
  ideasPerDay: "topic ideas today",
  deliveriesPerDay: "deliveries today",
  requestsPerMinute: "requests a minute",
};

function quotas(usage: Usage, output: Output): string {
  type Row = { readonly name: keyof Usage } & Usage[keyof Usage];
  const rows = (Object.keys(QUOTAS) as (keyof Usage)[]).map((name): Row => Object.assign({ name }, usage[name]));
  const amount = ({ name }: Row, number: number): string =>
    name.endsWith("Bytes")
      ? `${(Math.ceil((number / 1024 / 1024) * 10) / 10).toLocaleString("en")} MiB`
      : number.toLocaleString("en");
  return output.table<Row>(
    [
      { head: "QUOTA", cell: ({ name }) => QUOTAS[name], shrinks: true },
      { head: "USED", cell: (row) => (row.used === null ? "not reported" : amount(row, row.used)) },
      { head: "LIMIT", cell: (row) => amount(row, row.limit) },
      { head: "RESETS (UTC)", cell: (row) => ("resetTime" in row ? when(row.resetTime) : ""), drops: true },
    ],
    rows,
  );
}

export function addOperations(program: Command, context: Context): void {
  for (const each of [...BLOGS, ...ARTICLES, ...OTHERS]) {
    const words = each.name.split(" ");
    addRow(groupOf(program, words.slice(0, -1), GROUPS), words.at(-1) ?? "", each, context);
  }
}

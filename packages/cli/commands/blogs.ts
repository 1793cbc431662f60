import { Option, type Command } from "commander";
import type { BlogChange, MovedSlug, Site, SiteChange, SiteHost } from "../client.ts";
import type { Context } from "../context.ts";
import type { Column } from "../table.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, declare, getGroup, makeChoice, defineRow, type Taken } from "./declare.ts";
import { LOCALE_COLUMN, SLUG_COLUMN, STATUS_COLUMN } from "./find.ts";
import {
  BLOG,
  omitUndefined,
  readJson,
  parseList,
  fillPath,
  REDIRECTS_FORMAT,
  requireChanges,
  formatTime,
} from "./shared.ts";

export const NAMED: Taken = ["<blog>", "its id or vanityId"];
const HOST: Taken = ["<host>", "the host name, such as journal.example.com"];
const COVER: Taken = ["--cover-url <url>", "the URL of its cover image"];
const LOCALES: Taken = ["--locales <list>", "language tags, the default first", parseList];
const VANITY_ID = "its id in /blogs/{vanityId}, which can also be a subdomain";

const BLOGS = [
  defineRow("GET /api/blogs", "blogs list", "list the blogs", {
    example: "blogs list --json | jq -r '.[].vanityId'",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "VANITY ID", cell: ({ vanityId }) => vanityId },
      { head: "NAME", cell: ({ name }) => name, shrinks: true },
      { head: "LOCALES", cell: ({ locales }) => locales.join(", "), shrinks: true },
      { head: "EDITED", cell: ({ lastEditTime }) => formatTime(lastEditTime), drops: true },
    ],
  }),
  defineRow("POST /api/blogs", "blogs create", "create a blog", {
    members: {
      name: ["<name>", "its name"],
      vanityId: ["--vanity-id <label>", `${VANITY_ID} (default: from the name)`],
      locales: LOCALES,
      coverUrl: COVER,
    },
    example: 'blogs create "Field Notes" --locales en,de',
    says: ({ name, vanityId, _id }) => `Created the blog ${toPrintableLine(`${name} (${vanityId}, ${_id})`)}.`,
  }),
  defineRow(
    "GET /api/blogs/{blogId}/site/hosts",
    "blogs hosts list",
    "list the hosts of a blog, with the status of their DNS records",
    {
      example: "blogs hosts list --blog field-notes",
      none: "No hosts.",
      columns: [
        { head: "HOST", cell: ({ host }) => host, shrinks: true },
        { head: "STATE", cell: ({ state }) => state },
        { head: "CHECKED (UTC)", cell: ({ checkTime }) => formatTime(checkTime) },
        { head: "NEXT (UTC)", cell: ({ nextCheckTime }) => formatTime(nextCheckTime), drops: true },
        { head: "FOUND", cell: ({ failure }) => failure?.found.join(", ") ?? "", shrinks: true, drops: true },
      ],
    },
  ),
  defineRow(
    "POST /api/blogs/{blogId}/site/hosts",
    "blogs hosts add",
    "add a host, and show the DNS records to create",
    {
      members: { host: HOST },
      example: "blogs hosts add journal.example.com --blog field-notes",
      says: ({ records }) =>
        records.map((each) => [each.type, each.name, each.value].map(toPrintableLine).join("  ")).join("\n"),
      after: (_, output) =>
        output.note("Create these DNS records. The site is shown there once the first of them is found."),
    },
  ),
  defineRow(
    "POST /api/blogs/{blogId}/site/hosts/{host}/check",
    "blogs hosts check",
    "check the DNS record of a host now",
    {
      members: { host: HOST },
      example: "blogs hosts check journal.example.com --blog field-notes",
      says: (host) => describeHost(host).map(toPrintableLine).join("\n"),
    },
  ),
  defineRow(
    "DELETE /api/blogs/{blogId}/site/hosts/{host}",
    "blogs hosts remove",
    "remove a host; the site is no longer shown there",
    {
      members: { host: HOST },
      example: "blogs hosts remove journal.example.com --blog field-notes --yes",
      asks: ({ host }) => `Remove ${toPrintableLine(String(host))}? The blog's site will no longer be shown there.`,
      says: (_, { host }) => `Removed ${toPrintableLine(String(host))}.`,
    },
  ),
];

function describeHost({ host, records: [proof], failure }: SiteHost): string[] {
  if (failure === null) return [`${host} is verified.`];
  if (failure.reason === "host_taken") {
    return [`${host} shows another blog, whose record was found, too. Remove that record:`, ...failure.found];
  }
  const found = failure.found.length === 0 ? "No record was found." : `Found instead: ${failure.found.join(", ")}`;
  return [`The TXT record ${proof?.name ?? ""} does not have the value ${proof?.value ?? ""}. ${found}`];
}

export function addBlogCommands(program: Command, context: Context): void {
  addRows(program, context, BLOGS);
  const blogs = getGroup(program, "blogs");
  const changes: readonly Taken[] = [
    NAMED,
    ["--name <name>", "its name"],
    ["--vanity-id <label>", VANITY_ID],
    LOCALES,
    COVER,
    ["--style-guide <file>", "a JSON file with its style guide: text, and what to avoid; - for standard input"],
    ["--topic-sources <file>", "a JSON file with the sources of its topic ideas; - for standard input"],
    makeChoice("--topic-refresh <how>", "when to read them", ["manual", "daily"]),
  ];
  declare(blogs, "update", "change a blog; options that are left out change nothing", {
    takes: changes,
    help: UPDATE_EXAMPLES,
    run: (named: string, options: ChangeOptions) => update(context, named, options),
  });
  const settings: readonly Taken[] = [
    NAMED,
    ["--on", "show the blog at its vanityId"],
    new Option("--off", "show no site; feeds and the API still work").conflicts("on"),
    ["--description <text>", "its description, on the site and in feeds"],
    ["--site-url <url>", 'the URL of your own site; "" for the service\'s'],
    ["--article-path <path>", "the path of an article on that site, such as /{locale}/{slug}"],
    makeChoice("--feed-content <how>", "how much of an article feeds contain", ["full", "excerpt"]),
    ["--accent-color <color>", 'the color of links, as #rrggbb; "" for the theme\'s'],
    makeChoice("--font <font>", "the typeface of the site", ["serif", "sans"]),
    ["--logo-url <url>", 'the URL of an image to show instead of the name; "" for none'],
    ["--newsletter <text>", 'what subscribers get, for a Subscribe field; "" for no field'],
    ["--menu <file>", "a JSON file with the whole menu; - for standard input"],
  ];
  declare(blogs, "site", "show the settings of a blog's site; with options, change them", {
    takes: settings,
    help: SITE_EXAMPLES,
    run: (named: string, options: SiteOptions) => showOrChangeSite(context, named, options),
  });
  declare(blogs, "moved", "list the previous slugs of a blog, and the current ones", {
    takes: [BLOG, ...REDIRECTS_FORMAT],
    example: "blogs moved --blog field-notes --format redirects > public/_redirects",
    run: (options: Options) => listMoved(context, options),
  });
}

const UPDATE_EXAMPLES = `
Examples:
  $ edgepress blogs update field-notes --locales en,de,ja
  $ echo '{"avoid": [{"term": "utilize", "use": "use"}]}' | edgepress blogs update field-notes --style-guide -
  $ echo '[{"kind": "hackernews", "query": "ferries"}]' | edgepress blogs update field-notes --topic-sources -`;

const SITE_EXAMPLES = `
Examples:
  $ edgepress blogs site field-notes
  $ edgepress blogs site field-notes --font sans --accent-color '#0f766e'
  $ echo '[{"label": "About", "url": "/en/about"}]' | edgepress blogs site field-notes --menu -`;

type Files = { readonly styleGuide?: string; readonly topicSources?: string };
type ChangeOptions = Omit<BlogChange, keyof Files> & Files;

async function update(context: Context, named: string, options: ChangeOptions): Promise<void> {
  const { styleGuide: guide, topicSources: sources, ...members } = options;
  const styleGuide = guide === undefined ? undefined : await readJson(guide, context);
  const topicSources = sources === undefined ? undefined : await readJson(sources, context);
  const body = omitUndefined({ ...members, styleGuide, topicSources }) as BlogChange;
  requireChanges(body);
  const params = { blogId: await context.blog(named) };
  const client = await context.client();
  const { etag } = await client.request("GET /api/blogs/{blogId}", { params });
  const { value } = await client.request("PUT /api/blogs/{blogId}", { params, body, ifMatch: etag });
  const { name, vanityId, _id } = value;
  context.output.result(value, () => `Updated the blog ${toPrintableLine(`${name} (${vanityId}, ${_id})`)}.`);
}

type SiteOptions = Pick<
  SiteChange,
  "description" | "siteUrl" | "articlePath" | "feedContent" | "accentColor" | "font" | "logoUrl" | "newsletter"
> & { readonly on?: true; readonly off?: true; readonly menu?: string };

async function showOrChangeSite(
  context: Context,
  named: string,
  { on, off, menu: file, ...members }: SiteOptions,
): Promise<void> {
  const menu = file === undefined ? undefined : await readJson(file, context);
  const body = omitUndefined({ ...members, enabled: on ?? (off && false), menu }) as SiteChange;
  const params = { blogId: await context.blog(named) };
  const client = await context.client();
  const { value: stored, etag } = await client.request("GET /api/blogs/{blogId}/site", { params });
  if (Object.keys(body).length === 0) return show(context, stored);
  const { value } = await client.request("PUT /api/blogs/{blogId}/site", { params, body, ifMatch: etag });
  show(context, value);
}

function show({ output }: Context, value: Site): void {
  const rows: [string, string][] = [
    ["address", value.url],
    ["site", value.enabled ? "on" : "off"],
    ["description", value.description],
    ["site-url", value.siteUrl],
    ["article-path", value.articlePath],
    ["feed-content", value.feedContent],
    ["accent-color", value.accentColor],
    ["font", value.font],
    ["logo-url", value.logoUrl],
    ["newsletter", value.newsletter],
    ["menu", value.menu.map(({ label, url }) => `${label} (${url})`).join(", ")],
  ];
  output.result(value, () =>
    output.table(
      [
        { head: "SETTING", cell: ([name]) => name },
        { head: "VALUE", cell: ([, setting]) => setting, shrinks: true },
      ],
      rows,
    ),
  );
}

type Options = { readonly blog?: string; readonly format?: "redirects"; readonly path: string };

async function listMoved(context: Context, { blog, format, path: place }: Options): Promise<void> {
  const { output } = context;
  const blogId = await context.blog(blog);
  const client = await context.client();
  const found = await client.list("GET /api/blogs/{blogId}/movedslugs", { params: { blogId } }).all();
  if (format === "redirects" && !output.json) return output.raw(formatRedirects(found, place));
  const columns: readonly Column<MovedSlug>[] = [
    SLUG_COLUMN,
    LOCALE_COLUMN,
    { head: "CURRENT SLUG", cell: ({ to }) => to.slug, shrinks: true },
    { head: "CURRENT LOCALE", cell: ({ to }) => to.locale },
    STATUS_COLUMN,
  ];
  output.list(found, columns, "No previous slugs.");
}

/**
 * Returns the lines of a `_redirects` file for the former slugs of published articles. Without `{locale}` in `place`,
 * slugs of several locales may share a path: the first one counts.
 */
function formatRedirects(found: readonly MovedSlug[], place: string): string {
  const lines = new Map<string, string>();
  for (const { slug, locale, to, published } of found) {
    const [from, target] = [fillPath(place, { slug, locale }), fillPath(place, to)];
    if (published && from !== target && !lines.has(from)) lines.set(from, `${from} ${target} 301\n`);
  }
  return [...lines.values()].join("");
}

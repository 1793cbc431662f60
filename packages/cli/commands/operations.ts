/** The commands that only pass on what they are given to an operation: one row each. */
import { Argument, type Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { SiteHost } from "../client.ts";
import type { Context } from "../context.ts";
import { printable, printableLine } from "../terminal.ts";
import { addRow, groupOf, row, type Taken } from "./declare.ts";
import { nameOf, stateOf, textRows, TITLE_COLUMN } from "./find.ts";
import { OTHERS } from "./operations-more.ts";
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

const number = () => new Argument("<number>", "a version, by its number").argParser(wholeNumber(1, 999_999_999));
const HOST: Taken = ["<host>", "the host name, such as journal.example.com"];
export const COVER: Taken = ["--cover-url <url>", "the URL of its cover image"];
export const LOCALES: Taken = ["--locales <list>", "language tags, the default first", listed];
export const VANITY_ID = "its id in /blogs/{vanityId}, which can also be a subdomain";

const named = ({ article }: { readonly article?: Parameters<typeof nameOf>[0] | undefined }): string =>
  article === undefined ? "" : nameOf(article);

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

const ARTICLES = [
  row("DELETE /api/articles/{idOrSlug}", "articles delete", "delete an article permanently", {
    version: "article",
    example: "articles delete slow-mornings --blog field-notes --locale de --yes",
    asks: (given) => `Delete ${named(given)} for good?`,
    says: (_, given) => `Deleted ${named(given)}.`,
  }),
  row(
    "GET /api/articles/{articleId}/revisions",
    "articles revisions",
    "list the earlier versions of an article, newest first",
    {
      alias: "history",
      example: "articles revisions slow-mornings --blog field-notes",
      none: "No earlier versions.",
      columns: [
        { head: "VERSION", cell: (state) => String(state.number) },
        { head: "SAVED", cell: ({ lastEditTime }) => when(lastEditTime) },
        { head: "BY", cell: ({ by }) => (by === null ? "" : `${by.kind} ${by.id}`), drops: true },
        { head: "STATUS", cell: ({ published, workingCopy }) => (workingCopy ? "working copy" : stateOf(published)) },
        TITLE_COLUMN,
      ],
    },
  ),
  row(
    "GET /api/articles/{articleId}/revisions/{revision}/diff",
    "articles diff",
    "show how an earlier version differs from the article, or from another version",
    {
      members: { revision: number(), with: ["--with <number>", "the other version", wholeNumber(1, 999_999_999)] },
      example: "articles diff slow-mornings 2 --blog field-notes",
      says({ fields, content }) {
        const members = fields.map(({ name, before, after }) => `${name}\n-${before}\n+${after}\n`);
        const lines = content === null ? "content\nToo many lines differ.\n" : content.unified;
        const shown = [...members, lines].filter((part) => part !== "").join("\n");
        return shown === "" ? "No differences." : printable(shown.trimEnd());
      },
    },
  ),
  row(
    "POST /api/articles/{articleId}/revisions/{revision}/restore",
    "articles restore",
    "restore the texts of an earlier version; the article stays published, or a draft",
    {
      members: { revision: number() },
      version: "article",
      example: "articles restore slow-mornings 2 --blog field-notes",
      says: (value, { revision }) =>
        `${nameOf(value)} now has the texts of version ${String(revision)}: ${stateOf(value.published)}.`,
    },
  ),
  row("GET /api/articles/{articleId}/draft", "articles draft show", "show the article as it would be published", {
    example: "articles draft show slow-mornings --json | jq .changed",
    says(copy, _, output) {
      const shown = output.members([
        ["id", copy.articleId],
        ...textRows(copy),
        ["changed", copy.changed.join(", ")],
        ["saved", when(copy.lastEditTime)],
        ["article has changed", copy.articleChanged ? "yes" : "no"],
      ]);
      return `${shown}\n\n${printable(copy.content)}`;
    },
  }),
  row(
    "DELETE /api/articles/{articleId}/draft",
    "articles draft discard",
    "delete the working copy; the article stays as it is",
    {
      version: "draft",
      example: "articles draft discard slow-mornings --yes",
      asks: (given) => `Discard the working copy of ${named(given)}?`,
      says: (_, given) => `Discarded the working copy of ${named(given)}.`,
    },
  ),
  row("POST /api/articles/{articleId}/draft/publish", "articles draft publish", "publish the working copy", {
    members: { overwrite: ["--overwrite", "even if the article has changed since the copy was started"] },
    version: "draft",
    example: "articles draft publish slow-mornings --blog field-notes",
    says: (value) => `${nameOf(value)} is published as in its working copy.`,
  }),
  row("POST /api/articles/{articleId}/previews", "articles preview create", "create a link; it is shown once", {
    members: {
      expiresInSeconds: [
        "--expires-in <seconds>",
        "how long it works, 30 days at most",
        wholeNumber(LIMITS.previewSecondsLeast, LIMITS.previewSecondsMost),
        LIMITS.previewSeconds,
      ],
    },
    example: "articles preview create slow-mornings --expires-in 86400",
    says: ({ url }) => url,
    after: ({ expirationTime }, output) => output.note(`It works until ${when(expirationTime)} (UTC).`),
  }),
  row(
    "GET /api/articles/{articleId}/previews",
    "articles preview list",
    "list the links that have not expired, without their tokens",
    {
      example: "articles preview list slow-mornings --json",
      none: "No preview links.",
      columns: [
        { head: "ID", cell: ({ _id }) => _id },
        { head: "EXPIRES (UTC)", cell: ({ expirationTime }) => when(expirationTime) },
        { head: "CREATED (UTC)", cell: ({ creationTime }) => when(creationTime), drops: true },
        { head: "CREATED BY", cell: ({ actor }) => actor.kind },
      ],
    },
  ),
  row("DELETE /api/articles/{articleId}/previews/{previewId}", "articles preview revoke", "revoke a link at once", {
    members: { previewId: ["<preview-id>", "the id of the link, as `list` shows it"] },
    example: "articles preview revoke slow-mornings 019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
    says: (_, { previewId }) => `Revoked the link ${printableLine(String(previewId))}.`,
  }),
];

export function addOperations(program: Command, context: Context): void {
  for (const each of [...BLOGS, ...ARTICLES, ...OTHERS]) {
    const words = each.name.split(" ");
    addRow(groupOf(program, words.slice(0, -1), GROUPS), words.at(-1) ?? "", each, context);
  }
}

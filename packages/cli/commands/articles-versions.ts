/** The commands `articles delete`, `revisions`, `diff`, `restore`, `draft` and `preview`. */
import { Argument, type Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Context } from "../context.ts";
import { printable, printableLine } from "../terminal.ts";
import { addRows, row } from "./declare.ts";
import { nameOf, stateOf, textRows, TITLE_COLUMN } from "./find.ts";
import { versionNumber, when, wholeNumber } from "./shared.ts";

const versionArgument = () => new Argument("<number>", "a version, by its number").argParser(versionNumber);
const nameArticle = ({ article }: { readonly article?: Parameters<typeof nameOf>[0] | undefined }): string =>
  article === undefined ? "" : nameOf(article);

export function addVersionCommands(program: Command, context: Context): void {
  addRows(program, context, VERSIONS);
}

const VERSIONS = [
  row("DELETE /api/articles/{idOrSlug}", "articles delete", "delete an article permanently", {
    version: "article",
    example: "articles delete slow-mornings --blog field-notes --locale de --yes",
    asks: (given) => `Delete ${nameArticle(given)} for good?`,
    says: (_, given) => `Deleted ${nameArticle(given)}.`,
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
      members: { revision: versionArgument(), with: ["--with <number>", "the other version", versionNumber] },
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
      members: { revision: versionArgument() },
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
      asks: (given) => `Discard the working copy of ${nameArticle(given)}?`,
      says: (_, given) => `Discarded the working copy of ${nameArticle(given)}.`,
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

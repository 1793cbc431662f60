/** The commands `articles delete`, `trash`, `revisions`, `diff`, `restore`, `draft` and `preview`. */
import { Argument, type Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import { capitalize } from "../../../src/lib/text.ts";
import type { Context } from "../context.ts";
import { toPrintable, toPrintableLine } from "../terminal.ts";
import { addRows, defineRow, makeChoice } from "./declare.ts";
import { formatName, formatState, listTexts, LOCALE_COLUMN, STATUS_COLUMN, TITLE_COLUMN } from "./find.ts";
import { limit, parseTime, versionNumber, formatTime, wholeNumber } from "./shared.ts";

const versionArgument = () => new Argument("<number>", "a version, by its number").argParser(versionNumber);
const nameArticle = ({ article }: { readonly article?: Parameters<typeof formatName>[0] | undefined }): string =>
  article === undefined ? "" : formatName(article);

type Passage = {
  readonly firstLine: number;
  readonly lines: number;
  readonly by: { readonly kind: string; readonly id: string } | null;
  readonly byModel: boolean | null;
  readonly model: string | null;
  readonly application: string | null;
  readonly time: string | null;
};

/** Such as `12-14  Claude (AI)  2026-11-20 09:52`. */
function describePassage({ firstLine, lines, by, byModel, model, application, time }: Passage): string {
  const place = lines === 1 ? String(firstLine) : `${firstLine}-${firstLine + lines - 1}`;
  const writer = model ?? application ?? (by === null ? "unknown" : `${by.kind} ${by.id}`);
  const when = time === null ? "" : `  ${formatTime(time)}`;
  return toPrintableLine(`${place}  ${writer}${byModel ? " (AI)" : ""}${when}`);
}

const DELETED = ["<id>", "the id of the article, as `list` shows it"] as const;

export function addVersionCommands(program: Command, context: Context): void {
  addRows(program, context, VERSIONS);
}

const VERSIONS = [
  defineRow("DELETE /api/articles/{idOrSlug}", "articles delete", "delete an article; it can be restored for 30 days", {
    version: "article",
    example: "articles delete slow-mornings --blog field-notes --locale de --yes",
    asks: (given) => `Delete ${nameArticle(given)}?`,
    says: (_, given) =>
      `Deleted ${nameArticle(given)}. To restore it: edgepress articles trash restore ${given.article?._id}`,
  }),
  defineRow("GET /api/trash", "articles trash list", "list deleted articles, the last one first", {
    anyBlog: true,
    members: { limit: limit(20) },
    help: "\nWithout --blog, it lists those of all blogs.\n\nExample:\n  $ edgepress articles trash list --blog field-notes",
    none: "The trash is empty.",
    one: "article",
    columns: [
      { head: "ARTICLE", cell: ({ articleId }) => articleId },
      { head: "DELETED (UTC)", cell: ({ deletionTime }) => formatTime(deletionTime) },
      { head: "KEPT UNTIL (UTC)", cell: ({ dueTime }) => formatTime(dueTime), drops: true },
      STATUS_COLUMN,
      LOCALE_COLUMN,
      TITLE_COLUMN,
    ],
  }),
  defineRow("POST /api/trash/{articleId}/restore", "articles trash restore", "restore a deleted article", {
    members: {
      articleId: DELETED,
      slug: ["--slug <slug>", "another slug, if an article has taken its own"],
    },
    help: "\nIt is as it was, without its schedule and preview links, which ended when it was deleted.\n\nExample:\n  $ edgepress articles trash restore 019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
    says: (value) => `Restored ${formatName(value)}: ${formatState(value.published)}.`,
    after: (_, output) => output.note("If it had a schedule or preview links, they ended when it was deleted."),
  }),
  defineRow("DELETE /api/trash/{articleId}", "articles trash delete", "delete a deleted article for good", {
    members: { articleId: DELETED },
    example: "articles trash delete 019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d --yes",
    asks: ({ articleId }) => `Delete ${toPrintableLine(String(articleId))} for good?`,
    says: (value) => `Deleted ${value._id} for good.`,
  }),
  defineRow(
    "GET /api/articles/{articleId}/revisions",
    "articles revisions",
    "list the earlier versions of an article, newest first",
    {
      alias: "history",
      example: "articles revisions slow-mornings --blog field-notes",
      none: "No earlier versions.",
      columns: [
        { head: "VERSION", cell: (state) => String(state.number) },
        { head: "SAVED", cell: ({ lastEditTime }) => formatTime(lastEditTime) },
        { head: "BY", cell: ({ by }) => (by === null ? "" : `${by.kind} ${by.id}`), drops: true },
        {
          head: "STATUS",
          cell: ({ published, workingCopy }) => (workingCopy ? "working copy" : formatState(published)),
        },
        TITLE_COLUMN,
      ],
    },
  ),
  defineRow(
    "GET /api/articles/{articleId}/passages",
    "articles passages",
    "show who wrote which lines of an article, and which of them a model wrote",
    {
      example: "articles passages slow-mornings --blog field-notes",
      says: ({ passages }) =>
        passages === null ? "It has too many lines." : passages.map((passage) => describePassage(passage)).join("\n"),
    },
  ),
  defineRow(
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
        return shown === "" ? "No differences." : toPrintable(shown.trimEnd());
      },
    },
  ),
  defineRow(
    "POST /api/articles/{articleId}/revisions/{revision}/restore",
    "articles restore",
    "restore the texts of an earlier version; the article stays published, or a draft",
    {
      members: { revision: versionArgument() },
      version: "article",
      example: "articles restore slow-mornings 2 --blog field-notes",
      says: (value, { revision }) =>
        `${formatName(value)} now has the texts of version ${String(revision)}: ${formatState(value.published)}.`,
    },
  ),
  defineRow("GET /api/articles/{articleId}/draft", "articles draft show", "show the article as it would be published", {
    example: "articles draft show slow-mornings --json | jq .changed",
    says(copy, _, output) {
      const shown = output.members([
        ["id", copy.articleId],
        ...listTexts(copy),
        ["changed", copy.changed.join(", ")],
        ["saved", formatTime(copy.lastEditTime)],
        ["article has changed", copy.articleChanged ? "yes" : "no"],
      ]);
      return `${shown}\n\n${toPrintable(copy.content)}`;
    },
  }),
  defineRow(
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
  defineRow("POST /api/articles/{articleId}/draft/publish", "articles draft publish", "publish the working copy", {
    members: { overwrite: ["--overwrite", "even if the article has changed since the copy was started"] },
    version: "draft",
    example: "articles draft publish slow-mornings --blog field-notes",
    says: (value) => `${formatName(value)} is published as in its working copy.`,
  }),
  defineRow("GET /api/approvals", "articles approval list", "list requests for approval, newest first", {
    anyBlog: true,
    members: {
      state: makeChoice("--state <state>", "only requests in this state", ["waiting", "declined"]),
      limit: limit(20),
    },
    example: "articles approval list --state waiting",
    none: "Nobody has asked for approval.",
    one: "request",
    columns: [
      { head: "ARTICLE", cell: ({ articleId }) => articleId },
      { head: "ASKED (UTC)", cell: ({ creationTime }) => formatTime(creationTime) },
      { head: "ACTION", cell: ({ action }) => action },
      { head: "STATE", cell: ({ state, changed }) => (changed ? `${state}, changed since` : state) },
      { head: "NOTE", cell: ({ note }) => note, drops: true },
      LOCALE_COLUMN,
      TITLE_COLUMN,
    ],
  }),
  defineRow(
    "GET /api/articles/{articleId}/approval",
    "articles approval show",
    "show what was asked about an article",
    {
      example: "articles approval show slow-mornings",
      says: (asked, _, output) =>
        output.members([
          ["action", asked.action],
          ["at", formatTime(asked.publishTime ?? asked.unpublishTime)],
          ["state", asked.state],
          ["reason", asked.declined?.reason ?? ""],
          ["note", asked.note],
          ["asked", formatTime(asked.creationTime)],
          ["article has changed", asked.changed ? "yes" : "no"],
        ]),
    },
  ),
  defineRow(
    "PUT /api/articles/{articleId}/approval",
    "articles approval request",
    "ask somebody to publish an article",
    {
      members: {
        action: makeChoice("--action <action>", "what is asked for (default: publish)", [
          "publish",
          "unpublish",
          "delete",
        ]),
        publishTime: ["--publish <time>", "when to publish it, if not at once", parseTime],
        unpublishTime: ["--unpublish <time>", "when to unpublish it", parseTime],
        timeZone: ["--zone <name>", "the time zone of local times (default: UTC)"],
        note: ["--note <text>", "for whoever approves it"],
      },
      example: 'articles approval request slow-mornings --note "The prices are those of this week."',
      says: (asked) => `Asked to ${asked.action} “${asked.title}”. Nothing changes until somebody approves it.`,
    },
  ),
  defineRow("DELETE /api/articles/{articleId}/approval", "articles approval withdraw", "withdraw a request", {
    example: "articles approval withdraw slow-mornings",
    says: (_, given) => `Withdrew the request about ${nameArticle(given)}.`,
  }),
  defineRow("POST /api/articles/{articleId}/approval/approve", "articles approval approve", "do what was asked", {
    members: {
      action: makeChoice("--action <action>", "what you approve", [
        "publish",
        "unpublish",
        "delete",
      ]).makeOptionMandatory(),
      overwrite: ["--overwrite", "even if the article has changed since its working copy was started"],
    },
    version: "approval",
    example: "articles approval approve slow-mornings --action publish",
    asks: (given) => `${capitalize(String(given["action"]))} ${nameArticle(given)}, as it is now?`,
    says: ({ action }, given) => `Approved: ${action} ${nameArticle(given)}.`,
  }),
  defineRow("POST /api/articles/{articleId}/approval/decline", "articles approval decline", "decline a request", {
    members: { reason: ["--reason <text>", "for whoever asked"] },
    version: "approval",
    example: 'articles approval decline slow-mornings --reason "Name the source of the figures."',
    says: (_, given) => `Declined the request about ${nameArticle(given)}.`,
  }),
  defineRow("POST /api/audit/undo", "undo", "undo what an app or a key has done to articles", {
    members: {
      actor: ["<actor>", "the id of the connected app or API key, as the audit log shows it"],
      from: ["--from <time>", "from when on; nothing older than 30 days is undone", parseTime],
      to: ["--to <time>", "until when (default: now)", parseTime],
      dryRun: ["--dry-run", "only say what would be undone"],
      after: ["--after <id>", "go on behind the last article of the answer before"],
    },
    help: "\nArticles that somebody else has changed since are kept, and named. 100 articles at most: the answer says how to go on.\n\nExample:\n  $ edgepress undo 019a9d3b-6c7d-7e8f-9a0b-1c2d3e4f5a6b --from 2026-12-01T08:00:00Z --dry-run",
    asks: ({ actor, dryRun }) =>
      dryRun === true ? "Look what would be undone?" : `Undo what ${toPrintableLine(String(actor))} has done?`,
    says: ({ articles, next }) =>
      [
        ...articles.map(
          ({ title, outcome, done, detail }) =>
            `${title ?? "Untitled"}: ${[outcome, ...done, detail ?? ""].filter((word) => word !== "").join(", ")}`,
        ),
        ...(articles.length === 0 ? ["It has changed no articles in this time."] : []),
        ...(next === null ? [] : [`There is more: --after ${next}`]),
      ]
        .map(toPrintableLine)
        .join("\n"),
  }),
  defineRow("POST /api/articles/{articleId}/previews", "articles preview create", "create a link; it is shown once", {
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
    after: ({ expirationTime }, output) => output.note(`It works until ${formatTime(expirationTime)} (UTC).`),
  }),
  defineRow(
    "GET /api/articles/{articleId}/previews",
    "articles preview list",
    "list the links that have not expired, without their tokens",
    {
      example: "articles preview list slow-mornings --json",
      none: "No preview links.",
      columns: [
        { head: "ID", cell: ({ _id }) => _id },
        { head: "EXPIRES (UTC)", cell: ({ expirationTime }) => formatTime(expirationTime) },
        { head: "CREATED (UTC)", cell: ({ creationTime }) => formatTime(creationTime), drops: true },
        { head: "CREATED BY", cell: ({ actor }) => actor.kind },
      ],
    },
  ),
  defineRow(
    "DELETE /api/articles/{articleId}/previews/{previewId}",
    "articles preview revoke",
    "revoke a link at once",
    {
      members: { previewId: ["<preview-id>", "the id of the link, as `list` shows it"] },
      example: "articles preview revoke slow-mornings 019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
      says: (_, { previewId }) => `Revoked the link ${toPrintableLine(String(previewId))}.`,
    },
  ),
];

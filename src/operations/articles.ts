import { article, type ArticleMember, partialArticle, toStorable, wholeArticle, writable } from "./article-members.ts";
import * as z from "zod";
import { DomainError, invalidField } from "../domain/errors.ts";
import { isId } from "../lib/ids.ts";
import { LIMITS } from "../domain/limits.ts";
import { toShortHash } from "../lib/hash.ts";
import { articleTag, blogTag } from "../domain/cache-tags.ts";
import type { MovedTo } from "../store/articles/moved.ts";
import {
  setAddresses,
  readOnlyInUpdate,
  setAddress,
  shownInUpdate,
  hideNames,
  readShown,
  toState,
  splitShown,
} from "./article-shown.ts";
import { defineOperation, definePublicOperation } from "./define.ts";
import { fallback, findMoved, toLocaleOrder } from "./fallbacks.ts";
import { blogId, dateTime, deleted, identifier, line, locale, toPageSize, paging } from "./fields.ts";
import { ids, requireOneFilter, sort, toSort } from "./article-lists.ts";
import { toListResult } from "./lists.ts";
import { findUnusedTopic } from "./unused-topic.ts";
import { requireSentBack } from "./unchanged.ts";

const INTERNAL: ReadonlySet<ArticleMember> = new Set(["schedule", "workingCopy", "createdBy", "lastEditedBy"]);

/** Throws an error on `fields` if an anonymous caller names an internal member. */
function requirePublicFields(store: object | null, asked: readonly ArticleMember[] = []): void {
  const hidden = store === null && asked.find((name) => INTERNAL.has(name));
  if (hidden) throw invalidField("fields", `${hidden} is only for callers with credentials`);
}

const FIELDS = Object.keys(wholeArticle.shape) as [keyof z.infer<typeof wholeArticle>];

const fields = z
  .array(z.enum(FIELDS))
  .min(1, "must not be empty")
  .optional()
  .meta({
    description: "The fields to return, separated by commas; those of `Article` by default.",
    example: ["_id", "title"],
  });

export type ArticleValue = z.infer<typeof article>;

export const listArticles = definePublicOperation({
  name: "articles.list",
  summary: "List the articles of a blog",
  description:
    "Newest first: by the creation time, with `sort=publishTime`, which leaves drafts out, by the publication, or with `sort=lastEditTime` by the last change. Anonymous callers receive published articles only; callers with credentials receive those of their own organization, including drafts. Any other blog gives an empty list. With `fallback`, a page may be shorter than its limit although more follow: go on until there is no `Link`.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    locale: locale.optional(),
    fallback,
    published: z.boolean().optional().meta({ description: "Only published articles, or only drafts.", example: true }),
    slug: line(LIMITS.slug).optional().meta({ description: "Only the article of this slug, in all its locales." }),
    tag: line(LIMITS.slug).optional().meta({
      description: "The slug of a tag: only articles that have it. Not together with `slug` or `author`.",
      example: "slow-travel",
    }),
    author: line(LIMITS.slug).optional().meta({ description: "The slug of an author: only their articles." }),
    ids,
    sort,
    ...paging,
    fields,
  }),
  output: z.array(partialArticle),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: {
    query: { blogId: "{blogId}", limit: "20" },
    command: "articles list --blog {blogId} --limit 20",
  },
  async run({ store, published, service: { baseUrl } }, input) {
    requirePublicFields(store, input.fields);
    const order = toLocaleOrder(input);
    if (order !== undefined && input.skip > 0) {
      throw invalidField("skip", "is not possible with `fallback`; follow the Link header (cursor)");
    }
    requireOneFilter(input);
    const { slug: only, tag, author } = input;
    const names = { slug: only?.normalize("NFC"), tag: tag?.normalize("NFC"), author: author?.normalize("NFC") };
    const found = await (store ?? published).listArticles({
      ...input,
      ...names,
      sort: toSort(input.sort),
      fallback: order,
      limit: toPageSize(input.limit),
    });
    const page = setAddresses(found, input.fields, baseUrl);
    if (store === null) for (const { value } of page.items) hideNames(value);
    return {
      ...toListResult(page, (part) => toState(part, input.fields)),
      shared: store === null && isId(input.blogId) ? [blogTag(input.blogId)] : undefined,
    };
  },
});

const { locale: anyLocale, published, cursor } = listArticles.input.shape;

export const listAllArticles = defineOperation({
  name: "articles.all",
  summary: "List the articles of all blogs",
  description:
    "Those of the organization, drafts included, newest first: by the creation time, with `sort=publishTime`, which leaves drafts out, by the publication, or with `sort=lastEditTime` by the last change. A credential pinned to one blog gets those of its blog.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ locale: anyLocale, published, ids, sort, limit: paging.limit, cursor, fields }),
  output: z.array(partialArticle),
  hasEtag: true,
  sample: { query: { limit: "20" } },
  async run({ store, service: { baseUrl } }, { sort: by, limit, ...query }) {
    const found = await store.listAllArticles({ ...query, sort: toSort(by), limit: toPageSize(limit), skip: 0 });
    return toListResult(setAddresses(found, query.fields, baseUrl), (part) => toState(part, query.fields));
  },
});

export const getArticle = definePublicOperation({
  name: "articles.get",
  summary: "Get an article by id or slug",
  description:
    "Where several blogs use a slug, it means the blog that had it first, with credentials among those of one's own organization; within that blog, the default locale takes precedence. `blogId` and `locale` narrow the search. `fallback` names locales to be shown instead, if there is none in `locale`.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    // More than a slug may have, so that a longer text is `not_found` and not invalid.
    idOrSlug: line(LIMITS.url)
      .min(1, "must not be empty")
      .meta({ description: "Identifier or slug.", example: "slow-mornings-in-porto" }),
    blogId: blogId.optional(),
    locale: locale.optional(),
    fallback,
    moved: z.enum(["follow"]).optional().meta({
      description: "`follow`: show the article that had this slug before, if no other has it, with `Content-Location`.",
      example: "follow",
    }),
    fields,
  }),
  output: partialArticle,
  refuses: ["blog_forbidden", "not_found"],
  hasEtag: true,
  sample: { command: "articles get {articleId}" },
  async run({ store, published, service: { baseUrl } }, input) {
    const { fields: shown, moved, fallback: _, ...asked } = input;
    const order = toLocaleOrder(input);
    const name = { ...asked, fallback: order };
    requirePublicFields(store, shown);
    const fields = shown && [...new Set([...shown, "_id" as const, "blogId" as const])];
    const read = store ?? published;
    const current = await read.findArticle({ ...name, fields });
    const movedTo = current === null ? await findMoved(read, asked, order ?? [asked.locale]) : null;
    if (movedTo !== null && moved !== "follow") throw makeMovedError(movedTo);
    const found = current ?? (movedTo && (await read.findArticle({ idOrSlug: movedTo.articleId, fields })));
    if (found === null) throw new DomainError("not_found", "There is no such article.");
    setAddress(found.value, baseUrl);
    if (store === null) hideNames(found.value);
    const { _id, blogId: blog } = found.value;
    const state = toState(found.value, shown);
    return {
      value: pickFields(found.value, shown),
      version: found.version,
      state: state === undefined ? undefined : await toShortHash(state),
      movedTo: movedTo ?? undefined,
      shared: store === null && _id && blog ? [blogTag(blog), articleTag(_id)] : undefined,
    };
  },
});

/** Returns the error for a previous slug. */
const makeMovedError = (movedTo: MovedTo): DomainError =>
  new DomainError("not_found", `There is no such article any more: it is now ${movedTo.slug}, in ${movedTo.locale}.`, {
    movedTo,
  });

const publishTimeMeta = {
  description:
    "When it was first public, not in the future. The first publication sets it if nobody has; null is accepted of an article that never was.",
  example: "2026-11-20T09:52:59.123Z",
};

export const saveArticle = defineOperation({
  name: "articles.save",
  summary: "Create an article, or update one",
  description:
    "Without `_id`, creates an article: omitted texts are empty, `blogId` defaults to the pinned or the only blog, `locale` to the blog's default, `slug` is derived from the title, and `published` defaults to false. With `_id`, updates one: only the fields that are sent change. Fires article.created or article.updated; an update that changes nothing fires nothing.",
  scope: "articles:draft",
  // The store refuses what else readers would see: it knows what is published.
  scopeOf: ({ published: isAsked }) => (isAsked === true ? "articles:write" : null),
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      _id: identifier("the article to update").optional(),
      blogId: blogId.optional(),
      ...writable,
      publishTime: writable.publishTime.unwrap().nullable().optional().meta(publishTimeMeta),
      ...shownInUpdate,
      creationTime: dateTime.optional().meta(readOnlyInUpdate),
      lastEditTime: dateTime.optional().meta(readOnlyInUpdate),
      topicId: identifier("a topic idea").optional().meta({
        description:
          "Only of a new article: the topic idea that it is about, which becomes `used` and names the article.",
      }),
      autosave: z.boolean().optional().meta({
        description:
          "For editors that save a draft while somebody types: `article.updated` fires within six minutes, and former states are at most one for ten minutes of typing. Of a published article it is article_changed.",
        example: false,
      }),
    })
    .meta({ id: "ArticleInput" }),
  output: article,
  refuses: [
    "blog_required",
    "immutable_field",
    "blog_forbidden",
    "not_found",
    "slug_taken",
    "term_limit",
    "article_changed",
    "topic_used",
    "quota_exceeded",
    "event_limit",
  ],
  hasEtag: true,
  bodies: {
    create: {
      summary: "Create and publish",
      value: {
        blogId: "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a",
        title: "Slow mornings in Porto",
        description: "Six walks that begin before the city does.",
        content: "# Slow mornings\n\nBegin at the river.",
        slug: "slow-mornings-in-porto",
        locale: "en",
        published: true,
      },
    },
    draft: { summary: "Create a draft", value: { title: "Slow mornings in Porto" } },
    update: {
      summary: "Update: only the fields that are sent change",
      value: { _id: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", published: true },
    },
  },
  audit: {
    "articles.create": "created *",
    "articles.update": "edited *",
    "articles.publish": "published *",
    "articles.unpublish": "unpublished *",
    "articles.autosave": "edited * (autosaved)",
  },
  sample: {
    body: {
      blogId: "{blogId}",
      title: "Slow mornings in Porto",
      description: "Six walks that begin before the city does.",
      content: "# Slow mornings\n\nBegin at the river.",
      published: true,
    },
    command: 'articles create --blog {blogId} --title "Slow mornings in Porto" --published',
  },
  async run({ store, ifMatch, service: { baseUrl } }, input) {
    const { shown: service, rest } = splitShown(input);
    const { _id, blogId: blog, creationTime, lastEditTime, publishTime, autosave: isAutosave, topicId, ...sent } = rest;
    if (topicId !== undefined && _id !== undefined) throw invalidField("topicId", "is only for a new article");
    if (isAutosave && _id === undefined) throw invalidField("autosave", "is only for an article that exists");
    if (isAutosave && sent.published) throw invalidField("published", "cannot be true in an autosave");
    const given = { ...sent, publishTime: publishTime ?? undefined };
    // Callers may send back the null of an article that was never public.
    const shown = { ...service, publishTime: publishTime === null ? null : undefined };
    await requireSentBack(shown, ifMatch, () => readShown(store, _id, baseUrl));
    const { terms, ...members } = await toStorable(
      given,
      new Date(),
      store.makeTermFinder({ articleId: _id, blogId: blog }),
    );
    if (_id !== undefined) {
      const unchanged = { blogId: blog, creationTime, lastEditTime };
      return store.updateArticle({ id: _id, fields: members, terms, unchanged, ifMatch }, { isAutosave });
    }
    const idea = topicId === undefined ? undefined : await findUnusedTopic(store, topicId, { blogId: blog });
    if (creationTime !== undefined) throw invalidField("creationTime", "is set by the service");
    if (lastEditTime !== undefined) throw invalidField("lastEditTime", "is set by the service");
    // RFC 9110, 13.1.1: a new article matches no version.
    if (ifMatch !== undefined) throw new DomainError("precondition_failed", "A new article has no version to match.");
    const slug = members.slug === undefined ? { derived: await deriveSlug(members.title) } : { given: members.slug };
    return store.createArticle({ ...members, blogId: blog ?? idea?.blogId, slug, terms, topicId });
  },
});

const deriveSlug = async (title = ""): Promise<string> => (await import("../domain/derived-names.ts")).makeSlug(title);

export const deleteArticle = defineOperation({
  name: "articles.delete",
  summary: "Delete an article",
  description: `Moves it to the trash, from where it can be restored for ${LIMITS.trashDays} days. Fires article.deleted with the article as it last was.`,
  scope: "articles:write",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ articleId: identifier("an article") }),
  output: deleted,
  refuses: ["not_found", "event_limit"],
  audit: "deleted *",
  sample: { command: "articles delete {articleId} --yes" },
  async run({ store, ifMatch }, { articleId }) {
    await store.deleteArticle(articleId, ifMatch);
    return { value: { _id: articleId } };
  },
});

/** Returns the fields in `shown` only, or all if it is undefined. */
function pickFields<T extends object>(value: T, shown: readonly (keyof T)[] | undefined): Partial<T> {
  if (shown === undefined) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => shown.includes(key as keyof T))) as Partial<T>;
}

import * as z from "zod";
import { NAMED_TEXTS, pickWritten } from "../../../domain/article-fields.ts";
import { encodeSlugCursor } from "../../../domain/cursor.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { invalidField } from "../../../domain/errors.ts";
import { pick } from "../../../lib/pick.ts";
import { article, type ArticleMember, wholeArticle } from "../../../operations/article-members.ts";
import { registry } from "../../../operations/registry.ts";
import { slicePart } from "../excerpt.ts";
import { findWorkingCopy } from "../working-copy.ts";
import { describeCursor, defineTool, nextCursor, describeLimit, readPage, READS } from "../tool.ts";
import {
  articleContent,
  articleMembers,
  blogMembers,
  hasUnpublishedChanges,
  ownStyle,
  sourceNames,
  version,
} from "./shapes.ts";

/** Default and maximum characters of content that one call returns. */
const PART = 20_000;
const MOST_OF_A_PART = 50_000;

const listedBlog = z.object(blogMembers);

export const listBlogs = defineTool({
  name: "list_blogs",
  title: "List blogs",
  description:
    "Lists the blogs of the user's organization, oldest first. Use it first: most other tools ask for a blog by its `_id`. The first of a blog's `locales` is its default.",
  operations: [registry.listBlogs],
  annotations: READS,
  // Most tasks begin with this list, and few organizations have more than one page of blogs.
  input: z.strictObject({
    limit: describeLimit(LIMITS.page, LIMITS.page),
    cursor: describeCursor(registry.listBlogs.input.shape.cursor),
  }),
  output: z.object({ blogs: z.array(listedBlog), nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(input, async (asked) => {
      const page = await run(registry.listBlogs, () => asked);
      return { ...page, value: page.value.map((blog) => listedBlog.parse(blog)) };
    });
    return { blogs: value, nextCursor: next ?? null };
  },
});

export const getBlog = defineTool({
  name: "get_blog",
  title: "Get a blog",
  description:
    "Shows one blog: its name, address, locales, sources of topic ideas, and `styleGuide`. Read it before you write.",
  operations: [registry.getBlog],
  annotations: READS,
  input: registry.getBlog.input,
  output: z.object({ ...blogMembers, ...ownStyle, topicSources: sourceNames }),
  holdsTexts: true,
  async run({ run }, input) {
    return (await run(registry.getBlog, () => input)).value;
  },
});

const { blogId, locale, fallback, published, slug, tag, author, sort, cursor } = registry.listArticles.input.shape;

const { publishTime, url } = wholeArticle.shape;
const listedArticle = z.object({ ...articleMembers, publishTime, url, hasUnpublishedChanges });
const { hasUnpublishedChanges: _unpublished, ...listedMembers } = listedArticle.shape;
const LISTED = [...Object.keys(listedMembers), "workingCopy"] as ArticleMember[];

export const listArticles = defineTool({
  name: "list_articles",
  title: "List articles",
  description:
    "Lists articles of one blog, or without `blogId` of all blogs, newest first, drafts included, without their contents. Use it to see what there is, or with `blogId` and `slug` for the translations of one article; to look for words, use search_articles.",
  operations: [registry.listArticles, registry.listAllArticles],
  annotations: READS,
  input: z.strictObject({
    blogId: blogId.optional(),
    locale,
    fallback,
    published,
    slug,
    tag,
    author,
    sort,
    limit: describeLimit(LIMITS.page, 20),
    cursor: describeCursor(cursor),
  }),
  output: z.object({ articles: z.array(listedArticle), nextCursor }),
  holdsTexts: true,
  async run({ run }, { blogId: of, slug: only, tag: about, author: by, ...more }) {
    if (of === undefined && [only, about, by, more.fallback].some((name) => name !== undefined)) {
      throw invalidField("blogId", "is needed with slug, tag, author or fallback, which belong to a blog");
    }
    const { value, next } = await readPage({ ...more, fields: LISTED }, (query) =>
      of === undefined
        ? run(registry.listAllArticles, () => query)
        : run(registry.listArticles, () => ({ ...query, blogId: of, slug: only, tag: about, author: by })),
    );
    const articles = value.map((each) =>
      listedArticle.parse(Object.assign(each, { hasUnpublishedChanges: !!each.workingCopy })),
    );
    return { articles, nextCursor: next ?? null };
  },
});

const { limit: _, cursor: place, ...searched } = registry.searchArticles.input.shape;

export const searchArticles = defineTool({
  name: "search_articles",
  title: "Search articles",
  description: `Full text search over title, description and content of the organization's articles, drafts included. All words of \`query\` have to occur; "words in quotes" have to follow each other; the last word may be a prefix; accents and case do not matter. Returns the best ${LIMITS.searchResults} matches, each with a passage, matches between **.`,
  operations: [registry.searchArticles],
  annotations: READS,
  input: z.strictObject({
    ...searched,
    query: searched.query.meta({ description: `At most ${LIMITS.searchWords} different words.` }),
    limit: describeLimit(LIMITS.searchPage, 10),
    cursor: describeCursor(place),
  }),
  output: z.object({ articles: registry.searchArticles.output, nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await run(registry.searchArticles, () => input);
    return { articles: value, nextCursor: next ?? null };
  },
});

export const listTags = defineTool({
  name: "list_tags",
  title: "List tags",
  description:
    "Lists the tags of one blog, the oldest first, with how many of its articles have them. Use it before you give tags to an article: unknown ones are created.",
  operations: [registry.listTags],
  annotations: READS,
  input: z.strictObject({
    blogId: registry.listTags.input.shape.blogId,
    limit: describeLimit(LIMITS.page, LIMITS.page),
    cursor: describeCursor(registry.listTags.input.shape.cursor),
  }),
  output: z.object({ tags: registry.listTags.output, nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(input, (asked) => run(registry.listTags, () => asked));
    return { tags: value, nextCursor: next ?? null };
  },
});

export const listAuthors = defineTool({
  name: "list_authors",
  title: "List authors",
  description:
    "Lists the authors of one blog, the oldest first, with their bios and how many of its articles have them. Use it before you give authors to an article.",
  operations: [registry.listAuthors],
  annotations: READS,
  input: z.strictObject({
    blogId: registry.listAuthors.input.shape.blogId,
    limit: describeLimit(LIMITS.page, 20),
    cursor: describeCursor(registry.listAuthors.input.shape.cursor),
  }),
  output: z.object({ authors: registry.listAuthors.output, nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(input, (asked) => run(registry.listAuthors, () => asked));
    return { authors: value, nextCursor: next ?? null };
  },
});

const written = pick(wholeArticle.shape, [...NAMED_TEXTS, "seo", "tags", "authors"]);
const shownArticle = article.extend({ url, ...written });
type ShownArticle = z.output<typeof shownArticle>;
const SHOWN = [...Object.keys(shownArticle.shape), "workingCopy"] as ArticleMember[];

const { fields: __, moved: ___, ...named } = registry.getArticle.input.shape;

export const getArticle = defineTool({
  name: "get_article",
  title: "Get an article",
  description: `Shows one article by \`_id\` or slug, drafts included. A published article is shown as readers see it; if \`hasUnpublishedChanges\`, \`workingCopy\` shows it with them. Long contents come in parts of \`limit\` characters: while \`nextOffset\` is not null, call again with it as \`offset\`, and check that \`version\` is still the same. A slug may exist in several blogs and locales: \`blogId\` and \`locale\` say which one is meant.`,
  operations: [registry.getArticle, registry.getDraft],
  annotations: READS,
  input: z.strictObject({
    ...named,
    workingCopy: z.boolean().default(false),
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(MOST_OF_A_PART).default(PART),
  }),
  output: z.object({
    ...articleMembers,
    url,
    ...written,
    hasUnpublishedChanges,
    version,
    content: articleContent.meta({ description: "This part of the content, as Markdown." }),
    contentLength: z.int().meta({ description: "Characters of the whole content (UTF-16 units)." }),
    offset: z.int().meta({ description: "Where this part begins." }),
    nextOffset: z.int().nullable().meta({ description: "Where the next part begins; null if this is the last." }),
  }),
  holdsTexts: true,
  async run({ run }, { offset, limit, workingCopy, ...name }) {
    const found = await run(registry.getArticle, () => ({ ...name, fields: SHOWN }));
    const current = shownArticle.parse(found.value);
    const copy = workingCopy && found.value.workingCopy ? await findWorkingCopy(run, current._id) : null;
    const { content, ...members } = copy === null ? current : applyWorkingCopy(current, copy.value);
    const { text, ...place } = slicePart(content, offset, limit);
    return {
      ...members,
      hasUnpublishedChanges: !!found.value.workingCopy,
      version: (copy ?? found).version ?? "",
      content: text,
      contentLength: content.length,
      ...place,
    };
  },
});

/** Returns an article with the changes of its working copy. Tags and authors that are not stored yet have no id. */
function applyWorkingCopy(current: ShownArticle, copy: z.output<typeof registry.getDraft.output>): ShownArticle {
  const given = copy.tags?.map((each) => ({ _id: "", ...each })) ?? current.tags;
  const by = copy.authors?.map((each) => ({ _id: "", ...each })) ?? current.authors;
  return { ...current, ...pickWritten(copy), tags: given, authors: by };
}

const comparison = registry.compareLocales.input.shape;

export const compareLocales = defineTool({
  name: "compare_locales",
  title: "Compare locales",
  description: `Compares the translations of a blog, or of one \`slug\`, drafts included: which locales exist, which are \`missing\`, which are \`stale\` (older than the article in the blog's default locale), and with \`structure\` how their contents differ from it (headings, lists, code blocks, images, links, tables, quotes, length). Use it before translating, and to audit a blog. \`differences\` is null if the texts are too long to compare.`,
  operations: [registry.compareLocales],
  annotations: READS,
  input: z.strictObject({
    ...comparison,
    structure: comparison.structure.meta({
      description: `Also compare the structure of the contents. A page then has at most ${LIMITS.comparedSlugs} slugs.`,
    }),
    limit: describeLimit(LIMITS.page, 20),
    cursor: describeCursor(comparison.cursor),
  }),
  output: z.object({ slugs: registry.compareLocales.output, nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(
      input,
      (asked) => run(registry.compareLocales, () => asked),
      (following) => encodeSlugCursor(following.slug),
    );
    return { slugs: value, nextCursor: next ?? null };
  },
});

// Without contacts and credentials (contract 15.5).
const { articles, articleBytes, mediaBytes, eventsPerDay } = registry.getUsage.output.shape;

export const getUsage = defineTool({
  name: "get_usage",
  title: "Get usage",
  description:
    "Shows how much the organization uses of its quotas for articles: their number, the bytes of their texts and of their images, and the changes of this day (UTC). Use it before many writes, or after `quota_exceeded` or `event_limit`.",
  operations: [registry.getUsage],
  annotations: READS,
  input: registry.getUsage.input,
  output: z.object({ articles, articleBytes, mediaBytes, eventsPerDay }),
  async run({ run }) {
    return (await run(registry.getUsage, () => ({}))).value;
  },
});

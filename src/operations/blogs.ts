import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError, invalidField, makeBlogNotFoundError } from "../domain/errors.ts";
import { encodeSlugCursor } from "../domain/cursor.ts";
import { LIMITS } from "../domain/limits.ts";
import { hasVanityShape, isReserved } from "../domain/vanity.ts";
import { toListResult } from "./lists.ts";
import { defineOperation, definePublicOperation } from "./define.ts";
import { limitResearch } from "./research.ts";
import { listComparedIds, structure, compareStructures } from "./locale-structure.ts";
import { topicSources, trySources } from "./topic-sources.ts";
import { styleGuide } from "./style-guide.ts";
import { requireSentBack } from "./unchanged.ts";
import {
  articleLocale,
  blogId,
  coverUrl,
  dateTime,
  identifier,
  line,
  output,
  toPageSize,
  paging,
  readOnly,
  slugCursor,
} from "./fields.ts";

const vanityIdMeta = {
  description: "Lowercase id of the blog in `/blogs/{vanityId}`, which can also be a subdomain of your site.",
  example: "field-notes",
};

const blogMembers = {
  _id: output.blogId.meta({ description: "Identifier." }),
  name: z.string().meta({ example: "Field Notes" }),
  vanityId: z.string().meta(vanityIdMeta),
  coverUrl: z.string().meta({ example: "" }),
  creationTime: output.dateTime,
  lastEditTime: output.dateTime,
  locales: z.array(z.string()).meta({
    description: "BCP 47 tags; the first one is the default. Publishing an article in another locale adds that locale.",
    example: ["en", "de"],
  }),
};

const topicRefresh = z
  .enum(["manual", "daily"])
  .meta({ description: "Whether its sources are read once a day, or on request only.", example: "manual" });

export const blog = z
  .object({
    ...blogMembers,
    styleGuide: styleGuide.shown,
    topicSources: z.array(z.looseObject({ kind: z.string(), name: z.string() })).meta({
      description: "Where topic ideas come from.",
      example: [{ kind: "lobsters", name: "Lobsters: databases", tag: "databases" }],
    }),
    topicRefresh,
  })
  .meta({ id: "Blog" });

const { vanityId: _, ...publicMembers } = blogMembers;
const publicBlog = z.object(publicMembers).meta({ id: "PublicBlog" });

const name = line(LIMITS.name).min(1, "must not be empty").meta({ example: "Field Notes" });

const IS_LABEL = "must be a DNS label of 3 to 63 lowercase letters, digits and hyphens, and not a reserved word";

const label = z.string().refine(hasVanityShape, IS_LABEL).meta(vanityIdMeta);

const vanityId = label.refine((text) => !isReserved(text), IS_LABEL);

const locales = z
  .array(articleLocale)
  .min(1, "must not be empty")
  .max(LIMITS.locales)
  .refine((tags) => new Set(tags).size === tags.length, "must not repeat a locale")
  .meta({ description: "BCP 47 tags; the first one is the default.", example: ["en", "de"] });

export const listBlogs = defineOperation({
  name: "blogs.list",
  summary: "List the blogs of the organization",
  description: "Oldest first. A credential pinned to one blog sees that one.",
  scope: "blogs:read",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(blog),
  hasEtag: true,
  sample: { command: "blogs list" },
  async run({ store }, input) {
    return toListResult(await store.listBlogs({ ...input, limit: toPageSize(input.limit) }));
  },
});

export const getBlog = defineOperation({
  name: "blogs.get",
  summary: "Get a blog of the organization",
  description: "With its ETag, for updates with If-Match.",
  scope: "blogs:read",
  effect: "read",
  input: z.strictObject({ blogId }),
  output: blog,
  refuses: ["not_found", "blog_forbidden"],
  hasEtag: true,
  async run({ store }, { blogId: id }) {
    const found = await store.findBlog(id);
    if (found === null) throw makeBlogNotFoundError();
    return found;
  },
});

export const createBlog = defineOperation({
  name: "blogs.create",
  summary: "Create a blog",
  description: "An omitted vanityId is derived from the name. Fires blog.created.",
  scope: "blogs:write",
  effect: "write",
  input: z
    .strictObject({
      name,
      vanityId: vanityId.optional(),
      coverUrl: coverUrl.optional(),
      locales: locales.optional(),
      styleGuide: styleGuide.given.optional(),
    })
    .meta({ id: "BlogInput" }),
  output: blog,
  refuses: ["blog_forbidden", "vanity_id_taken", "blog_limit", "event_limit"],
  hasEtag: true,
  audit: "created the blog *",
  sample: {
    body: { name: "Field Notes", locales: ["en", "de"] },
    command: 'blogs create "Field Notes" --locales en,de',
  },
  async run({ store, principal }, input) {
    if (principal.pinnedBlogId !== null) {
      throw new DomainError("blog_forbidden", "A credential pinned to one blog cannot create another.");
    }
    return store.createBlog({
      name: input.name,
      coverUrl: input.coverUrl ?? "",
      locales: input.locales ?? ["en"],
      styleGuide: input.styleGuide,
      vanityId:
        input.vanityId === undefined ? { derived: await deriveVanityId(input.name) } : { given: input.vanityId },
    });
  },
});

const deriveVanityId = async (blogName: string): Promise<string> =>
  (await import("../domain/derived-names.ts")).makeVanityId(blogName);

export const updateBlog = defineOperation({
  name: "blogs.update",
  summary: "Update a blog",
  description: "Only the fields that are sent change.",
  scope: "blogs:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      blogId,
      name: name.optional(),
      vanityId: label.optional(),
      coverUrl: coverUrl.optional(),
      locales: locales.optional(),
      styleGuide: styleGuide.given.optional(),
      topicSources: topicSources.optional(),
      topicRefresh: topicRefresh.optional(),
      _id: identifier("the blog").optional().meta(readOnly),
      creationTime: dateTime.optional().meta(readOnly),
      lastEditTime: dateTime.optional().meta(readOnly),
    })
    .meta({ id: "BlogChange" }),
  output: blog,
  refuses: ["immutable_field", "blog_forbidden", "vanity_id_taken", "event_limit"],
  hasEtag: true,
  audit: "updated the blog *",
  sample: {
    body: { name: "Field Notes", topicRefresh: "manual" },
    command: 'blogs update {blogId} --name "Field Notes" --topic-refresh manual',
  },
  async run(context, { blogId: id, _id, creationTime, lastEditTime, ...members }) {
    const { store, ifMatch, services } = context;
    await requireSentBack({ _id, creationTime, lastEditTime }, ifMatch, () => store.findBlog(id));
    const { topicSources: asked, ...fields } = members;
    if (fields.vanityId !== undefined && isReserved(fields.vanityId)) {
      // It may have been reserved after the blog got it.
      const kept = (await store.findBlog(id))?.value.vanityId;
      if (kept !== fields.vanityId) throw invalidField("vanityId", IS_LABEL);
    }
    if (asked === undefined) return store.updateBlog({ id, fields, ifMatch });
    const { readSource } = await services();
    const stored = await store.findBlog(id);
    if (stored === null) throw new DomainError("blog_forbidden");
    // Trying sources sends requests to other servers, so it counts as a research.
    const limit = () => limitResearch(context);
    const tried = await trySources(asked, stored.value.topicSources, { readSource, limit });
    return store.updateBlog({ id, fields: { ...fields, topicSources: tried }, ifMatch });
  },
});

export const showBlog = definePublicOperation({
  name: "blogs.show",
  summary: "Get the public details of a blog",
  description: "By identifier or vanityId. Open to everybody.",
  scope: null,
  effect: "read",
  input: z.strictObject({
    blogId: line(100)
      .min(1, "must not be empty")
      .meta({ description: "Identifier or vanityId of a blog.", example: "field-notes" }),
  }),
  output: publicBlog,
  refuses: ["not_found"],
  hasEtag: true,
  sample: { query: { blogId: "{blogId}" } },
  async run({ published }, input) {
    const found = await published.findBlog(input.blogId);
    if (found === null) throw makeBlogNotFoundError();
    return found;
  },
});

const slugLocales = z
  .object({
    slug: z.string().meta({ description: "The slug that the translations share.", example: "slow-mornings-in-porto" }),
    articles: z
      .array(
        z.object({
          _id: output.id,
          locale: z.string().meta({ example: "en" }),
          title: z.string().meta({ example: "Slow mornings in Porto" }),
          published: z.boolean().meta({ description: "false = draft, true = published.", example: true }),
          lastEditTime: output.dateTime,
          stale: z.boolean().meta({
            description: "The article in the blog's default locale was edited after this one.",
            example: false,
          }),
          structure: structure.nullable().optional(),
        }),
      )
      .meta({
        description: "In the order of the blog's locales. Others, which have only drafts or were removed, come last.",
      }),
    missing: z
      .array(z.string())
      .meta({ description: "The blog's locales that have no article with this slug.", example: ["de"] }),
  })
  .meta({ id: "SlugLocales" });

export const compareLocales = defineOperation({
  name: "blogs.locales",
  summary: "Compare the translations of a blog",
  description:
    "Slug by slug, in alphabetical order: which articles exist, which are older than the one in the blog's default locale, which locales are missing, and with `structure` how their contents differ. Drafts are included.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    slug: line(LIMITS.slug).optional().meta({ description: "Only this slug.", example: "slow-mornings-in-porto" }),
    limit: paging.limit.meta({
      description: `Slugs per page; 0, and more than ${LIMITS.page}, mean ${LIMITS.page}.`,
      example: 20,
    }),
    structure: z
      .boolean()
      .default(false)
      .meta({
        description: `Also compare the structure of the contents. A page then has at most ${LIMITS.comparedSlugs} slugs, fewer if their contents have more than ${LIMITS.comparedBytes / 1024} KiB or are complex. An organization can do this ${RATES.comparisons} times a minute.`,
        example: false,
      }),
    cursor: slugCursor(8),
  }),
  output: z.array(slugLocales),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  async run({ store, principal, limit: count }, { limit, slug, structure: compared, ...input }) {
    if (compared) await count("comparisons", principal.organizationId);
    const size = compared ? Math.min(toPageSize(limit), LIMITS.comparedSlugs) : toPageSize(limit);
    const page = await store.compareLocales({ ...input, slug: slug?.normalize("NFC"), limit: size });
    if (!compared) return toListResult(page);
    const slugs = page.items.map(({ value }) => value);
    const contents = await store.readComparedContents(input.blogId, listComparedIds(slugs, page.defaultLocale));
    const value = await compareStructures(slugs, page.defaultLocale, contents);
    const following = slugs[value.length];
    const next = following === undefined ? page.next : encodeSlugCursor(following.slug);
    return { ...toListResult({ items: page.items.slice(0, value.length), next }), value };
  },
});

/** Operations on tags and on authors. Both work alike, so the same functions make them. */
import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { blogTag } from "../domain/cache-tags.ts";
import { LIMITS } from "../domain/limits.ts";
import { deriveTermSlug, type TermKind } from "../domain/terms.ts";
import { DomainError, invalidField } from "../domain/errors.ts";
import { isId } from "../lib/ids.ts";
import { pick } from "../lib/pick.ts";
import type { TermRecord } from "../store/terms/reading.ts";
import { toListResult } from "./lists.ts";
import { defineOperation, definePublicOperation, type Result, type OrganizationContext } from "./define.ts";
import { blogId, coverUrl, deleted, identifier, line, toPageSize, paging, slug, text } from "./fields.ts";
import { authorValue, nameLine, names, sentBack, tagValue } from "./term-members.ts";
import { requireSentBack } from "./unchanged.ts";

const name = nameLine.min(1, "must not be empty").meta({ example: "Slow travel" });
const termSlugField = slug.max(LIMITS.termSlug).meta({
  description: "Identifies it in its blog; derived from the name if it is left out.",
  example: "slow-travel",
});

const ONE: Readonly<Record<TermKind, string>> = { tag: "a tag", author: "an author" };

const OTHER: Readonly<Record<TermKind, string>> = { tag: "otherTagId", author: "otherAuthorId" };

/** What differs between tags and authors. */
type Shape<Members extends z.ZodRawShape, Value extends z.ZodType> = {
  readonly kind: TermKind;
  readonly members: Members;
  /** Defaults of `members`. */
  readonly empty: object;
  readonly value: Value;
  readonly inputId: string;
  /** Bodies in the examples of the reference. */
  readonly samples: {
    readonly create: Readonly<Record<string, string>>;
    readonly update: Readonly<Record<string, string>>;
  };
};

const makeTermOperations = <Members extends z.ZodRawShape, Value extends z.ZodType>(shape: Shape<Members, Value>) => ({
  ...makeReads(shape),
  ...makeCreation(shape),
  ...makeChanges(shape),
  ...makeRemovals(shape),
});

/** Returns what changes without a new version: the numbers of articles. */
const toState = ({ articles, publishedArticles }: TermRecord): string => `${articles}.${publishedArticles}`;

function makeReads<Members extends z.ZodRawShape, Value extends z.ZodType>(shape: Shape<Members, Value>) {
  const { kind, value } = shape;
  return {
    list: definePublicOperation({
      name: `${kind}s.list`,
      summary: `List the ${kind}s of a blog`,
      description: `Oldest first. Anonymous callers receive only those of published articles.`,
      scope: "articles:read",
      effect: "read",
      input: z.strictObject({
        blogId,
        slug: line(LIMITS.slug)
          .optional()
          .meta({ description: "Only the one with this slug.", example: "slow-travel" }),
        ...paging,
      }),
      output: z.array(value),
      refuses: ["blog_forbidden"],
      hasEtag: true,
      sample: { query: { blogId: "{blogId}" }, command: `${kind}s list --blog {blogId}` },
      async run({ store, published }, input): Promise<Result<z.infer<Value>[]>> {
        const query = { ...input, slug: input.slug?.normalize("NFC"), limit: toPageSize(input.limit) };
        const page = await (store ?? published).listTerms(kind, query);
        const list = toListResult(page, toState);
        const shared = store === null && isId(input.blogId) ? [blogTag(input.blogId)] : undefined;
        return { ...list, value: list.value as z.infer<Value>[], shared };
      },
    }),
    get: defineOperation({
      name: `${kind}s.get`,
      summary: `Get ${ONE[kind]}`,
      description: "With its ETag, for changes with If-Match.",
      scope: "articles:read",
      effect: "read",
      input: z.strictObject({ [`${kind}Id`]: makeIdentifier(kind) }),
      output: value,
      refuses: ["not_found"],
      hasEtag: true,
      async run({ store }, input) {
        const found = await store.findTerm(kind, getId(kind, input));
        if (found === null) throw new DomainError("not_found", `There is no such ${kind}.`);
        return { ...toResult<z.infer<Value>>(found), state: toState(found.value) };
      },
    }),
  };
}

const toOptions = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .map(([name, member]) => (member === "" ? "" : ` --${name} "${member}"`))
    .join("");

function makeCreation<Members extends z.ZodRawShape, Value extends z.ZodType>(shape: Shape<Members, Value>) {
  const { kind, members, empty, value, samples } = shape;
  return {
    create: defineOperation({
      name: `${kind}s.create`,
      summary: `Create ${ONE[kind]}`,
      description: `A blog has at most ${LIMITS.terms} ${kind}s.`,
      scope: "articles:write",
      effect: "write",
      input: z
        .strictObject({ blogId: blogId.optional(), slug: termSlugField.optional(), name, ...members })
        .meta({ id: shape.inputId }),
      output: value,
      refuses: ["blog_required", "blog_forbidden", "slug_taken", "term_limit", "quota_exceeded", "event_limit"],
      hasEtag: true,
      audit: `created the ${kind} *`,
      sample: {
        body: { blogId: "{blogId}", ...samples.create },
        command: `${kind}s create "${samples.create["name"]}" --blog {blogId}${toOptions({ ...samples.create, name: "" })}`,
      },
      async run({ store }, input) {
        const { blogId: blog, slug: given, name: called, ...own } = input as Sent & { name: string };
        const derived = given ?? (await deriveTermSlug(called));
        if (derived === null) throw invalidField("slug", "cannot be derived from the name");
        const fields = { slug: derived, name: called, members: { ...empty, ...pickDefined(own) } };
        return toResult(await store.createTerm(kind, { ...fields, blogId: blog }));
      },
    }),
  };
}

function makeChanges<Members extends z.ZodRawShape, Value extends z.ZodType>(shape: Shape<Members, Value>) {
  const { kind, members, value, samples } = shape;
  return {
    update: defineOperation({
      name: `${kind}s.update`,
      summary: `Update ${ONE[kind]}`,
      description: `Only the fields that are sent change. Articles show the change at once. Another slug or name counts as a bulk change if more than ${LIMITS.copiesRenamed} working copies have tags or authors, or if these copies are long.`,
      scope: "articles:write",
      effect: "write",
      versioned: true,
      input: z
        .strictObject({
          [`${kind}Id`]: makeIdentifier(kind),
          slug: termSlugField.optional(),
          name: name.optional(),
          ...members,
          ...sentBack,
        })
        .meta({ id: `${shape.inputId}Change` }),
      output: value,
      refuses: ["not_found", "slug_taken", "quota_exceeded", "event_limit"],
      hasEtag: true,
      audit: `updated the ${kind} *`,
      sample: {
        body: samples.update,
        command: `${kind}s update {${kind}Id} --blog {blogId}${toOptions(samples.update)}`,
      },
      async run(context, input) {
        const { store, ifMatch } = context;
        const id = getId(kind, input);
        const sent = input as Sent;
        await requireSentBack(pick(sent, Object.keys(sentBack)), ifMatch, () => store.findTerm(kind, id));
        const own = pick(sent, Object.keys(members));
        const fields = { slug: sent.slug, name: sent.name, members: pickDefined(own) };
        await limitRenaming(context, kind, { id, ...fields });
        return toResult(await store.updateTerm(kind, { id, fields, ifMatch }));
      },
    }),
  };
}

function makeRemovals<Members extends z.ZodRawShape, Value extends z.ZodType>(shape: Shape<Members, Value>) {
  const { kind, value } = shape;
  return {
    remove: defineOperation({
      name: `${kind}s.delete`,
      summary: `Delete ${ONE[kind]}`,
      description: `It is removed from all articles, which otherwise stay as they are. An organization can make ${RATES.bulk} deletions and merges a minute, together with bulk changes; each counts once more for each ${LIMITS.articlesOfBulk.toLocaleString("en")} articles.`,
      scope: "articles:write",
      effect: "delete",
      versioned: true,
      input: z.strictObject({ [`${kind}Id`]: makeIdentifier(kind) }),
      output: deleted,
      refuses: ["not_found", "event_limit"],
      audit: `deleted ${ONE[kind]}`,
      sample: { command: `${kind}s delete {${kind}Id} --blog {blogId} --yes` },
      async run(context, input) {
        const { store, ifMatch } = context;
        await limitRemoval(context, kind, getId(kind, input));
        await store.deleteTerm(kind, { id: getId(kind, input), ifMatch });
        return { value: { _id: getId(kind, input) } };
      },
    }),
    merge: defineOperation({
      name: `${kind}s.merge`,
      summary: `Merge ${ONE[kind]} into another`,
      description: "All its articles get the other one instead, and it is deleted. The response is the other one.",
      scope: "articles:write",
      effect: "write",
      versioned: true,
      input: z
        .strictObject({ [`${kind}Id`]: makeIdentifier(kind), into: makeIdentifier(kind) })
        .meta({ id: `${shape.inputId}Merge` }),
      output: value,
      refuses: ["not_found", "event_limit"],
      hasEtag: true,
      audit: `merged ${ONE[kind]} into another`,
      sample: {
        body: { into: `{${OTHER[kind]}}` },
        command: `${kind}s merge {${kind}Id} {${OTHER[kind]}} --blog {blogId} --yes`,
      },
      async run(context, input) {
        const { store, ifMatch } = context;
        await limitRemoval(context, kind, getId(kind, input));
        const { into } = input as unknown as { into: string };
        return toResult(await store.mergeTerm(kind, { id: getId(kind, input), into, ifMatch }));
      },
    }),
  };
}

const makeIdentifier = (kind: TermKind) => identifier(ONE[kind]);

const getId = (kind: TermKind, input: Readonly<Record<string, unknown>>): string => input[`${kind}Id`] as string;

const toResult = <Value>({ value, version }: { value: TermRecord; version: string }): Result<Value> => ({
  value: value as Value,
  version,
});

/** With the members that only tags or only authors have. */
type Sent = {
  readonly blogId?: string;
  readonly slug?: string;
  readonly name?: string;
  readonly [member: string]: unknown;
};

const pickDefined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));

export const {
  list: listTags,
  get: getTag,
  create: createTag,
  update: updateTag,
  remove: deleteTag,
  merge: mergeTag,
} = makeTermOperations({
  kind: "tag",
  members: {
    names: names.optional().meta({
      description: "Its names in other languages. An update replaces all of them.",
      example: { de: "Langsam reisen" },
    }),
  },
  empty: { names: {} },
  value: tagValue,
  inputId: "TagInput",
  samples: { create: { name: "Slow travel" }, update: { name: "Slow journeys" } },
});

export const {
  list: listAuthors,
  get: getAuthor,
  create: createAuthor,
  update: updateAuthor,
  remove: deleteAuthor,
  merge: mergeAuthor,
} = makeTermOperations({
  kind: "author",
  members: {
    bio: text(LIMITS.bio).optional().meta({ example: "Writes about trains." }),
    pictureUrl: coverUrl.optional(),
  },
  empty: { bio: "", pictureUrl: "" },
  value: authorValue,
  inputId: "AuthorInput",
  samples: {
    create: { name: "Ada Lovelace", bio: "Writes about trains." },
    update: { bio: "Writes about trains and ferries." },
  },
});

/** Counts a deletion or merge, which changes all articles and working copies of a term. Throws `rate_limited`. */
const limitRemoval = async (context: OrganizationContext, kind: TermKind, id: string): Promise<void> =>
  countBulk(context, (await context.store.countTermReach(kind, id)) ?? { articles: 0, bytes: 0 });

/** Counts a new slug or name if it affects many or long working copies. Throws `rate_limited`. */
async function limitRenaming(
  context: OrganizationContext,
  kind: TermKind,
  { id, slug, name }: { readonly id: string; readonly slug?: string | undefined; readonly name?: string | undefined },
): Promise<void> {
  const reach = await context.store.countTermReach(kind, id, { slug, name });
  if (reach === null) return;
  const { copies, bytes } = reach;
  if (copies > LIMITS.copiesRenamed || bytes > LIMITS.bytesRenamed) await countBulk(context, { articles: 0, bytes });
}

/** Counts one bulk request, and more for many articles or bytes; at most those of a minute. */
async function countBulk(
  { limit, principal }: OrganizationContext,
  { articles, bytes }: { readonly articles: number; readonly bytes: number },
): Promise<void> {
  const more = Math.floor(articles / LIMITS.articlesOfBulk) + Math.floor(bytes / LIMITS.bytesOfBulk);
  for (let n = 0; n < Math.min(1 + more, RATES.bulk); n++) await limit("bulk", principal.organizationId);
}

/** Operations on the redirects of a blog's site (contract 21.8). */
import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError, invalidField } from "../domain/errors.ts";
import { A_SOURCE, A_TARGET, parseGoal, toArticleGoal, REDIRECT_LIMITS, parseSource } from "../domain/redirects.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Outcome, Stored, Wanted } from "../store/redirects/plan.ts";
import type { RedirectedBlog } from "../store/redirects/known.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { toListResult } from "./lists.ts";
import { blogId, deleted, identifier, line, output, toPageSize, paging } from "./fields.ts";

const fromMeta = {
  description:
    "The old path, below the blog's site: without a query, but for WordPress's `/?p=123` and `/?page_id=123`. It is stored decoded, and without a slash at the end.",
  example: "/2012/02/03/slow-mornings",
};
const toMeta = {
  description: "A path of the site, or an https URL.",
  example: "/archive",
};
const articleIdMeta = {
  description: "The article of the blog that it leads to, whatever its slug is.",
  example: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
};

const redirect = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    from: z.string().meta(fromMeta),
    to: z
      .string()
      .nullable()
      .meta({ ...toMeta, description: `${toMeta.description} Null if it leads to an article.`, example: null }),
    articleId: z
      .string()
      .nullable()
      .meta({ ...articleIdMeta, description: `${articleIdMeta.description} Or null.` }),
    creationTime: output.dateTime,
  })
  .meta({ id: "Redirect" });

const listedRedirect = redirect
  .extend({
    article: z
      .object({
        slug: z.string().meta({ example: "slow-mornings-in-porto" }),
        locale: z.string().meta({ example: "en" }),
        published: z.boolean().meta({ description: "false: the article is a draft, so the path leads nowhere." }),
      })
      .nullable()
      .meta({ description: "What its article is called now; null if it leads to an address." }),
  })
  .meta({ id: "ListedRedirect" });

const overridden = z.boolean().meta({
  description: "Readers see what the site has at `from`: a published article, or one of the site's own pages.",
  example: false,
});

const newRedirect = redirect.extend({ overridden }).meta({ id: "NewRedirect" });

const outcome = z
  .object({
    outcome: z.enum(["created", "unchanged", "refused"]).meta({
      description: "`unchanged`: the blog had this redirect already.",
      example: "created",
    }),
    redirect: redirect.nullable().meta({ description: "As it is stored; null if it was refused." }),
    overridden,
    code: z.string().nullable().meta({ description: "The error code of a refusal.", example: null }),
    detail: z.string().nullable().meta({ description: "The reason of a refusal.", example: null }),
  })
  .meta({ id: "RedirectOutcome" });

type Given = { readonly from: string; readonly to?: string | undefined; readonly articleId?: string | undefined };

/** Returns a redirect as the store takes it, or its error. */
function parseWanted({ from, to, articleId }: Given, { roots }: RedirectedBlog): Wanted | DomainError {
  const source = parseSource(from);
  if (source === null) return invalidField("from", A_SOURCE);
  if ((to === undefined) === (articleId === undefined))
    return invalidField("to", "is required, or `articleId`, and not both");
  const goal = articleId === undefined ? parseGoal(to ?? "", roots) : toArticleGoal(articleId);
  return goal === null ? invalidField("to", A_TARGET) : { source, goal };
}

const toRedirect = (of: string, { id, source, goal: { to, articleId }, creationTime }: Stored) => ({
  _id: id,
  blogId: of,
  from: source,
  to,
  articleId,
  creationTime,
});

/** Adds redirects. Returns what `toAnswer` makes of the outcomes. */
async function add<T>(
  { store, service: { baseUrl, siteDomain } }: OrganizationContext,
  { blogId: of, given }: { readonly blogId: string; readonly given: readonly Given[] },
  toAnswer: (outcomes: readonly Outcome[]) => T,
) {
  const places = { baseUrl: baseUrl(), siteDomain };
  const asked = (blog: RedirectedBlog) => given.map((each) => parseWanted(each, blog));
  const { outcomes, written } = await store.addRedirects({ blogId: of, asked, places }, toAnswer);
  return { value: toAnswer(outcomes), ...(!written && { uncommitted: true as const }) };
}

export const listRedirects = defineOperation({
  name: "redirects.list",
  summary: "List the redirects of a blog",
  description: "Newest first: old paths of its site, and where they lead.",
  scope: "blogs:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    query: line(LIMITS.searchQuery)
      .optional()
      .meta({ description: "Only redirects with this text in `from` or `to`.", example: "/2012/" }),
    ...paging,
  }),
  output: z.array(listedRedirect),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: { query: { query: "/2012/" }, command: "redirects list --blog {blogId} --query /2012/" },
  async run({ store }, { limit, query, ...input }) {
    return toListResult(
      await store.listRedirects({ ...input, query: query?.trim() || undefined, limit: toPageSize(limit) }),
    );
  },
});

export const addRedirect = defineOperation({
  name: "redirects.add",
  summary: "Add a redirect to a blog",
  description: `Name either \`to\` or \`articleId\`. A path that is the address of an article, or was it, leads to that article from then on. An organization can have ${REDIRECT_LIMITS.redirects.toLocaleString("en")} redirects.`,
  scope: "blogs:write",
  effect: "write",
  input: z
    .strictObject({
      blogId,
      from: line(LIMITS.url).meta(fromMeta),
      to: line(LIMITS.url).optional().meta(toMeta),
      articleId: identifier("an article of the blog").optional().meta({ description: articleIdMeta.description }),
    })
    .meta({ id: "RedirectInput" }),
  output: newRedirect,
  refuses: [
    "blog_forbidden",
    "not_found",
    "redirect_exists",
    "redirect_loop",
    "redirect_limit",
    "event_limit",
    "not_ready",
  ],
  audit: "added the redirect *",
  sample: {
    body: { from: "/2012/02/03/slow-mornings", to: "/archive" },
    command: "redirects add /2012/02/03/slow-mornings /archive --blog {blogId}",
  },
  async run(context, { blogId: of, ...given }) {
    return add(context, { blogId: of, given: [given] }, ([first]) => {
      if (first === undefined) throw new DomainError("internal");
      if (first.kind === "refused") throw first.error;
      return { ...toRedirect(of, first.redirect), overridden: first.overridden };
    });
  },
});

export const addRedirects = defineOperation({
  name: "redirects.addMany",
  summary: "Add many redirects to a blog",
  description: `Up to ${REDIRECT_LIMITS.rows}, in one transaction. One that is refused keeps none of the others from being added. The outcomes are in the order of \`redirects\`. An organization can send ${RATES.bulk} such requests a minute.`,
  scope: "blogs:write",
  effect: "write",
  input: z
    .strictObject({
      blogId,
      redirects: z
        .array(z.strictObject({ from: z.string(), to: z.string().optional(), articleId: z.string().optional() }))
        .min(1, "must not be empty")
        .max(REDIRECT_LIMITS.rows)
        .meta({
          description: "Each with `from`, and with `to` or `articleId`.",
          example: [{ from: "/2012/02/03/slow-mornings", to: "/archive" }],
        }),
    })
    .meta({ id: "RedirectsInput" }),
  output: z.array(outcome),
  refuses: ["blog_forbidden", "event_limit", "not_ready"],
  sample: { body: { redirects: [{ from: "/2012/02/03/slow-mornings", to: "/archive" }] } },
  async run(context, { blogId: of, redirects: given }) {
    await context.limit("bulk", context.principal.organizationId);
    return add(context, { blogId: of, given }, (outcomes) =>
      outcomes.map((each) =>
        each.kind === "refused"
          ? {
              outcome: "refused" as const,
              redirect: null,
              overridden: false,
              code: each.error.code,
              detail: each.error.message,
            }
          : {
              outcome: each.kind,
              redirect: toRedirect(of, each.redirect),
              overridden: each.overridden,
              code: null,
              detail: null,
            },
      ),
    );
  },
});

export const removeRedirect = defineOperation({
  name: "redirects.remove",
  summary: "Remove a redirect from a blog",
  description: "Those that led to its `from` before it was added keep leading to where it led.",
  scope: "blogs:write",
  effect: "delete",
  input: z.strictObject({ blogId, redirectId: identifier("a redirect") }),
  output: deleted,
  refuses: ["blog_forbidden", "not_found", "event_limit", "not_ready"],
  audit: "removed the redirect *",
  async run({ store, service: { baseUrl } }, { blogId: of, redirectId: id }) {
    await store.removeRedirect({ blogId: of, id, baseUrl: baseUrl() });
    return { value: { _id: id } };
  },
});

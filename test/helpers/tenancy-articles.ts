/** The attempts on articles and generations, for tenancy.ts. */
import type { World } from "./operations.ts";
import { all, MARK, member, type Attempt, type Attempts, type Cases, type Victim } from "./tenancy-attempts.ts";

export const articleCases = {
  listArticles({ tenant: { blogId }, marked, article }) {
    const published: Attempt[] = [
      [{ blogId }, "published"],
      [{ blogId, published: true }, "published"],
      [{ blogId, slug: article.slug }, "published"],
      [{ blogId, published: false }, "empty"],
      [{ blogId, slug: marked.slug }, "empty"],
      [{ blogId, skip: 10 }, "empty"],
    ];
    return { foreign: all(published, "empty"), pinned: all(published, "blog_forbidden"), anonymous: published };
  },
  listAllArticles: () =>
    member(
      [
        [{}, "own"],
        [{ published: false }, "own"],
      ],
      [
        [{}, "empty"],
        [{ published: false }, "empty"],
      ],
    ),
  getArticle({ tenant: { blogId }, marked, draft, article }) {
    const anonymous: Attempt[] = [
      [{ idOrSlug: article._id }, "public"],
      [{ idOrSlug: article.slug, blogId }, "public"],
      [{ idOrSlug: marked._id }, "not_found"],
      [{ idOrSlug: marked._id.toUpperCase() }, "not_found"],
      [{ idOrSlug: marked.slug }, "not_found"],
      [{ idOrSlug: marked.slug, blogId }, "not_found"],
      [{ idOrSlug: draft._id, fields: "_id" }, "not_found"],
    ];
    const pinned = anonymous.map(([input]): Attempt => [input, "blogId" in input ? "blog_forbidden" : "not_found"]);
    return { foreign: all(anonymous, "not_found"), pinned, anonymous };
  },
  saveArticle({ tenant: { blogId }, article, marked, draft, topicId }, attacker) {
    return member(
      [
        [{ blogId, title: "x" }, "blog_forbidden"],
        [{ blogId, title: "x", slug: article.slug }, "blog_forbidden"],
        [{ _id: article._id, title: "x" }, "not_found"],
        [{ _id: marked._id, published: true }, "not_found"],
        [{ _id: draft._id }, "not_found"],
        [{ _id: article._id, blogId: attacker.tenant.blogId }, "not_found"],
        [{ _id: article._id, blogId }, "not_found"],
        [{ _id: attacker.article._id, blogId }, "immutable_field"],
        [{ topicId, title: "x" }, "not_found"],
        [{ topicId, blogId: attacker.tenant.blogId }, "not_found"],
      ],
      [
        [{ blogId, title: "x" }, "blog_forbidden"],
        [{ _id: article._id, blogId, title: "x" }, "blog_forbidden"],
        [{ _id: article._id, title: "x" }, "not_found"],
        [{ _id: marked._id, published: true }, "not_found"],
        [{ topicId, title: "x" }, "not_found"],
      ],
    );
  },
  deleteArticle({ article, marked }) {
    const attempts: Attempt[] = [
      [{ articleId: article._id }, "not_found"],
      [{ articleId: marked._id }, "not_found"],
      [{ articleId: article.slug }, "not_found"],
    ];
    return member(attempts, attempts);
  },
  searchArticles({ tenant: { blogId } }) {
    return member(
      [
        [{ query: MARK }, "empty"],
        [{ query: "victim" }, "empty"],
        [{ query: MARK, blogId }, "blog_forbidden"],
      ],
      [
        [{ query: MARK }, "empty"],
        [{ query: MARK, blogId }, "blog_forbidden"],
      ],
    );
  },
  changeArticles({ article, marked }) {
    const attempts: Attempt[] = (["publish", "unpublish", "delete"] as const).flatMap((action): Attempt[] => [
      [{ action, articleIds: [article._id] }, "each_not_found"],
      [{ action, articleIds: [marked._id] }, "each_not_found"],
    ]);
    return member(attempts, attempts);
  },
  listSchedules({ tenant: { blogId } }) {
    const all: Attempt = [{}, "own"];
    return member([[{ blogId }, "empty"], all], [[{ blogId }, "blog_forbidden"], all]);
  },
  getSchedule: ({ draft }) =>
    member([[{ articleId: draft._id }, "not_found"]], [[{ articleId: draft._id }, "not_found"]]),
  setSchedule({ draft, article, tenant: { blogId } }, attacker) {
    const publishTime = "2032-01-01T09:00:00Z";
    const attempts: Attempt[] = [
      [{ articleId: draft._id, publishTime }, "not_found"],
      [{ articleId: article._id, publishTime }, "not_found"],
      // What is sent back is compared with the schedule that the caller sees: none.
      [{ articleId: draft._id, blogId, publishTime }, "immutable_field"],
      [{ articleId: attacker.draft._id, blogId, publishTime }, "immutable_field"],
    ];
    const pinned = attempts.map(([input]): Attempt => [input, "blogId" in input ? "blog_forbidden" : "not_found"]);
    return member(attempts, pinned);
  },
  deleteSchedule: ({ draft }) =>
    member([[{ articleId: draft._id }, "not_found"]], [[{ articleId: draft._id }, "not_found"]]),
  listApprovals: ({ tenant: { blogId } }) => member([[{ blogId }, "empty"]], [[{ blogId }, "blog_forbidden"]]),
  listDeletions: ({ draft }) => member([[{ articleId: draft._id }, "empty"]], [[{ articleId: draft._id }, "empty"]]),
  setDeletion({ draft, article, marked }) {
    const attempts = [draft, article, marked].map(({ _id }): Attempt => [{ articleId: _id }, "not_found"]);
    return member(attempts, attempts);
  },
  cancelDeletion: ({ draft }) =>
    member([[{ articleId: draft._id }, "not_found"]], [[{ articleId: draft._id }, "not_found"]]),
  listTrash: ({ tenant: { blogId }, trashedId }) =>
    member(
      [
        [{ articleId: trashedId }, "empty"],
        [{ blogId }, "empty"],
        [{}, "own"],
      ],
      [
        [{ articleId: trashedId }, "empty"],
        [{ blogId }, "blog_forbidden"],
      ],
    ),
  restoreArticle: ({ trashedId }) =>
    member([[{ articleId: trashedId }, "not_found"]], [[{ articleId: trashedId }, "not_found"]]),
  deleteTrash: ({ trashedId }) =>
    member([[{ articleId: trashedId }, "not_found"]], [[{ articleId: trashedId }, "not_found"]]),
  listPreviews({ draft, marked }) {
    const attempts: Attempt[] = [
      [{ articleId: draft._id }, "not_found"],
      [{ articleId: marked._id }, "not_found"],
    ];
    return member(attempts, attempts);
  },
  createPreview({ draft, marked }) {
    const attempts: Attempt[] = [
      [{ articleId: draft._id }, "not_found"],
      [{ articleId: marked._id }, "not_found"],
    ];
    return member(attempts, attempts);
  },
  revokePreview({ draft, previewId }, attacker) {
    const attempts: Attempt[] = [
      [{ articleId: draft._id, previewId }, "not_found"],
      [{ articleId: attacker.draft._id, previewId }, "not_found"],
    ];
    return member(attempts, attempts);
  },
  listMovedSlugs({ tenant: { blogId } }) {
    const attempts: Attempt[] = [[{ blogId }, "blog_forbidden"]];
    return member(attempts, attempts);
  },
  listGenerations: () => member([[{}, "own"]], [[{}, "empty"]]),
  getGeneration({ generationId }) {
    const attempts: Attempt[] = [[{ generationId }, "not_found"]];
    return member(attempts, attempts);
  },
  resumeGeneration({ generationId }) {
    const attempts: Attempt[] = [[{ generationId }, "not_found"]];
    return member(attempts, attempts);
  },
  startGeneration: attemptToGenerate,
  generateArticle: attemptToGenerate,
  outlineArticle: attemptToGenerate,
  estimateGeneration: attemptToGenerate,
  assistArticle({ tenant: { blogId } }) {
    const attempts: Attempt[] = [[{ blogId, task: "correct", text: "x" }, "blog_forbidden"]];
    return member(attempts, attempts);
  },
} satisfies Partial<Cases>;

function attemptToGenerate({ tenant: { blogId }, marked, article, topicId }: Victim, attacker: World): Attempts {
  const topic = "x";
  return member(
    [
      [{ blogId, topic }, "blog_forbidden"],
      [{ topicId }, "not_found"],
      [{ topicId, blogId }, "not_found"],
      [{ topicId, blogId: attacker.tenant.blogId }, "not_found"],
      [{ articleId: marked._id }, "not_found"],
      [{ articleId: article._id, locale: "de" }, "not_found"],
      [{ articleId: article._id, blogId: attacker.tenant.blogId, locale: "de" }, "not_found"],
    ],
    [
      [{ blogId, topic }, "blog_forbidden"],
      [{ topicId }, "not_found"],
      [{ articleId: marked._id }, "not_found"],
      [{ articleId: article._id, locale: "de" }, "not_found"],
    ],
  );
}

/** Valid inputs of the operations on former states, working copies and sources. */
import type { World } from "./operations.ts";

export const historyInputs = {
  listRevisions: ({ article }) => ({ articleId: article._id }),
  listPassages: ({ article }) => ({ articleId: article._id }),
  listArticleSources: ({ sourced }) => ({ articleId: sourced._id }),
  proposeUpdate: ({ sourced }) => ({ articleId: sourced._id }),
  getRevision: ({ article }) => ({ articleId: article._id, revision: "1" }),
  compareRevisions: ({ article }) => ({ articleId: article._id, revision: "1", with: "current" }),
  getDraft: ({ edited }) => ({ articleId: edited._id }),
  discardDraft: ({ edited }) => ({ articleId: edited._id }),
  publishDraft: ({ article }) => ({ articleId: article._id, overwrite: false }),
} as const satisfies Record<string, (world: World) => Record<string, unknown>>;

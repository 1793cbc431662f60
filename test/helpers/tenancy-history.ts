/** The cases of tenancy.ts for former states, working copies, edits and requests for approval: others get the same `not_found` as for the article. */
import type { Input } from "./operations.ts";
import type { Attempt, Attempts, Victim } from "./tenancy-attempts.ts";

const of =
  (input: Input) =>
  ({ article, marked, draft, asked }: Victim): Attempts => {
    const inputs = [article._id, article.slug, marked._id, draft._id, asked._id].map((articleId) =>
      Object.assign({ articleId }, input),
    );
    const unknown = inputs.map((each): Attempt => [each, "not_found"]);
    return { foreign: unknown, pinned: unknown, anonymous: inputs.map((each) => [each, "credentials_missing"]) };
  };

export const historyCases = {
  listRevisions: of({}),
  listPassages: of({}),
  listArticleSources: of({}),
  proposeUpdate: of({}),
  getRevision: of({ revision: "1" }),
  compareRevisions: of({ revision: "1", with: "current" }),
  restoreRevision: of({ revision: "1" }),
  getDraft: of({}),
  saveDraft: of({ title: "x" }),
  discardDraft: of({}),
  editArticle: of({ edits: [{ find: "x", replace: "y" }] }),
  publishDraft: of({ overwrite: true }),
  getApproval: of({}),
  requestApproval: of({ note: "x" }),
  withdrawApproval: of({}),
  approve: of({ action: "publish" }),
  declineApproval: of({ reason: "x" }),
};

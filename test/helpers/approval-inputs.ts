/** Valid inputs of the operations on requests for approval and on undoing, for operations.ts. */
import type { World } from "./operations.ts";

const ofAsked = ({ asked }: World) => ({ articleId: asked._id });
const ofOther = ({ otherAsked }: World) => ({ articleId: otherAsked._id });

export const approvalInputs = {
  listApprovals: ({ tenant }: World) => ({ blogId: tenant.blogId, state: "waiting", limit: 5, skip: 0 }),
  getApproval: ofAsked,
  requestApproval: (world: World) => ({ ...ofAsked(world), note: "Valid" }),
  approve: (world: World) => ({ ...ofAsked(world), action: "publish" }),
  declineApproval: (world: World) => ({ ...ofOther(world), reason: "Valid" }),
  withdrawApproval: ofOther,
  undoChanges: ({ apiKeyId: actor }: World) => ({
    actor,
    from: new Date(Date.now() - 3_600_000).toISOString(),
    dryRun: false,
  }),
};

/** Valid inputs of the operations on requests for approval, for operations.ts. */
import type { World } from "./operations.ts";

const ofAsked = ({ asked }: World) => ({ articleId: asked._id });
const ofOther = ({ otherAsked }: World) => ({ articleId: otherAsked._id });

export const approvalInputs = {
  listApprovals: ({ tenant }: World) => ({ blogId: tenant.blogId, state: "waiting", limit: 5, skip: 0 }),
  getApproval: ofAsked,
  requestApproval: (world: World) => ({ ...ofAsked(world), note: "Valid" }),
  approve: ofAsked,
  declineApproval: (world: World) => ({ ...ofOther(world), reason: "Valid" }),
  withdrawApproval: ofOther,
};

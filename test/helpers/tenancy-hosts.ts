/** What others may not do with the hosts and the redirects of a blog. */
import type { Input } from "./operations.ts";
import { member, type Attempt, type Attempts, type Cases } from "./tenancy-attempts.ts";

type Of = "listHosts" | "addHost" | "checkHost" | "removeHost";
type OfRedirects = "listRedirects" | "addRedirect" | "addRedirects" | "removeRedirect";

export const hostCases: Pick<Cases, Of | OfRedirects> = {
  listHosts: ({ tenant: { blogId }, vanityId }) => ofSite([{ blogId }, { blogId: vanityId }]),
  addHost({ tenant: { blogId }, vanityId }) {
    const host = "own.example.com";
    return ofSite([
      { blogId, host },
      { blogId: vanityId, host },
    ]);
  },
  listRedirects: ({ tenant: { blogId }, vanityId }) => ofSite([{ blogId }, { blogId: vanityId }]),
  addRedirect({ tenant: { blogId }, article }, attacker) {
    const { foreign, ...others } = ofSite([{ blogId, from: "/a", to: "/b" }]);
    const own = { blogId: attacker.tenant.blogId, from: "/a", articleId: article._id };
    return { ...others, foreign: [...foreign, [own, "not_found"]] };
  },
  addRedirects: ({ tenant: { blogId } }) => ofSite([{ blogId, redirects: [{ from: "/a", to: "/b" }] }]),
  removeRedirect({ tenant: { blogId }, redirectId }, attacker) {
    const { foreign, ...others } = ofSite([{ blogId, redirectId }]);
    return { ...others, foreign: [...foreign, [{ blogId: attacker.tenant.blogId, redirectId }, "not_found"]] };
  },
  checkHost: ({ tenant: { blogId }, host }, attacker) => ofHost({ blogId, host }, attacker.tenant.blogId),
  removeHost: ({ tenant: { blogId }, host }, attacker) => ofHost({ blogId, host }, attacker.tenant.blogId),
};

/** Attempts on a blog that is not theirs. */
function ofSite(inputs: readonly Input[]): Attempts {
  const attempts = inputs.map((input): Attempt => [input, "blog_forbidden"]);
  return member(attempts, attempts.slice(0, 1));
}

/** Attempts on a host of such a blog, and on the same host as if it were one of their own blog. */
function ofHost(input: { readonly blogId: string; readonly host: string }, own: string): Attempts {
  const attempts: Attempt[] = [
    [input, "blog_forbidden"],
    [{ ...input, blogId: own }, "not_found"],
  ];
  return member(attempts, attempts.slice(0, 1));
}

/** Who calls. Every surface (REST now, others beside it) resolves its callers to one of these. */

/** What an API key may be allowed to do (specification, Authentication; contacts and topics by design). */
export const SCOPES = [
  "articles:read",
  "articles:write",
  "blogs:read",
  "blogs:write",
  "topics:read",
  "topics:write",
  "contacts:read",
  "contacts:write",
] as const;

export type Scope = (typeof SCOPES)[number];

/** New keys start read-only (specification, Authentication 2). */
export const DEFAULT_SCOPES = ["articles:read", "blogs:read", "topics:read"] as const satisfies readonly Scope[];

export type Anonymous = { readonly kind: "anonymous" };

/** A caller of one organization: the holder of an API key ("key") or of an operator token ("operator"). */
export type Member = {
  readonly kind: "key" | "operator";
  /** The credential's id, as it stands in the audit log. */
  readonly id: string;
  readonly organizationId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The one blog that the credential may touch, or null. */
  readonly pinnedBlogId: string | null;
};

export type Principal = Anonymous | Member;

/** Who calls. Every surface (REST, MCP, the console) resolves its callers to one of these. */

/** What an API key may be allowed to do (contract 10.4). */
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

/** Whether a text is a scope. */
export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** New keys start read-only (contract 10.4). */
export const DEFAULT_SCOPES = ["articles:read", "blogs:read", "topics:read"] as const satisfies readonly Scope[];

/** What an application may ask for over MCP: of the scopes, those that its tools need. */
export const MCP_SCOPES = [
  "articles:read",
  "articles:write",
  "blogs:read",
  "topics:read",
  "topics:write",
] as const satisfies readonly Scope[];

/** What an operation may ask of its caller: a scope, or everything that only operators may. */
export type Grant = Scope | "operator";

/** The roles of members, the mightiest first. */
export const ROLES = ["owner", "admin", "writer", "reader"] as const;

export type Role = (typeof ROLES)[number];

/** What each role may do. The one difference between owners and admins: only owners appoint and remove owners. */
export const ROLE_GRANTS: Readonly<Record<Role, readonly Grant[]>> = {
  owner: [...SCOPES, "operator"],
  admin: [...SCOPES, "operator"],
  writer: ["articles:read", "articles:write", "blogs:read", "topics:read", "topics:write"],
  reader: ["articles:read", "blogs:read", "topics:read"],
};

export type Anonymous = { readonly kind: "anonymous" };

/**
 * A caller of one organization: the holder of an API key ("key") or of an operator token ("operator"),
 * a person who is signed in ("user"), or an application that a person connected ("app").
 */
export type OrganizationPrincipal = {
  readonly kind: "key" | "operator" | "user" | "app";
  /** The credential's, the user's or the connection's id, as it is in the audit log. */
  readonly id: string;
  readonly organizationId: string;
  readonly grants: ReadonlySet<Grant>;
  /** The role of the person, or of the one who connected the application; null for credentials. */
  readonly role: Role | null;
  /** The one blog that the credential may touch, or null. */
  readonly pinnedBlogId: string | null;
};

export type Principal = Anonymous | OrganizationPrincipal;

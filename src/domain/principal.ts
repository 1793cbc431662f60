/** Defines callers and what they may do. Every surface (REST, MCP, the console) resolves its caller to a principal. */

/** The scopes that an API key can have (contract 10.4). */
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

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** The scopes of a new key for which the caller names none: read-only (contract 10.4). */
export const DEFAULT_SCOPES = ["articles:read", "blogs:read", "topics:read"] as const satisfies readonly Scope[];

/** The scopes that an application may request for MCP: only those that the tools of MCP need. */
export const MCP_SCOPES = [
  "articles:read",
  "articles:write",
  "blogs:read",
  "topics:read",
  "topics:write",
] as const satisfies readonly Scope[];

/** What an operation may require of its caller: a scope, or the rights of an operator. */
export type Grant = Scope | "operator";

/** The roles of members, the most powerful first. */
export const ROLES = ["owner", "admin", "writer", "reader"] as const;

export type Role = (typeof ROLES)[number];

/** The grants of each role. Owners and admins have the same, but only owners may appoint and remove owners. */
export const ROLE_GRANTS: Readonly<Record<Role, readonly Grant[]>> = {
  owner: [...SCOPES, "operator"],
  admin: [...SCOPES, "operator"],
  writer: ["articles:read", "articles:write", "blogs:read", "topics:read", "topics:write"],
  reader: ["articles:read", "blogs:read", "topics:read"],
};

export type Anonymous = { readonly kind: "anonymous" };

/**
 * A caller who acts for one organization: the holder of an API key ("key") or an operator token ("operator"), a
 * signed-in person ("user"), or an application that a person has connected ("app").
 */
export type OrganizationPrincipal = {
  readonly kind: "key" | "operator" | "user" | "app";
  /** The id of the credential, the user or the connection, as in the audit log. */
  readonly id: string;
  readonly organizationId: string;
  readonly grants: ReadonlySet<Grant>;
  /** The role of the person, or of the person who connected the application; null for keys and operator tokens. */
  readonly role: Role | null;
  /** The only blog that the credential may read and change; null if it may use all blogs of the organization. */
  readonly pinnedBlogId: string | null;
};

export type Principal = Anonymous | OrganizationPrincipal;

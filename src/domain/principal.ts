/** Callers and their rights. Every surface resolves its caller to a principal. */

/** The scopes that an API key can have (contract 10.4). */
export const SCOPES = [
  "articles:read",
  "articles:draft",
  "articles:write",
  "blogs:read",
  "blogs:write",
  "topics:read",
  "topics:write",
  "contacts:read",
  "contacts:write",
  "events:read",
] as const;

export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** The scopes of a new key if the caller names none: read-only (contract 10.4). */
export const DEFAULT_SCOPES = ["articles:read", "blogs:read", "topics:read"] as const satisfies readonly Scope[];

/** The scopes that an app may request for MCP: those that its tools need. */
export const MCP_SCOPES = [
  "articles:read",
  "articles:draft",
  "articles:write",
  "blogs:read",
  "topics:read",
  "topics:write",
  "events:read",
] as const satisfies readonly Scope[];

/** What an operation requires of its caller: a scope, or the rights of an operator. */
export type Grant = Scope | "operator";

/** Returns whether these grants include another one: who may write articles may write drafts. */
export const includesGrant = (grants: ReadonlySet<Grant>, grant: Grant): boolean =>
  grants.has(grant) || (grant === "articles:draft" && grants.has("articles:write"));

/** The most powerful first. */
export const ROLES = ["owner", "admin", "writer", "contributor", "reader"] as const;

export type Role = (typeof ROLES)[number];

/** Owners and admins have the same grants, but some of what is for operators is only for owners (contract 10.7). */
export const ROLE_GRANTS: Readonly<Record<Role, readonly Grant[]>> = {
  owner: [...SCOPES, "operator"],
  admin: [...SCOPES, "operator"],
  writer: ["articles:read", "articles:draft", "articles:write", "blogs:read", "topics:read", "topics:write"],
  contributor: ["articles:read", "articles:draft", "blogs:read", "topics:read", "topics:write"],
  reader: ["articles:read", "blogs:read", "topics:read"],
};

export type Anonymous = { readonly kind: "anonymous" };

/**
 * A caller of one organization: an API key ("key"), an operator access token ("operator"), a signed-in person ("user"),
 * or a connected app ("app").
 */
export type OrganizationPrincipal = {
  readonly kind: "key" | "operator" | "user" | "app";
  /** The id of the credential, user or connection, as in the audit log. */
  readonly id: string;
  readonly organizationId: string;
  readonly grants: ReadonlySet<Grant>;
  /** The role of the person, or of the person who connected the app; null for keys and operator tokens. */
  readonly role: Role | null;
  /** The only blog that the credential may access; null for all blogs of the organization. */
  readonly pinnedBlogId: string | null;
  /** A machine connection: an app without a person who could grant it more scopes when it asks. */
  readonly isMachine?: true;
};

export type Principal = Anonymous | OrganizationPrincipal;

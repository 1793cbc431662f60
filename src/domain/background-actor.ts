/** Somebody in whose name the background works, with their rights then. Each write checks that they still have them. */
import type { Grant, OrganizationPrincipal, Role } from "./principal.ts";

export type BackgroundActor = Pick<OrganizationPrincipal, "kind" | "id" | "pinnedBlogId"> & {
  readonly role: Role | null;
  readonly grants: readonly Grant[];
  /** The service's origin in the person's request. URLs of images begin with it. */
  readonly origin: string;
};

export const toActor = (
  { kind, id, role, pinnedBlogId, grants }: OrganizationPrincipal,
  origin: string,
): BackgroundActor => ({ origin, kind, id, role, pinnedBlogId, grants: [...grants] });

/** Returns the actor as the caller of an operation. */
export const toPrincipal = (
  { kind, id, role, pinnedBlogId, grants }: BackgroundActor,
  organizationId: string,
): OrganizationPrincipal => ({ kind, id, role, pinnedBlogId, organizationId, grants: new Set(grants) });

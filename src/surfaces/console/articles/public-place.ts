/** Leads to where readers find a published article. The list links here, so that it need not know every address. */
import { Hono } from "hono";
import { DomainError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { perform } from "../session.ts";

export const publicPlace = new Hono<ConsoleEnv>();

publicPlace.get("/:id/site", async (c) => {
  const named = { idOrSlug: c.req.param("id"), fields: ["published" as const, "url" as const] };
  const { value } = await perform(c, registry.getArticle, named);
  const { published, url } = value as { published?: boolean; url?: string };
  if (!published || url === undefined) throw new DomainError("not_found", "This article is not published.");
  return c.redirect(url, 302);
});

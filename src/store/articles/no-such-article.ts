import { DomainError } from "../../domain/errors.ts";
import { isUuid } from "../../lib/ids.ts";

/** Returns the error for an id that no article within reach has. Reads take slugs, too, so it says that a slug is none. */
export const noSuchArticle = (id: string): DomainError =>
  new DomainError("not_found", isUuid(id) ? undefined : "There is no such article. Use its `_id`, not its slug.");

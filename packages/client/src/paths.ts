import { EdgepressError } from "./errors.ts";

/** Returns a path with a name at its end. Throws `not_found` for a name that nothing can have. */
export function pathOf(path: string, name: string): string {
  // URL parsers take these as steps in the path, even percent-encoded: the request would go elsewhere.
  if (!["", ".", ".."].includes(name)) return `${path}/${encodeURIComponent(name)}`;
  throw new EdgepressError("not_found", `Nothing is named "${name}".`, { status: 404 });
}

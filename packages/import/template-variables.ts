/** Variables and expressions of Liquid and Nunjucks that are known without the old site. */
import type { References } from "./references.ts";

/** The old site's own address, which is that of its root in links. */
const ROOT =
  /^(?:site\.(?:baseurl|url|github\.url|base_url)|config\.(?:root|url)|base_?url|page\.root|root)(?:\s*\|\s*(?:default|strip|append|prepend)[^|]*)*$/i;

/** Returns what a variable is; null if it is not known. `next` is the character behind it. */
export function variable(source: string, next: string, { origin, title }: References): string | null {
  const text = source.replaceAll(/^[\s-]+|[\s-]+$/g, "");
  if (ROOT.test(text)) return next === "/" || next === "{" ? "" : next === ")" || next === '"' ? "/" : origin || null;
  const [, double, single, filters = ""] = /^(?:"([^"]*)"|'([^']*)')\s*((?:\|[^]*)?)$/.exec(text) ?? [];
  const literal = double ?? single;
  if (
    literal !== undefined &&
    (filters === "" ||
      /^(?:\|\s*(?:relative_url|absolute_url|url|absolute_?url|prepend\s*:\s*site\.\w+|asset|asset_url|safe)\s*)+$/.test(
        filters,
      ))
  ) {
    return literal;
  }
  return /^(?:page\.)?title$/.test(text) && title !== "" ? title : null;
}

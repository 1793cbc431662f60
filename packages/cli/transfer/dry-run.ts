/** The service for `import --dry-run`: reads from the real one, and keeps writes in memory. */
import { LIMITS } from "../../../src/domain/limits.ts";
import { placeOf } from "../../../src/domain/slug.ts";
import { CliError, exitOf } from "../failure.ts";
import type { Manner, Service, Version } from "./service.ts";

/**
 * Returns a service that refuses what the real one would refuse. `locales` are those of the blog. It reads all names
 * first; then a new article needs no request, and a changed one needs one.
 */
export async function tryingService(service: Service, locales: readonly string[]): Promise<Service> {
  const ids = new Map<string, string>();
  for await (const each of service.names()) ids.set(placeOf(each), each._id);
  const written = new Map<string, Version>();
  const known = new Set(locales);
  const current = async (id: string): Promise<Version | null> => written.get(id) ?? (await service.find(id));

  async function versionOf({ id, etag }: Manner): Promise<Version | null> {
    if (id === undefined) return null;
    const existing = await current(id);
    if (existing === null) throw refusal("not_found", 404, "There is no such article.");
    if (etag !== undefined && etag !== "" && strong(etag) !== strong(existing.etag)) {
      throw refusal("precondition_failed", 412, "The article was changed meanwhile.");
    }
    return existing;
  }

  return {
    ...service,
    async save(article, manner) {
      const existing = await versionOf(manner);
      const id = existing?.article._id ?? `new ${written.size}`;
      const owner = ids.get(placeOf(article)) ?? id;
      if (owner !== id) throw refusal("slug_taken", 409, "Another article has this slug and locale.");
      // Only a published article adds its locale to the blog.
      const was = existing?.article;
      const appears = article.published && !(was?.published === true && was.locale === article.locale);
      if (appears && !known.has(article.locale) && known.size >= LIMITS.locales) {
        throw refusal("invalid_request", 400, `locale: the blog already has ${LIMITS.locales} locales`);
      }
      if (existing !== null) ids.delete(placeOf(existing.article));
      ids.set(placeOf(article), id);
      if (appears) known.add(article.locale);
      const time = existing?.article ?? { creationTime: "", lastEditTime: "" };
      const found = { article: { ...time, ...article, _id: id }, etag: `${id} ${written.size}`, replayed: false };
      written.set(id, found);
      return found;
    },
    async schedule() {},
    async find(idOrSlug, locale) {
      if (locale === undefined) return current(idOrSlug);
      const id = ids.get(placeOf({ slug: idOrSlug, locale }));
      return id === undefined ? null : current(id);
    },
  };
}

/** Leaves out what the service ignores: the weak mark of compressing caches, and what changes without a new version. */
const strong = (etag: string): string => etag.replace(/^W\//, "").replace(/~[^"]*"$/, '"');

const refusal = (code: string, status: number, message: string): CliError =>
  new CliError(code, message, exitOf(code, status), { status });

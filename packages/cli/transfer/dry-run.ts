/** The service for `import --dry-run`: reads from the real one, and keeps writes in memory. */
import { LIMITS } from "../../../src/domain/limits.ts";
import { toPlaceKey } from "../../../src/domain/slug.ts";
import { CliError, toExit } from "../failure.ts";
import type { Manner, Service, Version } from "./service.ts";

/**
 * Returns a service that refuses what the real one would refuse. `locales` are those of the blog. It reads all names
 * first; then a new article needs no request, and a changed one needs one.
 */
export async function makeDryRunService(service: Service, locales: readonly string[]): Promise<Service> {
  const ids = new Map<string, string>();
  for await (const each of service.listNames()) ids.set(toPlaceKey(each), each._id);
  const written = new Map<string, Version>();
  const known = new Set(locales);
  const current = async (id: string): Promise<Version | null> => written.get(id) ?? (await service.find(id));

  async function findVersion({ id, etag }: Manner): Promise<Version | null> {
    if (id === undefined) return null;
    const existing = await current(id);
    if (existing === null) throw makeRefusal("not_found", 404, "There is no such article.");
    if (etag !== undefined && etag !== "" && toStrongEtag(etag) !== toStrongEtag(existing.etag)) {
      throw makeRefusal("precondition_failed", 412, "The article was changed meanwhile.");
    }
    return existing;
  }

  return {
    ...service,
    async save(article, manner) {
      const existing = await findVersion(manner);
      const id = existing?.article._id ?? `new ${written.size}`;
      const owner = ids.get(toPlaceKey(article)) ?? id;
      if (owner !== id) throw makeRefusal("slug_taken", 409, "Another article has this slug and locale.");
      // Only a published article adds its locale to the blog.
      const was = existing?.article;
      const appears = article.published && !(was?.published === true && was.locale === article.locale);
      if (appears && !known.has(article.locale) && known.size >= LIMITS.locales) {
        throw makeRefusal("invalid_request", 400, `locale: the blog already has ${LIMITS.locales} locales`);
      }
      if (existing !== null) ids.delete(toPlaceKey(existing.article));
      ids.set(toPlaceKey(article), id);
      if (appears) known.add(article.locale);
      const time = existing?.article ?? { creationTime: "", lastEditTime: "" };
      const found = { article: { ...time, ...article, _id: id }, etag: `${id} ${written.size}`, replayed: false };
      written.set(id, found);
      return found;
    },
    async schedule() {},
    async find(idOrSlug, locale) {
      if (locale === undefined) return current(idOrSlug);
      const id = ids.get(toPlaceKey({ slug: idOrSlug, locale }));
      return id === undefined ? null : current(id);
    },
  };
}

/** Leaves out what the service ignores: the weak mark of compressing caches, and what changes without a new version. */
const toStrongEtag = (etag: string): string => etag.replace(/^W\//, "").replace(/~[^"]*"$/, '"');

const makeRefusal = (code: string, status: number, message: string): CliError =>
  new CliError(code, message, toExit(code, status), { status });

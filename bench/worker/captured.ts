/** Records the statements of the service's stores once, so that the bare routes send exactly the same ones. */
import { openOrganizationStore } from "../../src/store/organization.ts";
import { openPublishedStore } from "../../src/store/articles/published.ts";
import { makeReader, type Database } from "../../src/store/core/sql.ts";
import { findCredential } from "../../src/store/access/system-credentials.ts";
import { SCOPES } from "../../src/domain/principal.ts";
import { parseQuotas } from "../../src/domain/quotas.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Fixture, MeasuredArticle } from "../fixture.ts";

export type Statement = { readonly text: string; readonly params: readonly unknown[] };

/** A placeholder for the value that each request brings: a slug, or the hash of a secret. */
export const ASKED = "what-the-request-asks-for";

/** The statements by route. Each list is one round trip: a query or a batch. */
export type Captured = Awaited<ReturnType<typeof capture>>;

/** The caller, and the article that is written. */
export type Asked = Pick<Fixture, "organizationId" | "blogId" | "keyId"> & { readonly article: MeasuredArticle };

/** Records the statements of the operations that are measured. */
export async function capture({ organizationId, blogId, keyId, article }: Asked) {
  const list = { blogId, limit: 20, skip: 0 };
  const write = { ...article, blogId, description: "", coverUrl: "", slug: { given: ASKED } };
  const published = (db: Database) => openPublishedStore(() => ({ read: makeReader(db), primary: makeReader(db) }));
  const organization = (db: Database) =>
    openOrganizationStore({
      db,
      organizationId,
      pinnedBlogId: null,
      actor: { kind: "key", id: keyId, scopes: SCOPES },
      requestId: newId(),
      now: () => new Date(),
      quota: parseQuotas({}),
      announce: () => undefined,
      afterwards: () => undefined,
    });
  return {
    credential: await recorded((db) => findCredential(db, ASKED)),
    bySlug: await recorded((db) => published(db).findArticle({ idOrSlug: ASKED })),
    list: await recorded((db) => published(db).listArticles(list)),
    fields: await recorded((db) => published(db).listArticles({ ...list, fields: ["_id", "title", "slug"] })),
    ownList: await recorded((db) => organization(db).listArticles(list)),
    write: await recorded((db) => organization(db).createArticle(write)),
  };
}

/** Runs `work` with an empty database and returns the statements that it sends. */
async function recorded(work: (db: Database) => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const results: unknown[] = [];
  const statement = (text: string, params: readonly unknown[]) => ({
    text,
    params,
    bind: (...values: unknown[]) => statement(text, values),
    async all() {
      seen.push({ text, params });
      return { results };
    },
  });
  const db: unknown = {
    prepare: (text: string) => statement(text, []),
    async batch(statements: readonly Statement[]) {
      seen.push(...statements.map(({ text, params }) => ({ text, params })));
      return statements.map(() => ({ results }));
    },
  };
  // The database returns no rows, so a write fails as refused. All its statements are recorded by then.
  await work(db as Database).catch(() => undefined);
  return seen;
}

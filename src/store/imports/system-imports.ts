/** Imports of all organizations, for the worker that runs them. */
import { and, eq, gt, inArray, isNotNull, lt, sql, type SQL } from "drizzle-orm";
import { IMPORT_LIMITS, WORKING, type ImportRemark, type ImportState } from "../../domain/imports.ts";
import { toPlaceKey } from "../../domain/slug.ts";
import { newId } from "../../lib/ids.ts";
import { DAY_MS } from "../../lib/time.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { idempotency } from "../../schema/core.ts";
import { builder, queryFirstRow, orm, queryRows, runTransaction, type Database } from "../core/sql.ts";
import { isActive, isHere } from "../core/suspension.ts";
import { isShown } from "../blogs/names.ts";
import { importedArticles, importedPictures, imports } from "../../schema/imports.ts";

const isInStates = (...some: ImportState[]) => inArray(imports.state, some);

export type Import = typeof imports.$inferSelect;
export type ImportedRow = typeof importedArticles.$inferSelect;
export type NewImported = Omit<ImportedRow, "importId" | "articleId" | "version">;

/** How long an invocation has an import to itself after its last progress. */
const LEASE_MS = 60_000;

const computeLease = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();
const isMine = ({ id, turn }: Import): SQL => sql`${imports.id} = ${id} and ${imports.turn} = ${turn}`;

/** Claims an import for {@link LEASE_MS}. Returns null if another invocation has it, it has no work, or its organization is suspended or at its ceiling. */
export async function takeImport(db: Database, id: string, now: Date): Promise<Import | null> {
  const [taken] = await orm(db)
    .update(imports)
    .set({ turn: newId(), leaseTime: computeLease(now), tries: sql`${imports.tries} + 1` })
    .where(
      and(
        eq(imports.id, id),
        isInStates(...WORKING),
        lt(imports.leaseTime, now.toISOString()),
        isShown(imports.blogId),
        isActive(imports.organizationId),
      ),
    )
    .returning();
  return taken ?? null;
}

/** Records progress of an import, and renews its lease. Returns false if another invocation has it by now. */
export async function keepImport(db: Database, claim: Import, set: Partial<Import>, now: Date): Promise<boolean> {
  const kept = await orm(db)
    .update(imports)
    .set({ leaseTime: computeLease(now), tries: 0, ...set })
    .where(isMine(claim))
    .returning({ id: imports.id });
  return kept.length > 0;
}

/** Releases an import: to the next message, or in its last state. */
export async function leaveImport(db: Database, of: Import, set: Partial<Import> = {}): Promise<void> {
  await orm(db)
    .update(imports)
    .set({ turn: "", leaseTime: "", ...set })
    .where(isMine(of));
}

/** Ends a phase that has handled all articles. */
export const endImport = (db: Database, of: Import, set: Partial<Import>): Promise<void> =>
  leaveImport(db, of, { ...set, position: sql`${imports.total}` as never });

/** Returns whether the blog of an import is hidden: the import rests. */
export const isResting = async (db: Database, { blogId }: Import): Promise<boolean> =>
  (await queryFirstRow(db, sql`select 1 where not ${isShown(sql`${blogId}`)}`)) !== null;

export async function isForgotten(db: Database, id: string): Promise<boolean> {
  return (await orm(db).select({ id: imports.id }).from(imports).where(eq(imports.id, id))).length === 0;
}

/** Returns the default locale of an import's blog. */
export async function findDefaultLocale(db: Database, { blogId }: Import): Promise<string> {
  const [found] = await orm(db).select({ locales: blogs.locales }).from(blogs).where(eq(blogs.id, blogId));
  return found?.locales[0] ?? "en";
}

/** Returns the name of each article that an import has read so far, by its slug and locale. */
export async function listPlaces(db: Database, { id }: Import): Promise<Map<string, string>> {
  const { slug, locale, name } = importedArticles;
  const found = await orm(db)
    .select({ slug, locale, name })
    .from(importedArticles)
    .where(and(eq(importedArticles.importId, id), eq(importedArticles.state, "ready")));
  return new Map(found.map((each) => [toPlaceKey(each), each.name]));
}

/** Returns which of these places (`slug locale`) are taken by articles of the blog. */
export async function findTakenPlaces(
  db: Database,
  { blogId }: Import,
  places: readonly string[],
): Promise<Set<string>> {
  const found = await queryRows<{ place: string }>(
    db,
    sql`select w.value as "place" from json_each(${JSON.stringify(places)}) w cross join ${articles}
      where ${articles.blogId} = ${blogId} and ${articles.slug} = substr(w.value, 1, instr(w.value, ' ') - 1)
        and ${articles.locale} = substr(w.value, instr(w.value, ' ') + 1)`,
  );
  return new Set(found.map(({ place }) => place));
}

export type Checked = {
  readonly articles: readonly NewImported[];
  readonly position: number;
  readonly remarks: readonly ImportRemark[];
};

/** Stores articles that were read. Returns false, and stores nothing, if another invocation has the import by now. */
export async function addImported(
  db: Database,
  of: Import,
  { articles, position, remarks }: Checked,
  now: Date,
): Promise<boolean> {
  const { kept } = await runTransaction(db, {
    added: sql`insert into ${importedArticles} (import_id, number, name, title, slug, locale, published, state, losses, problem)
      select ${of.id}, a.value ->> 'number', a.value ->> 'name', a.value ->> 'title', a.value ->> 'slug', a.value ->> 'locale',
        a.value ->> 'published', a.value ->> 'state', a.value -> 'losses', a.value ->> 'problem'
      from json_each(${JSON.stringify(articles)}) a where exists (select 1 from ${imports} where ${isMine(of)})
      on conflict do nothing`,
    kept: builder
      .update(imports)
      .set({ position, remarks, leaseTime: computeLease(now), tries: 0 })
      .where(isMine(of))
      .returning({ id: imports.id }),
  });
  return kept.length > 0;
}

/** Returns the next articles in a state. A `ready` one with an id was created, but not all of its redirects. */
export const listNextImported = (
  db: Database,
  { id }: Import,
  state: "ready" | "created",
  most: number,
): Promise<ImportedRow[]> =>
  orm(db)
    .select()
    .from(importedArticles)
    .where(
      and(
        eq(importedArticles.importId, id),
        state === "ready"
          ? eq(importedArticles.state, state)
          : and(inArray(importedArticles.state, ["ready", state]), isNotNull(importedArticles.articleId)),
      ),
    )
    .orderBy(importedArticles.number)
    .limit(most);

/**
 * Returns the idempotency key under which the nth start of an import creates an article. Each start has its own, so
 * that none repeats a refusal. Callers cannot send a line break in a key, so they cannot make an import adopt an
 * article.
 */
export const makeImportKey = ({ id, starts }: Pick<Import, "id" | "starts">, number: number): string =>
  `import\n${id}-${number}-${starts}`;

/** Records the next article if an earlier start created but did not record it. Stored responses name it for a day. */
export async function adoptCreated(db: Database, { id, organizationId }: Import): Promise<void> {
  const [next] = await orm(db)
    .select({ number: importedArticles.number, articleId: importedArticles.articleId })
    .from(importedArticles)
    .where(and(eq(importedArticles.importId, id), eq(importedArticles.state, "ready")))
    .orderBy(importedArticles.number)
    .limit(1);
  if (next === undefined || next.articleId !== null) return;
  const prefix = makeImportKey({ id, starts: 0 }, next.number).slice(0, -1);
  const made = await queryFirstRow<{ articleId: string; version: string }>(
    db,
    sql`select answer ->> '$.value._id' as "articleId", answer ->> '$.version' as "version" from ${idempotency}
      where ${idempotency.organizationId} = ${organizationId} and ${idempotency.key} between ${prefix} and ${`${prefix}~`}
        and answer ->> '$.value._id' is not null limit 1`,
  );
  if (made === null) return;
  await orm(db)
    .update(importedArticles)
    .set(made)
    .where(and(eq(importedArticles.importId, id), eq(importedArticles.number, next.number)));
}

export type Settled = Partial<Pick<ImportedRow, "state" | "articleId" | "version" | "losses" | "problem" | "slug">>;

/** Records an article's outcome, and renews the lease. Returns false if another invocation has the import. */
export async function settleImported(
  db: Database,
  of: Import,
  { number, ...settled }: Settled & Pick<ImportedRow, "number">,
  now: Date,
): Promise<boolean> {
  const { kept } = await runTransaction(db, {
    settled: builder
      .update(importedArticles)
      .set(settled)
      .where(and(eq(importedArticles.importId, of.id), eq(importedArticles.number, number))),
    kept: builder
      .update(imports)
      .set({ position: number + 1, leaseTime: computeLease(now), tries: 0 })
      .where(isMine(of))
      .returning({ id: imports.id }),
  });
  return kept.length > 0;
}

export type PictureRow = typeof importedPictures.$inferSelect;

/** Returns the outcome of a picture; null if there is none yet. */
export async function findPicture(db: Database, importId: string, key: string): Promise<PictureRow | null> {
  const [found] = await orm(db)
    .select()
    .from(importedPictures)
    .where(and(eq(importedPictures.importId, importId), eq(importedPictures.key, key)));
  return found ?? null;
}

/** Records the outcome of a picture, and renews the lease. */
export async function keepPicture(
  db: Database,
  of: Import,
  picture: Omit<PictureRow, "importId">,
  now: Date,
): Promise<void> {
  await orm(db)
    .insert(importedPictures)
    .values({ ...picture, importId: of.id })
    .onConflictDoNothing();
  await keepImport(db, of, {}, now);
}

/** Returns pictures that an import has created, in the order of their keys. */
export const listCreatedPictures = (db: Database, { id }: Import, after: string, most: number): Promise<PictureRow[]> =>
  orm(db)
    .select()
    .from(importedPictures)
    .where(and(eq(importedPictures.importId, id), isNotNull(importedPictures.mediaId), gt(importedPictures.key, after)))
    .orderBy(importedPictures.key)
    .limit(most);

/** Forgets a picture of an import that was deleted. */
export async function forgetPicture(db: Database, { id }: Import, key: string): Promise<void> {
  await orm(db)
    .delete(importedPictures)
    .where(and(eq(importedPictures.importId, id), eq(importedPictures.key, key)));
}

/** Returns imports that have work and no invocation: at most `most`. The states are written as in the index. */
export const findWaitingImports = (
  db: Database,
  now: Date,
  most: number,
): Promise<{ importId: string; organizationId: string }[]> =>
  orm(db)
    .select({ importId: imports.id, organizationId: imports.organizationId })
    .from(imports)
    .where(
      and(
        sql`${imports.state} in ('checking', 'running', 'undoing')`,
        lt(imports.leaseTime, now.toISOString()),
        isShown(imports.blogId),
        isActive(imports.organizationId),
      ),
    )
    .orderBy(imports.leaseTime)
    .limit(most);

type Old = Pick<Import, "id" | "organizationId" | "state">;

/** Returns imports whose time is over: their file has not arrived, nobody started them, or they ended long ago. */
export const findOldImports = (db: Database, now: Date, most: number): Promise<Old[]> => {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const { id, organizationId, state, creationTime } = imports;
  return orm(db)
    .select({ id, organizationId, state })
    .from(imports)
    .where(
      and(
        lt(creationTime, before(UPLOAD_MS)),
        isHere(organizationId),
        sql`(${isInStates("uploading")} or (${lt(creationTime, before(IMPORT_LIMITS.waitingDays * DAY_MS))}
          and (${isInStates("checked")} or (${isInStates("failed")} and ${imports.startTime} is null)))
          or (${lt(creationTime, before(IMPORT_LIMITS.keptDays * DAY_MS))} and ${isInStates("done", "failed", "undone")}))`,
      ),
    )
    .orderBy(creationTime)
    .limit(most);
};

/** The longest time that an upload may take, in milliseconds. */
const UPLOAD_MS = 60 * 60_000;

/** Forgets an import, if it is still in this state. */
export async function forgetImport(db: Database, { id, state }: Old): Promise<void> {
  await orm(db)
    .delete(imports)
    .where(and(eq(imports.id, id), eq(imports.state, state)));
}

/** Returns the version of an article, and how many working copies it has; null if it is gone. */
export async function findVersion(db: Database, id: string): Promise<{ version: string; copies: number } | null> {
  return queryFirstRow(
    db,
    sql`select ${articles.version} as "version",
      (select count(*) from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}) as "copies"
      from ${articles} where ${articles.id} = ${id}`,
  );
}

/** Imports by upload as people see and direct them. system-imports.ts does their work. */
import { and, eq, getTableColumns, gte, sql, type SQL } from "drizzle-orm";
import { IMPORT_LIMITS, type ImportedState, type ImportState, type ImportWishes } from "../../domain/imports.ts";
import type { BackgroundActor } from "../../domain/background-actor.ts";
import { decodeScoreCursor, encodeScoreCursor } from "../../domain/cursor.ts";
import { DomainError } from "../../domain/errors.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginateById, toPage, type Paged, type PageQuery } from "../core/paging.ts";
import { selectOwnBlogId, resolveTargetBlog } from "../core/reach.ts";
import { joinAnd, builder, queryFirstRow, insertWhere, isAmong, orm, queryRows } from "../core/sql.ts";
import { isHere, makeMovingError } from "../core/suspension.ts";
import { IMPORT, toImport, type ImportRecord, type ImportRow } from "./record.ts";
import { importedArticles, imports } from "../../schema/imports.ts";

export type NewImport = {
  readonly id: string;
  readonly blogId: string;
  readonly fileName: string;
  readonly wishes: ImportWishes;
  readonly actor: BackgroundActor;
};

const ENDED: readonly ImportState[] = ["done", "failed", "undone"];

const isOwnImport = (writer: Writer, blogId: string, id: string): SQL =>
  joinAnd(eq(imports.id, id), sql`${imports.blogId} = ${selectOwnBlogId(writer, blogId)}`);

/** Records an import before its file arrives. Throws `blog_forbidden`, and `import_limit` if too many wait. */
export async function beginImport(writer: Writer, { id, ...given }: NewImport): Promise<void> {
  const license = makeLicense(writer);
  const target = resolveTargetBlog(writer, given.blogId);
  const { organizationId } = writer;
  const hasRoom = sql`(select count(*) from ${imports} where ${imports.organizationId} = ${organizationId}
    and not ${isAmong(imports.state, ENDED)}) < ${IMPORT_LIMITS.unfinished}`;
  const row = { ...given, id, organizationId, state: "uploading" as const, creationTime: license.time };
  const outcome = await commit(writer, license, {
    action: "imports.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${joinAnd(target.is, hasRoom)}`,
    change: ({ held }) => [insertWhere(imports, row, sql`where ${held}`)],
    answer: sql`null`,
    diagnose: target.found,
  });
  if (!outcome.refused) return;
  target.requireOne(outcome.diagnosis);
  throw new DomainError("import_limit");
}

/** Starts the check of an import whose file has arrived, and returns the import. Throws `not_found`. */
export async function checkImport(
  writer: Writer,
  { id, bytes }: { readonly id: string; readonly bytes: number },
): Promise<ImportRecord> {
  await orm(writer.db)
    .update(imports)
    .set({ state: "checking", bytes })
    .where(
      and(
        eq(imports.id, id),
        eq(imports.organizationId, writer.organizationId),
        eq(imports.state, "uploading"),
        isHere(imports.organizationId),
      ),
    );
  const row = await queryFirstRow<ImportRow>(
    writer.db,
    sql`select ${IMPORT} as "value" from ${imports} where ${imports.id} = ${id}`,
  );
  if (row === null) throw new DomainError("not_found", NO_IMPORT);
  const found = toImport(row);
  if (found.state === "uploading") throw makeMovingError();
  return found;
}

/** Forgets an import whose file has not arrived. */
export async function abandonImport({ db, organizationId }: Writer, id: string): Promise<void> {
  await orm(db)
    .delete(imports)
    .where(and(eq(imports.id, id), eq(imports.organizationId, organizationId), eq(imports.state, "uploading")));
}

const NO_IMPORT = "There is no such import.";

/** Returns a page of a blog's imports, newest first. Throws `blog_forbidden` and `invalid_cursor`. */
export async function listImports(
  writer: Writer,
  { blogId, ...query }: PageQuery & { readonly blogId: string },
): Promise<Paged<ImportRecord>> {
  const page = paginateById(query, imports.id);
  const found = await orm(writer.db)
    .select({ value: sql<string>`${IMPORT}`.as("value"), _id: imports.id, creationTime: imports.creationTime })
    .from(imports)
    .where(and(sql`${imports.blogId} = ${selectOwnBlogId(writer, blogId)}`, page.from))
    .orderBy(page.order)
    .limit(page.limit)
    .offset(page.offset);
  if (found.length === 0) {
    const target = resolveTargetBlog(writer, blogId);
    target.requireOne(await queryRows(writer.db, target.found));
  }
  return toPage(query, found, toImport);
}

/** Returns an import. Throws `not_found`. */
export async function findImport(writer: Writer, blogId: string, id: string): Promise<ImportRecord> {
  const query = sql`select ${IMPORT} as "value" from ${imports} where ${isOwnImport(writer, blogId, id)}`;
  const row = await queryFirstRow<ImportRow>(writer.db, query);
  if (row === null) throw new DomainError("not_found", NO_IMPORT);
  return toImport(row);
}

export type ImportedArticle = {
  readonly number: number;
  readonly name: string;
  readonly title: string;
  readonly slug: string;
  readonly locale: string;
  readonly published: boolean;
  readonly state: ImportedState;
  readonly articleId: string | null;
  readonly publishTime: string | null;
  readonly losses: string[];
  readonly problem: string | null;
};

export type ImportedQuery = PageQuery & {
  readonly blogId: string;
  readonly importId: string;
  readonly state?: ImportedState | undefined;
  readonly lossy?: boolean | undefined;
};

/** Returns a page of the articles of an import, in the order of its file. Throws `not_found` and `invalid_cursor`. */
export async function listImportedArticles(writer: Writer, query: ImportedQuery): Promise<Paged<ImportedArticle>> {
  const { blogId, importId, state, lossy, limit, skip, cursor } = query;
  await findImport(writer, blogId, importId);
  const from = cursor === undefined ? undefined : decodeScoreCursor(cursor);
  const { importId: of, version: _, published, problem, ...columns } = getTableColumns(importedArticles);
  const found = await orm(writer.db)
    .select({ ...columns, published, problem, publishTime: articles.publishTime })
    .from(importedArticles)
    .leftJoin(articles, eq(articles.id, columns.articleId))
    .where(
      and(
        eq(of, importId),
        from && gte(columns.number, from.score),
        state && eq(columns.state, state),
        lossy === undefined ? undefined : sql`(${columns.losses} <> '[]') = ${lossy ? 1 : 0}`,
      ),
    )
    .orderBy(columns.number)
    .limit(limit + 1)
    .offset(skip);
  const following = found[limit];
  return {
    items: found
      .slice(0, limit)
      .map((row) => Object.assign(row, { published: row.published === 1, problem: row.problem || null })),
    next: following && encodeScoreCursor({ score: following.number, id: importId }),
  };
}

type Step = {
  readonly action: string;
  readonly may: SQL;
  readonly set: Partial<typeof imports.$inferInsert>;
  /** Whether articles that were kept are tried again. */
  readonly again?: true;
};

/** Moves an import on, unless its state does not allow the step. Throws `not_found` and `import_state`. */
async function takeStep(
  writer: Writer,
  { blogId, id }: ImportTarget,
  { action, may, set, again }: Step,
): Promise<ImportRecord> {
  const license = makeLicense(writer);
  const own = isOwnImport(writer, blogId, id);
  const stored = sql<ImportRow>`select ${IMPORT} as "value" from ${imports} where ${imports.id} = ${id}`;
  const outcome = await commit(writer, license, {
    action,
    resourceId: id,
    blogId,
    where: sql`from ${imports} where ${joinAnd(own, may)}`,
    change: ({ held }) => ({
      before: [
        builder
          .update(imports)
          .set({ problem: "", position: 0, tries: 0, leaseTime: "", finishTime: null, ...set })
          .where(and(eq(imports.id, id), held)),
        ...(again ? [retryKept(id, held)] : []),
      ],
      returning: stored,
      again: () => stored,
    }),
    answer: sql`(select json_object('value', json(${IMPORT})) from ${imports} where ${imports.id} = ${id})`,
    diagnose: sql`select 1 from ${imports} where ${own}`,
  });
  if (!outcome.refused) return toImport(outcome.row);
  if (outcome.diagnosis.length === 0) throw new DomainError("not_found", NO_IMPORT);
  throw new DomainError("import_state");
}

const retryKept = (id: string, held: SQL) =>
  builder
    .update(importedArticles)
    .set({ state: "created", problem: "" })
    .where(and(eq(importedArticles.importId, id), eq(importedArticles.state, "kept"), held));

export type ImportTarget = { readonly blogId: string; readonly id: string };

const WAS_STARTED = sql`${imports.startTime} is not null`;

/** Has a checked import create its articles, or continue after a failure. Throws `not_found` and `import_state`. */
export const startImport = (writer: Writer, ref: ImportTarget, actor: BackgroundActor): Promise<ImportRecord> =>
  takeStep(writer, ref, {
    action: "imports.start",
    may: sql`(${imports.state} = 'checked' or (${imports.state} = 'failed' and ${WAS_STARTED}))`,
    set: {
      state: "running",
      actor,
      startTime: writer.now().toISOString(),
      starts: sql`${imports.starts} + 1` as never,
    },
  });

/** Starts the deletion of what an import has created. Throws `not_found` and `import_state`. */
export const undoImport = (
  writer: Writer,
  of: ImportTarget,
  actor: BackgroundActor,
  force: boolean,
): Promise<ImportRecord> =>
  takeStep(writer, of, {
    action: "imports.undo",
    may: sql`(${imports.state} in ('done', 'undone') or (${imports.state} = 'failed' and ${WAS_STARTED}))`,
    set: { state: "undoing", actor, undoChanged: force ? 1 : 0 },
    again: true,
  });

/** Forgets an import, not its articles. Throws `not_found`, and `import_state` while it works. */
export async function deleteImport(writer: Writer, { blogId, id }: ImportTarget): Promise<void> {
  const own = isOwnImport(writer, blogId, id);
  const outcome = await commit(writer, makeLicense(writer), {
    action: "imports.delete",
    resourceId: id,
    blogId,
    where: sql`from ${imports} where ${joinAnd(own, sql`${imports.state} not in ('running', 'undoing')`)}`,
    change: ({ held }) => [builder.delete(imports).where(and(eq(imports.id, id), held))],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select 1 from ${imports} where ${own}`,
  });
  if (!outcome.refused) return;
  if (outcome.diagnosis.length === 0) throw new DomainError("not_found", NO_IMPORT);
  throw new DomainError("import_state");
}

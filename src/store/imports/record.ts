/** What the API shows of an import. */
import { sql, type SQL } from "drizzle-orm";
import type { ImportRemark, ImportState, ImportWishes } from "../../domain/imports.ts";
import { compileFragment, jsonObject } from "../core/sql.ts";
import type { TermKind } from "../../domain/terms.ts";
import { redirects } from "../../schema/redirects.ts";
import { slugTerms } from "../../schema/terms.ts";
import { importedArticles as articles, importedPictures as pictures, imports } from "../../schema/imports.ts";

export type ImportRecord = {
  _id: string;
  blogId: string;
  state: ImportState;
  fileName: string;
  bytes: number;
  format: "ghost" | "wordpress" | "markdown" | null;
  wishes: ImportWishes;
  total: number;
  position: number;
  counts: Record<(typeof COUNTED)[number] | (typeof BESIDE)[number], number>;
  remarks: ImportRemark[];
  problem: string | null;
  creationTime: string;
  startTime: string | null;
  finishTime: string | null;
};

const COUNTED = ["ready", "drafts", "lossy", "refused", "created", "failed", "deleted", "kept"] as const;

const BESIDE = ["pictures", "tags", "authors", "redirects"] as const;

const countInState = (state: string): SQL => sql`coalesce(sum(${articles.state} = ${sql.raw(`'${state}'`)}), 0)`;

/** The articles that an import has created and not deleted. */
const CREATED = sql`from ${articles} where ${articles.importId} = ${imports.id} and ${articles.state} in ('created', 'kept')`;

/** How many rows belong to an import's articles. 0 until it ends, because pages poll it while it works. */
const countOnceEnded = (count: SQL): SQL => sql`iif(${imports.state} in ('done', 'failed', 'undone'), (${count}), 0)`;

const countTerms = (kind: TermKind): SQL =>
  countOnceEnded(sql`select count(distinct ${slugTerms.termId}) from ${slugTerms} where ${slugTerms.blogId} = ${imports.blogId}
    and ${slugTerms.slug} in (select ${articles.slug} ${CREATED}) and ${slugTerms.kind} = ${sql.raw(`'${kind}'`)}`);

/** The numbers of an import's articles as JSON. `drafts` and `lossy` leave out refused articles or count among all. */
const COUNTS = sql`(select ${jsonObject({
  ready: countInState("ready"),
  drafts: sql`coalesce(sum(${articles.published} = 0 and ${articles.state} <> 'refused'), 0)`,
  lossy: sql`coalesce(sum(${articles.losses} <> '[]'), 0)`,
  refused: countInState("refused"),
  created: countInState("created"),
  failed: countInState("failed"),
  deleted: countInState("deleted"),
  kept: countInState("kept"),
  pictures: sql`(select count(*) from ${pictures} where ${pictures.importId} = ${imports.id} and ${pictures.url} is not null)`,
  tags: countTerms("tag"),
  authors: countTerms("author"),
  redirects: countOnceEnded(
    sql`select count(*) from ${redirects} where ${redirects.articleId} in (select ${articles.articleId} ${CREATED})`,
  ),
})} from ${articles} where ${articles.importId} = ${imports.id})`;

export const IMPORT = compileFragment(
  jsonObject({
    _id: imports.id,
    blogId: imports.blogId,
    state: imports.state,
    fileName: imports.fileName,
    bytes: imports.bytes,
    format: sql`nullif(${imports.format}, '')`,
    wishes: sql`json(${imports.wishes})`,
    total: imports.total,
    position: imports.position,
    counts: sql`json(${COUNTS})`,
    remarks: sql`json(${imports.remarks})`,
    problem: sql`nullif(${imports.problem}, '')`,
    creationTime: imports.creationTime,
    startTime: imports.startTime,
    finishTime: imports.finishTime,
  }),
);

export type ImportRow = { readonly value: string };

export const toImport = ({ value }: ImportRow): ImportRecord => JSON.parse(value) as ImportRecord;

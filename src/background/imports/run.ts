/** Creates the articles of an import, each once: a repeated write has the same idempotency key. */
import { FIELDS } from "../../../packages/import/article.ts";
import { listRedirects, toRedirectSource } from "../../../packages/import/redirects.ts";
import { Remarks } from "../../../packages/import/remarks.ts";
import { A_SOURCE, formatSource } from "../../domain/redirects.ts";
import { pick } from "../../lib/pick.ts";
import { getArticle, putArticle } from "../media/import-files.ts";
import { saveArticle } from "../../operations/articles.ts";
import { addRedirect } from "../../operations/redirects.ts";
import { setSchedule } from "../../operations/schedules.ts";
import {
  makeImportKey,
  listNextImported,
  settleImported,
  type ImportedRow,
  type Settled,
} from "../../store/imports/system-imports.ts";
import { toStoredArticle, type StoredArticle } from "./files.ts";
import { importPictures } from "./pictures.ts";
import { Lost, runOperation, requireRefusal, Stopped, TAKEN, type Ended, type Work } from "./work.ts";

const AT_ONCE = 20;
/** How many queries an article and a redirect take: more than test/budgets counts for their operations. */
const OF_ARTICLE = 30;
const OF_REDIRECT = 10;

export async function createArticles(work: Work): Promise<Ended> {
  const { db, of, now, budget } = work;
  for (;;) {
    const some = await listNextImported(db, of, "ready", AT_ONCE);
    if (some.length === 0) return { kind: "over" };
    for (const row of some) {
      if (budget.isSpent) return { kind: "more" };
      const settled = await createImported(work, row);
      if (!(await settleImported(db, of, { ...settled, number: row.number }, now()))) throw new Lost();
    }
  }
}

/** Creates an article. Returns its new state. Throws errors that concern the whole import, and errors that pass. */
async function createImported(work: Work, row: ImportedRow): Promise<Settled> {
  const { bucket, of } = work;
  const stored = await getArticle<StoredArticle>(bucket, of, row.number);
  if (stored === null) return { state: "failed", problem: "what was read of it is gone" };
  const remarks = new Remarks().forArticle(row.name);
  try {
    const article = await prepareArticle(work, row.number, stored, remarks);
    const { articleId, version } = await createWithSchedule(work, row, article, remarks);
    await addRedirects(work, articleId, article, remarks);
    const losses = [...row.losses, ...remarks.listReasons(row.name)];
    return { state: "created", articleId, version, losses };
  } catch (error) {
    const { code, message } = requireRefusal(error);
    if (code === "quota_exceeded") throw new Stopped(message, { cause: error });
    return { state: "failed", problem: code === "slug_taken" ? TAKEN : message };
  }
}

/**
 * Returns the article with the addresses of its pictures in the library. Stores it before it is created, because a
 * repeated attempt must send the same.
 */
async function prepareArticle(
  work: Work,
  number: number,
  stored: StoredArticle,
  remarks: Remarks,
): Promise<StoredArticle> {
  const { bucket, of } = work;
  if (!of.wishes.pictures) return stored;
  if (stored.isPrepared) {
    for (const reason of stored.lost ?? []) remarks.note(reason, reason);
    return stored;
  }
  const article = await importPictures(work, stored, remarks);
  const lost = remarks.listNotes().map(({ reason }) => reason);
  const ready: StoredArticle = { ...toStoredArticle(article), isPrepared: true, lost };
  await putArticle(bucket, of, number, ready);
  return ready;
}

/** Creates the article unless it exists, and sets its schedule. Stores its id at once, so that undoing finds it. */
async function createWithSchedule(work: Work, row: ImportedRow, article: StoredArticle, remarks: Remarks) {
  const { budget } = work;
  const { articleId, version } = row.articleId === null ? await createArticle(work, row.number, article) : row;
  const { scheduledTime } = article;
  if (scheduledTime !== undefined) {
    budget.spend(OF_REDIRECT);
    await runOperation(work, setSchedule, { articleId, publishTime: scheduledTime }).catch((error: unknown) => {
      const { message } = requireRefusal(error);
      // Its time has passed while the import waited. It stays a draft that somebody can publish.
      remarks.note("schedules that could not be set", `it is a draft: its schedule could not be set (${message})`);
    });
  }
  return { articleId: articleId ?? "", version };
}

async function createArticle(work: Work, number: number, article: StoredArticle) {
  const { db, of, now, budget } = work;
  const members = { ...pick(article, FIELDS), ...article.extras };
  budget.spend(OF_ARTICLE);
  const manner = { idempotencyKey: makeImportKey(of, number) };
  const { value, version = "" } = await runOperation(work, saveArticle, { blogId: of.blogId, ...members }, manner);
  const made = { articleId: value._id, version };
  if (!(await settleImported(db, of, { number, ...made }, now()))) throw new Lost();
  return made;
}

/** The most old addresses of an article: one portion has to create all of them. */
const MOST_ADDRESSES = 50;

/** Redirects the old addresses of an article to it. Notes those that are refused. */
async function addRedirects(work: Work, articleId: string, stored: StoredArticle, remarks: Remarks): Promise<void> {
  const { of, budget } = work;
  const addresses = [...listRedirects(stored)];
  if (addresses.length > MOST_ADDRESSES)
    remarks.note("old addresses that are not kept", `of ${addresses.length} old addresses, ${MOST_ADDRESSES} are kept`);
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    const from = toRedirectSource(address);
    const fail = (reason: string) =>
      remarks.note("old addresses that are not kept", `${address} is not kept: ${reason}`);
    if (from === null) fail(A_SOURCE);
    else if (!of.actor.grants.includes("blogs:write")) fail("this needs the right to change the blog");
    else {
      budget.spend(OF_REDIRECT);
      const given = { blogId: of.blogId, from: formatSource(from), articleId };
      try {
        await runOperation(work, addRedirect, given);
      } catch (error) {
        fail(requireRefusal(error).message);
      }
    }
  }
}

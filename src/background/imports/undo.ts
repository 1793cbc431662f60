/** Deletes what an import has created, except for what was changed since then. */
import { deleteArticle } from "../../operations/articles.ts";
import { deleteMedia } from "../../operations/media.ts";
import {
  forgetPicture,
  keepImport,
  listCreatedPictures,
  listNextImported,
  settleImported,
  findVersion,
  type ImportedRow,
  type Settled,
} from "../../store/imports/system-imports.ts";
import { Lost, Pause, runOperation, requireRefusal, type Ended, type Work } from "./work.ts";

const AT_ONCE = 20;
const OF_ARTICLE = 25;
const OF_PICTURE = 15;

/** Deletes a portion: first the articles with their redirects, then the pictures. */
export async function undoPortion(work: Work): Promise<Ended> {
  return (await undoArticles(work)) ? undoPictures(work) : { kind: "more" };
}

/** Returns false if there are more. */
async function undoArticles(work: Work): Promise<boolean> {
  const { db, of, now, budget } = work;
  for (;;) {
    const some = await listNextImported(db, of, "created", AT_ONCE);
    if (some.length === 0) return true;
    for (const row of some) {
      if (budget.isSpent) return false;
      if (!(await settleImported(db, of, { ...(await deleteImported(work, row)), number: row.number }, now())))
        throw new Lost();
    }
  }
}

const CHANGED: Settled = { state: "kept", problem: "it was changed since it was imported" };

/** Deletes an article unless it was changed since it was imported. */
async function deleteImported(work: Work, { articleId, version }: ImportedRow): Promise<Settled> {
  const { db, of, budget } = work;
  budget.spend(OF_ARTICLE);
  const found = await findVersion(db, articleId ?? "");
  const gone: Settled = { state: "deleted", problem: "" };
  if (found === null || articleId === null) return gone;
  const isChanged = found.version !== version || found.copies > 0;
  if (isChanged && of.undoChanged === 0) return CHANGED;
  try {
    await runOperation(work, deleteArticle, { articleId }, { ifMatch: [found.version] });
    return gone;
  } catch (error) {
    const { code, message } = requireRefusal(error);
    if (code === "not_found") {
      if ((await findVersion(db, articleId)) === null) return gone;
      throw new Pause();
    }
    return code === "precondition_failed" ? CHANGED : { state: "kept", problem: message };
  }
}

async function undoPictures(work: Work): Promise<Ended> {
  const { db, of, now, budget } = work;
  for (let after = ""; ;) {
    const some = await listCreatedPictures(db, of, after, AT_ONCE);
    if (some.length === 0) return { kind: "over" };
    for (const { key, mediaId } of some) {
      if (budget.isSpent) return { kind: "more" };
      budget.spend(OF_PICTURE);
      try {
        await runOperation(work, deleteMedia, { mediaId, force: false });
        await forgetPicture(db, of, key);
      } catch (error) {
        // It is gone, or something else shows it.
        requireRefusal(error);
      }
      after = key;
    }
    if (!(await keepImport(db, of, {}, now()))) throw new Lost();
  }
}

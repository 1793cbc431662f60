/** Opens the file of an import with the readers of packages/import/, which the command-line client uses, too. */
import type { Article, LocalFile } from "../../../packages/import/article.ts";
import { Unusable } from "../../../packages/import/article.ts";
import { detectFormat, OPENERS, START_BYTES } from "../../../packages/import/formats.ts";
import { openListed } from "../../../packages/import/markdown-source.ts";
import type { Remarks } from "../../../packages/import/remarks.ts";
import type { Source, Wishes } from "../../../packages/import/source.ts";
import { readImportBlocks, readImportBytes } from "../media/import-files.ts";
import { findDefaultLocale } from "../../store/imports/system-imports.ts";
import type { Work } from "./work.ts";

export async function openSource(work: Work, remarks: Remarks): Promise<Source> {
  const { db, bucket, of } = work;
  const { publication, pages, renameDuplicates, siteUrl, pictures, locale } = of.wishes;
  const wishes: Wishes = {
    publication,
    pages,
    renameDuplicates,
    siteUrl,
    media: pictures,
    locale: locale || (await findDefaultLocale(db, of)),
  };
  const format = detectFormat(await readImportBytes(bucket, of, 0, Math.min(START_BYTES, of.bytes)));
  if (format === null) throw new Unusable(UNKNOWN);
  if (format === "zip") {
    const { openZip } = await import("./zip.ts");
    return openListed(await openZip(work), wishes, remarks);
  }
  return OPENERS[format](() => readImportBlocks(bucket, of, of.bytes), wishes, remarks);
}

const UNKNOWN = "is neither an export of Ghost (JSON) or of WordPress (XML), nor a ZIP";

type NamedFile = Pick<LocalFile, "path" | "alt">;

/** An article as it is stored in R2 after it was read and before it is created. */
export type StoredArticle = Omit<Article, "files" | "coverFile"> & {
  readonly files?: readonly (readonly [address: string, file: NamedFile])[];
  readonly coverFile?: NamedFile;
  /** Its pictures have their addresses in the library. */
  readonly isPrepared?: true;
  /** What was lost when it was prepared. */
  readonly lost?: readonly string[];
};

const toNamedFile = ({ path, alt }: LocalFile): NamedFile => ({ path, ...(alt !== undefined && { alt }) });

export const toStoredArticle = ({ files, coverFile, ...article }: Article): StoredArticle => ({
  ...article,
  ...(files && { files: [...files].map(([address, file]) => [address, toNamedFile(file)] as const) }),
  ...(coverFile && { coverFile: toNamedFile(coverFile) }),
});

export function fromStoredArticle(
  stored: StoredArticle,
  read: (path: string, most: number) => Promise<Uint8Array<ArrayBuffer>>,
): Article {
  const { files, coverFile, ...article } = stored;
  const open = (file: NamedFile): LocalFile => ({ ...file, read: (most) => read(file.path, most) });
  return {
    ...article,
    ...(files && { files: new Map(files.map(([address, file]) => [address, open(file)] as const)) }),
    ...(coverFile && { coverFile: open(coverFile) }),
  };
}

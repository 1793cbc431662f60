/** The content of posts of Ghost. An export may have it in several forms. */
import { Unusable } from "./article.ts";
import type { Piece } from "./ghost-cards.ts";
import { reduceCards } from "./ghost-html.ts";
import { convertLexical } from "./ghost-lexical.ts";
import { convertMobiledoc, findSoleMarkdown } from "./ghost-mobiledoc.ts";
import { htmlToMarkdown } from "./html.ts";
import { RELATIVE, type OldSite } from "./old-site.ts";
import type { Remarks } from "./remarks.ts";
import type { Wishes } from "./source.ts";

type Forms = Readonly<Record<"mobiledoc" | "lexical" | "html" | "markdown", string>>;

/** Ghost writes this placeholder instead of its site's address. The export does not contain the address. */
export const SITE = "__GHOST_URL__";

export function toMarkdown(row: Forms, site: OldSite, wishes: Wishes, remarks: Remarks): string {
  const parts = joinPieces(listPieces(row, remarks))
    .map((piece) =>
      "markdown" in piece
        ? resolveSite(relinkMarkdown(piece.markdown, site, wishes, remarks), wishes, remarks)
        : htmlToMarkdown(replaceSite(piece.html, wishes), remarks, (tree) => {
            reduceCards(tree);
            site.relink(tree, remarks);
          }),
    )
    .filter((part) => part !== "");
  return parts.length === 1 ? parts.join("") : parts.map((part) => `${part.trimEnd()}\n`).join("\n");
}

function relinkMarkdown(markdown: string, site: OldSite, { siteUrl }: Wishes, remarks: Remarks): string {
  const start = [SITE, siteUrl].filter(Boolean).map((text) => text.replaceAll(/[.+?]/g, String.raw`\$&`));
  const link = new RegExp(String.raw`(?<=\]\(<?|\]:\s*<?|\bhref=["'])(?:${start.join("|")})(/[\w%~./-]*)`, "g");
  return markdown.replaceAll(link, (whole, path: string) => {
    const { href, remark } = site.findTarget(path);
    if (remark !== undefined) remarks.add(remark);
    return href === site.toAbsolute(path) ? whole : href;
  });
}

/**
 * Returns the first form of the content that a post has: Markdown (before version 1), a document with a single card
 * of Markdown, the HTML that Ghost rendered, or the document of the editor.
 */
function listPieces({ mobiledoc, lexical, html, markdown: former }: Forms, remarks: Remarks): Piece[] {
  const markdown = findSoleMarkdown(parseJson(mobiledoc)) ?? former;
  if (markdown !== "") return [{ markdown }];
  if (html !== "") return [{ html }];
  if (lexical === "" && mobiledoc === "") return [];
  const document = parseJson(lexical || mobiledoc);
  if (document === undefined) throw new Unusable("its document is not JSON");
  return lexical === "" ? convertMobiledoc(document, remarks) : convertLexical(document, remarks);
}

function parseJson(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}

/** Joins neighbouring pieces of HTML, so that the converter spaces their blocks as one text. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const together: Piece[] = [];
  for (const piece of pieces) {
    const last = together.at(-1);
    if (last !== undefined && "html" in last && "html" in piece)
      together.splice(-1, 1, { html: last.html + piece.html });
    else together.push(piece);
  }
  return together;
}

/** Replaces the placeholder by the address of the old site. If that is unknown, URLs become relative, with a remark. */
function resolveSite(markdown: string, wishes: Wishes, remarks: Remarks): string {
  if (wishes.siteUrl === "" && markdown.includes(SITE)) remarks.add(RELATIVE);
  return replaceSite(markdown, wishes);
}

const replaceSite = (text: string, { siteUrl }: Wishes): string =>
  text.replaceAll(/__GHOST_URL__(\/?)/g, (_, slash: string) => `${siteUrl}${slash || (siteUrl === "" ? "/" : "")}`);

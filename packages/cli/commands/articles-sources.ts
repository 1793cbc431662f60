/** The commands `articles sources` and `propose`. */
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, defineRow } from "./declare.ts";
import { formatTime } from "./shared.ts";

export function addSourceCommands(program: Command, context: Context): void {
  addRows(program, context, SOURCES);
}

type Sources = {
  readonly sources: readonly { readonly url: string; readonly title: string; readonly readTime: string }[];
  readonly claims: readonly { readonly text: string; readonly context: string; readonly backedBy: string }[];
};

function describeSources({ sources, claims }: Sources): string {
  if (sources.length === 0) return "It was generated from no sources.";
  const open = claims.filter(({ backedBy }) => backedBy === "nothing");
  const shown = sources.map(({ url, title, readTime }) => `${url}  ${title} (${formatTime(readTime)})`);
  const rest =
    claims.length === 0
      ? ["It has neither figures nor quotations."]
      : open.length === 0
        ? [`All ${claims.length} figures and quotations are backed.`]
        : ["Nothing backs these:", ...open.map(({ text, context }) => `- ${text}: ${context}`)];
  return [...shown, ...rest].map((line) => toPrintableLine(line)).join("\n");
}

const SOURCES = [
  defineRow(
    "GET /api/articles/{articleId}/sources",
    "articles sources",
    "show what an article was generated from, and which figures and quotations nothing backs",
    {
      example: "articles sources slow-mornings --blog field-notes",
      says: describeSources,
    },
  ),
  defineRow(
    "POST /api/articles/{articleId}/sources/proposal",
    "articles propose",
    "have an update proposed from the sources of an article, as its working copy",
    {
      example: "articles propose slow-mornings --blog field-notes",
      says: ({ _id }) => `Started. To see how far it is: edgepress generations get ${_id}`,
    },
  ),
];

/** All tools, in the order in which clients see them. */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { toJsonSchema } from "./schemas.ts";
import type { Tool } from "./tool.ts";
import {
  compareLocales,
  getArticle,
  getBlog,
  getUsage,
  listArticles,
  listAuthors,
  listBlogs,
  listTags,
  searchArticles,
} from "./tools/reading.ts";
import { compareRevisions, discardWorkingCopy, listRevisions } from "./tools/history.ts";
import { listApprovals, requestApproval } from "./tools/approvals.ts";
import { listSchedules, scheduleArticle } from "./tools/schedules.ts";
import { restoreRevision, updateArticle } from "./tools/editing.ts";
import { editArticle } from "./tools/patching.ts";
import { createEmbed, listMedia, uploadMedia } from "./tools/media.ts";
import { listEvents } from "./tools/events.ts";
import { listTopics, refreshTopics, researchTopics } from "./tools/topics.ts";
import {
  createArticle,
  createPreviewLink,
  deleteArticle,
  generateArticle,
  getGeneration,
  publishArticle,
  startGeneration,
  unpublishArticle,
} from "./tools/writing.ts";

export const tools: readonly Tool[] = [
  listBlogs,
  getBlog,
  listArticles,
  searchArticles,
  getArticle,
  compareLocales,
  listRevisions,
  compareRevisions,
  listTags,
  listMedia,
  listAuthors,
  listSchedules,
  listApprovals,
  getUsage,
  listEvents,
  researchTopics,
  listTopics,
  createArticle,
  updateArticle,
  editArticle,
  restoreRevision,
  discardWorkingCopy,
  createPreviewLink,
  uploadMedia,
  createEmbed,
  requestApproval,
  publishArticle,
  unpublishArticle,
  scheduleArticle,
  generateArticle,
  startGeneration,
  getGeneration,
  refreshTopics,
  deleteArticle,
];

export const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

const listed = new Map<Tool, ListedTool>();

/** Returns a tool as clients see it. Cached, because generating the schema is slow. */
export function toListedTool(tool: Tool): ListedTool {
  const known = listed.get(tool) ?? {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toJsonSchema(tool.input),
    annotations: tool.annotations,
  };
  listed.set(tool, known);
  return known;
}

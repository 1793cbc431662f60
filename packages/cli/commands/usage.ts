/** The commands `generations` and `usage`. */
import type { Command } from "commander";
import type { GenerationDetails, Usage } from "../client.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { addRows, makeChoice, defineRow } from "./declare.ts";
import { limit, formatTime } from "./shared.ts";

export function addUsageCommands(program: Command, context: Context): void {
  addRows(program, context, [
    defineRow("GET /api/generations", "generations list", "list what models have written, and what it cost", {
      members: {
        state: makeChoice("--state <state>", "only generations in this state", [
          "running",
          "stored",
          "answered",
          "failed",
        ]),
        limit: limit(20),
      },
      isDefault: true,
      example: "generations --json | jq 'map(.cost) | add'",
      none: "No generations.",
      one: "generation",
      columns: [
        { head: "STARTED (UTC)", cell: ({ creationTime }) => formatTime(creationTime) },
        { head: "OUTCOME", cell: ({ state, code }) => code ?? state },
        { head: "MODEL", cell: ({ model }) => model, shrinks: true },
        { head: "TOKENS", cell: (each) => (each.inputTokens + each.outputTokens).toLocaleString("en") },
        { head: "US$", cell: ({ cost }) => (cost === null ? "" : cost.toFixed(4)) },
        { head: "ARTICLE", cell: ({ articleId }) => articleId ?? "", drops: true },
      ],
    }),
    defineRow(
      "GET /api/generations/{generationId}",
      "generations get",
      "show how far a generation is, and its article",
      {
        members: { generationId: ["<generation>", "its id"] },
        says: (found) => describeGeneration(found),
      },
    ),
    defineRow("POST /api/generations/{generationId}/resume", "generations resume", "go on with one that failed", {
      members: { generationId: ["<generation>", "its id"] },
      says: ({ _id }) => `Resumed. To see how far it is: edgepress generations get ${_id}`,
    }),
    defineRow("GET /api/usage", "usage", "show how much the organization uses of its quotas", {
      example: "usage --json | jq .eventsPerDay.used",
      says: (usage, _, output) => formatQuotas(usage, output),
      after({ deliveriesPerDay: { waitingSince } }, output) {
        if (waitingSince !== null)
          output.warn(`Events have been waiting for the next day's deliveries since ${formatTime(waitingSince)} UTC.`);
      },
    }),
  ]);
}

function describeGeneration({ state, code, progress, articleId }: GenerationDetails): string {
  if (state === "failed") return `Failed: ${code}. To go on: edgepress generations resume`;
  if (articleId !== null) return `Stored: article ${articleId}`;
  return progress === null ? state : `${progress.step}, ${progress.done} of ${progress.total}`;
}

type Quotas = Omit<Usage, "days" | "months">;

const QUOTAS: Readonly<Record<keyof Quotas, string>> = {
  articles: "articles",
  articleBytes: "bytes of articles",
  answerBytes: "bytes of kept responses",
  mediaBytes: "bytes of images",
  revisionBytes: "bytes of earlier versions",
  contacts: "contacts",
  blogs: "blogs",
  credentials: "credentials",
  subscriptions: "webhook subscriptions",
  eventsPerDay: "events today",
  ideasPerDay: "topic ideas today",
  deliveriesPerDay: "deliveries today",
  modelTokensPerDay: "tokens of models today",
  rowsWrittenPerMonth: "database rows written this month",
  deliveriesPerMonth: "deliveries this month",
  modelTokensPerMonth: "tokens of models this month",
  pictureOperationsPerMonth: "image operations this month",
  requestsPerMinute: "requests a minute",
};

function formatQuotas(usage: Usage, output: Output): string {
  type Row = { readonly name: keyof Quotas } & Quotas[keyof Quotas];
  const rows = (Object.keys(QUOTAS) as (keyof Quotas)[]).map((name): Row => Object.assign({ name }, usage[name]));
  const amount = ({ name }: Row, number: number): string =>
    name.endsWith("Bytes")
      ? `${(Math.ceil((number / 1024 / 1024) * 10) / 10).toLocaleString("en")} MiB`
      : number.toLocaleString("en");
  const quotas = output.table<Row>(
    [
      { head: "QUOTA", cell: ({ name }) => QUOTAS[name], shrinks: true },
      { head: "USED", cell: (row) => (row.used === null ? "not reported" : amount(row, row.used)) },
      { head: "LIMIT", cell: (row) => (row.limit === null ? "none" : amount(row, row.limit)) },
      { head: "RESETS (UTC)", cell: (row) => ("resetTime" in row ? formatTime(row.resetTime) : ""), drops: true },
    ],
    rows,
  );
  const months = output.table(
    [
      { head: "MONTH", cell: ({ month }) => month },
      { head: "ROWS WRITTEN", cell: ({ rowsWritten }) => rowsWritten.toLocaleString("en") },
      { head: "DELIVERIES", cell: ({ deliveries }) => deliveries.toLocaleString("en") },
      { head: "TOKENS", cell: ({ modelTokens }) => modelTokens.toLocaleString("en") },
      { head: "IMAGES", cell: ({ pictureOperations }) => pictureOperations.toLocaleString("en") },
    ],
    usage.months,
  );
  return usage.months.length === 0 ? quotas : `${quotas}\n\n${months}`;
}

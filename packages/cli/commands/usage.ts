/** The commands `generations` and `usage`. */
import type { Command } from "commander";
import type { Usage } from "../client.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { addRows, makeChoice, defineRow } from "./declare.ts";
import { limit, formatTime } from "./shared.ts";

export function addUsageCommands(program: Command, context: Context): void {
  addRows(program, context, [
    defineRow("GET /api/generations", "generations", "list what models have written, and what it cost", {
      members: {
        state: makeChoice("--state <state>", "only generations in this state", [
          "running",
          "stored",
          "answered",
          "failed",
        ]),
        limit: limit(20),
      },
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

const QUOTAS: Readonly<Record<keyof Usage, string>> = {
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
  requestsPerMinute: "requests a minute",
};

function formatQuotas(usage: Usage, output: Output): string {
  type Row = { readonly name: keyof Usage } & Usage[keyof Usage];
  const rows = (Object.keys(QUOTAS) as (keyof Usage)[]).map((name): Row => Object.assign({ name }, usage[name]));
  const amount = ({ name }: Row, number: number): string =>
    name.endsWith("Bytes")
      ? `${(Math.ceil((number / 1024 / 1024) * 10) / 10).toLocaleString("en")} MiB`
      : number.toLocaleString("en");
  return output.table<Row>(
    [
      { head: "QUOTA", cell: ({ name }) => QUOTAS[name], shrinks: true },
      { head: "USED", cell: (row) => (row.used === null ? "not reported" : amount(row, row.used)) },
      { head: "LIMIT", cell: (row) => amount(row, row.limit) },
      { head: "RESETS (UTC)", cell: (row) => ("resetTime" in row ? formatTime(row.resetTime) : ""), drops: true },
    ],
    rows,
  );
}

/** The command `usage`. */
import type { Command } from "commander";
import type { Usage } from "../api.ts";
import type { Context } from "../context.ts";
import { when } from "./shared.ts";

export function addUsageCommand(program: Command, context: Context): void {
  program
    .command("usage")
    .description("show how much the organization uses of its quotas")
    .addHelpText("after", "\nExample:\n  $ edgepress usage --json | jq .eventsPerDay.used")
    .action(() => usage(context));
}

const NAMES: Readonly<Record<keyof Usage, string>> = {
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

async function usage({ output, client }: Context): Promise<void> {
  const { value } = await (await client()).get<Usage>("/api/usage");
  type Row = { readonly name: keyof Usage } & Usage[keyof Usage];
  const rows = (Object.keys(NAMES) as (keyof Usage)[]).map((name): Row => Object.assign({ name }, value[name]));
  const amount = ({ name }: Row, number: number): string =>
    name.endsWith("Bytes")
      ? `${(Math.ceil((number / 1024 / 1024) * 10) / 10).toLocaleString("en")} MiB`
      : number.toLocaleString("en");
  output.result(value, () =>
    output.table<Row>(
      [
        { head: "QUOTA", cell: ({ name }) => NAMES[name], shrinks: true },
        { head: "USED", cell: (row) => (row.used === null ? "not reported" : amount(row, row.used)) },
        { head: "LIMIT", cell: (row) => amount(row, row.limit) },
        { head: "RESETS (UTC)", cell: (row) => ("resetTime" in row ? when(row.resetTime) : ""), drops: true },
      ],
      rows,
    ),
  );
  const { waitingSince } = value.deliveriesPerDay;
  if (waitingSince !== null)
    output.warn(`Events have been waiting for the next day's deliveries since ${when(waitingSince)} UTC.`);
}

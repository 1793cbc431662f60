/** The commands `blogs hosts list|add|check|remove`. */
import type { Command } from "commander";
import type { SiteHost } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { printableLine } from "../terminal.ts";
import { BLOG, when } from "./shared.ts";

const NAMED = ["<host>", "the host name, such as journal.example.com"] as const;

type Options = { readonly blog?: string; readonly yes?: boolean };

export function addHostCommands(blogs: Command, context: Context): void {
  const hosts = blogs.command("hosts").description("custom domains of a blog's site");
  hosts
    .command("list")
    .description("list the hosts of a blog, with the status of their DNS records")
    .option(...BLOG)
    .addHelpText("after", "\nExample:\n  $ edgepress blogs hosts list --blog field-notes")
    .action((options: Options) => list(context, options));
  hosts
    .command("add")
    .description("add a host, and show the DNS records to create")
    .argument(...NAMED)
    .option(...BLOG)
    .addHelpText("after", "\nExample:\n  $ edgepress blogs hosts add journal.example.com --blog field-notes")
    .action((host: string, options: Options) => add(context, host, options));
  hosts
    .command("check")
    .description("check the DNS record of a host now")
    .argument(...NAMED)
    .option(...BLOG)
    .addHelpText("after", "\nExample:\n  $ edgepress blogs hosts check journal.example.com --blog field-notes")
    .action((host: string, options: Options) => check(context, host, options));
  hosts
    .command("remove")
    .description("remove a host; the site is no longer shown there")
    .argument(...NAMED)
    .option(...BLOG)
    .option("-y, --yes", "do not ask for confirmation")
    .addHelpText("after", "\nExample:\n  $ edgepress blogs hosts remove journal.example.com --blog field-notes --yes")
    .action((host: string, options: Options) => remove(context, host, options));
}

async function list(context: Context, { blog }: Options): Promise<void> {
  const { output } = context;
  const blogId = await context.blog(blog);
  const service = await context.client();
  const { value: found } = await service.get<SiteHost[]>(path`/api/blogs/${blogId}/site/hosts`);
  output.result(found, () =>
    found.length === 0
      ? "No hosts."
      : output.table(
          [
            { head: "HOST", cell: ({ host }) => host, shrinks: true },
            { head: "STATE", cell: ({ state }) => state },
            { head: "CHECKED (UTC)", cell: ({ checkTime }) => when(checkTime) },
            { head: "NEXT (UTC)", cell: ({ nextCheckTime }) => when(nextCheckTime), drops: true },
            { head: "FOUND", cell: ({ failure }) => failure?.found.join(", ") ?? "", shrinks: true, drops: true },
          ],
          found,
        ),
  );
}

async function add(context: Context, host: string, { blog }: Options): Promise<void> {
  const blogId = await context.blog(blog);
  const service = await context.client();
  const { value: added } = await service.request<SiteHost>({
    method: "POST",
    path: path`/api/blogs/${blogId}/site/hosts`,
    body: { host },
  });
  const lines = added.records.map(({ type, name, value }) => [type, name, value].map(printableLine).join("  "));
  context.output.result(added, () => lines.join("\n"));
  context.output.note("Create these DNS records. The site is shown there once the first of them is found.");
}

async function check(context: Context, named: string, { blog }: Options): Promise<void> {
  const blogId = await context.blog(blog);
  const service = await context.client();
  const { value: checked } = await service.request<SiteHost>({
    method: "POST",
    path: path`/api/blogs/${blogId}/site/hosts/${named}/check`,
  });
  context.output.result(checked, () => sentenceOf(checked).map(printableLine).join("\n"));
}

/** Says what a check has found, in lines. */
function sentenceOf({ host, records, failure }: SiteHost): string[] {
  if (failure === null) return [`${host} is verified.`];
  if (failure.reason === "host_taken") {
    return [`${host} shows another blog, whose record was found, too. Remove that record:`, ...failure.found];
  }
  const [proof] = records;
  const found = failure.found.length === 0 ? "No record was found." : `Found instead: ${failure.found.join(", ")}`;
  return [`The TXT record ${proof?.name ?? ""} does not have the value ${proof?.value ?? ""}. ${found}`];
}

async function remove(context: Context, host: string, { blog, yes }: Options): Promise<void> {
  const blogId = await context.blog(blog);
  await context.confirm(`Remove ${printableLine(host)}? The blog's site will no longer be shown there.`, yes);
  const service = await context.client();
  const { value } = await service.request<{ _id: string }>({
    method: "DELETE",
    path: path`/api/blogs/${blogId}/site/hosts/${host}`,
  });
  context.output.result(value, () => `Removed ${printableLine(host)}.`);
}

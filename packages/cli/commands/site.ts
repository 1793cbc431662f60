/** The command `blogs site`: shows and changes how readers find a blog. */
import { Option, type Command } from "commander";
import type { Site, SiteChange } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { given, jsonOf } from "./shared.ts";

export function addSiteCommand(blogs: Command, context: Context): void {
  blogs
    .command("site")
    .description("show the settings of a blog's site; with options, change them")
    .argument("<blog>", "its id or vanityId")
    .option("--on", "show the blog at its vanityId")
    .addOption(new Option("--off", "show no site; feeds and the API still work").conflicts("on"))
    .option("--description <text>", "its description, on the site and in feeds")
    .option("--site-url <url>", 'the URL of your own site; "" for the service\'s')
    .option("--article-path <path>", "the path of an article on that site, such as /{locale}/{slug}")
    .addOption(new Option("--feed-content <how>", "how much of an article feeds contain").choices(["full", "excerpt"]))
    .option("--accent-color <color>", 'the color of links, as #rrggbb; "" for the theme\'s')
    .addOption(new Option("--font <font>", "the typeface of the site").choices(["serif", "sans"]))
    .option("--logo-url <url>", 'the URL of an image to show instead of the name; "" for none')
    .option("--newsletter <text>", 'what subscribers get, for a Subscribe field; "" for no field')
    .option("--menu <file>", "a JSON file with the whole menu; - for standard input")
    .addHelpText("after", EXAMPLES)
    .action((named: string, options: SiteOptions) => site(context, named, options));
}

const EXAMPLES = `
Examples:
  $ edgepress blogs site field-notes
  $ edgepress blogs site field-notes --font sans --accent-color '#0f766e'
  $ echo '[{"label": "About", "url": "/en/about"}]' | edgepress blogs site field-notes --menu -`;

type SiteOptions = Pick<
  SiteChange,
  "description" | "siteUrl" | "articlePath" | "feedContent" | "accentColor" | "font" | "logoUrl" | "newsletter"
> & { readonly on?: true; readonly off?: true; readonly menu?: string };

async function site(context: Context, named: string, { on, off, menu: file, ...members }: SiteOptions): Promise<void> {
  const menu = file === undefined ? undefined : await jsonOf(file, context);
  const body = given({ ...members, enabled: on ?? (off && false), menu }) as SiteChange;
  const place = path`/api/blogs/${await context.blog(named)}/site`;
  const service = await context.client();
  const { value: stored, etag } = await service.get<Site>(place);
  if (Object.keys(body).length === 0) return show(context, stored);
  const { value } = await service.request<Site>({ method: "PUT", path: place, body, ifMatch: etag });
  show(context, value);
}

/** Shows the settings, one a line, in the words of the options. */
function show({ output }: Context, value: Site): void {
  const rows: [string, string][] = [
    ["address", value.url],
    ["site", value.enabled ? "on" : "off"],
    ["description", value.description],
    ["site-url", value.siteUrl],
    ["article-path", value.articlePath],
    ["feed-content", value.feedContent],
    ["accent-color", value.accentColor],
    ["font", value.font],
    ["logo-url", value.logoUrl],
    ["newsletter", value.newsletter],
    ["menu", value.menu.map(({ label, url }) => `${label} (${url})`).join(", ")],
  ];
  output.result(value, () =>
    output.table(
      [
        { head: "SETTING", cell: ([name]) => name },
        { head: "VALUE", cell: ([, setting]) => setting, shrinks: true },
      ],
      rows,
    ),
  );
}

/** The page "Site" of a blog: its look, menu, URLs and feeds. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { FEED_CONTENTS, SITE_FONTS, SITE_LIMITS } from "../../domain/site.ts";
import { LIMITS } from "../../domain/limits.ts";
import { registry } from "../../operations/registry.ts";
import { getBaseUrl } from "../request/base-url.ts";
import { findBlog } from "./blogs.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "./env.ts";
import { onSubmit, CheckField, Form, newForm, SelectField, TextArea, TextField, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { can, perform } from "./session.ts";
import type { Submission } from "./submission.ts";
import { atVersion, Version, withVersion } from "./version.tsx";

type Site = z.infer<typeof registry.getSite.output>;

export const site = new Hono<ConsoleEnv>();

site.get("/:id/site", async (c) => {
  const { value, version = "" } = await perform(c, registry.getSite, { blogId: c.req.param("id") });
  return show(c, value, withVersion(newForm(toFormValues(value)), version));
});

onSubmit(site, "/:id/site", {
  async again(c, state, status) {
    const { value, version = "" } = await perform(c, registry.getSite, { blogId: param(c, "id") });
    return show(c, value, withVersion(state, version), status);
  },
  async work(c, form) {
    const blogId = param(c, "id");
    await perform(c, registry.updateSite, { blogId, ...toSiteInput(form) }, atVersion(form));
    return goTo(c, `/console/blogs/${blogId}/site`, "saved");
  },
});

const toFormValues = (site: Site) => ({
  shown: site.enabled ? ["yes"] : [],
  description: site.description,
  accentColor: site.accentColor,
  font: site.font,
  logoUrl: site.logoUrl,
  menu: site.menu.map(({ label, url }) => `${label} | ${url}`).join("\n"),
  newsletter: site.newsletter,
  siteUrl: site.siteUrl,
  articlePath: site.articlePath,
  feedContent: site.feedContent,
});

/** Returns the settings in the form. A line of the menu is a label, a bar and an address. */
function toSiteInput(form: Submission) {
  return {
    enabled: form.all("shown").includes("yes"),
    description: form.text("description").trim(),
    accentColor: form.text("accentColor").trim(),
    font: form.text("font") as Site["font"],
    logoUrl: form.text("logoUrl").trim(),
    menu: form
      .text("menu")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map(parseMenuEntry),
    newsletter: form.text("newsletter").trim(),
    siteUrl: form.text("siteUrl").trim(),
    articlePath: form.text("articlePath").trim(),
    feedContent: form.text("feedContent") as Site["feedContent"],
  };
}

/** An address may contain bars, but no space before one. */
function parseMenuEntry(line: string): Site["menu"][number] {
  const [, label = "", url = line] = /^(.*)\s\|(.*)$/.exec(line) ?? /^(.*)\|(.*)$/.exec(line) ?? [];
  return { label: label.trim(), url: url.trim() };
}

async function show(c: ConsoleContext, value: Site, state: FormState, status?: Status) {
  const { blog } = await findBlog(c, value.blogId);
  const baseUrl = getBaseUrl(c.env.arrival);
  const own = `${baseUrl}/${blog.vanityId}`;
  return page(
    c,
    `Site of “${blog.name}”`,
    <>
      <p class="tabs">
        <a href={`/console/blogs/${blog._id}`}>Blog</a>
        {value.enabled && <a href={own}>View site</a>}
        <a href={`/console/blogs/${blog._id}/site/hosts`}>Custom domains</a>
        {value.siteUrl && <a href={value.siteUrl}>View {new URL(value.siteUrl).host}</a>}
      </p>
      {value.enabled ? (
        <p class="hint">
          The blog is public at <a href={own}>{own}</a>. Changes appear within a minute.
        </p>
      ) : (
        <p class="hint">The site is turned off. The API and the feeds keep working.</p>
      )}
      {can(c, "blogs:write") && (
        <Form action={`/console/blogs/${blog._id}/site`} state={state} submit="Save">
          <Version of={state} />
          <Look state={state} />
          <Newsletter state={state} />
          <Addresses state={state} />
        </Form>
      )}
      <h2>Feeds</h2>
      <ul>
        {FEEDS.map(([file, name]) => (
          <li>
            {name}: <a href={`${baseUrl}/blogs/${blog._id}/${file}`}>{`${baseUrl}/blogs/${blog._id}/${file}`}</a>
          </li>
        ))}
      </ul>
    </>,
    status,
  );
}

const FEEDS = [
  ["feed.xml", "RSS"],
  ["atom.xml", "Atom"],
  ["feed.json", "JSON Feed"],
  ["sitemap.xml", "Sitemap"],
  ["llms.txt", "llms.txt"],
] as const;

const FONT_LABELS = { serif: "Serif", sans: "Sans serif" } as const;
const FEED_LABELS = { full: "Full articles", excerpt: "Excerpts" } as const;

const Look: FC<{ state: FormState }> = ({ state }) => (
  <>
    <CheckField
      state={state}
      name="shown"
      label="Site"
      choices={[{ value: "yes", label: "Show the blog as a site", hint: "If cleared, its URL returns 404." }]}
    />
    <TextArea
      state={state}
      name="description"
      label="Description"
      hint="Shown below the blog’s name, in feeds, and where a link to the blog is shared."
    />
    <SelectField
      state={state}
      name="font"
      label="Font"
      choices={SITE_FONTS.map((value) => ({ value, label: FONT_LABELS[value] }))}
    />
    <TextField
      state={state}
      name="accentColor"
      label="Accent color"
      hint="For links and buttons, such as #0f766e. The site darkens or lightens it where text would be hard to read."
      maxlength={7}
    />
    <TextField
      state={state}
      name="logoUrl"
      label="Logo URL"
      type="url"
      maxlength={LIMITS.url}
      hint="Shown instead of the blog’s name."
    />
    <TextArea
      state={state}
      name="menu"
      label="Menu"
      rows={4}
      mono
      hint={`Up to ${SITE_LIMITS.menuEntries} entries, one per line: a label, a vertical bar, and a path or URL, such as “About | /en/about”.`}
    />
  </>
);

const Newsletter: FC<{ state: FormState }> = ({ state }) => (
  <TextField
    state={state}
    name="newsletter"
    label="Newsletter"
    maxlength={SITE_LIMITS.newsletter}
    hint="What subscribers get, such as “A letter on the first of each month”. Each page then has a Subscribe field with this text. You send the newsletter yourself. Leave blank for no field."
  />
);

const Addresses: FC<{ state: FormState }> = ({ state }) => (
  <>
    <TextField
      state={state}
      name="siteUrl"
      label="Site URL"
      type="url"
      maxlength={SITE_LIMITS.siteUrl}
      hint="Enter it if readers use your own front end or a custom domain. Feeds, sitemaps and search engines use this URL."
    />
    <TextField
      state={state}
      name="articlePath"
      label="Article path"
      required
      maxlength={SITE_LIMITS.articlePath}
      hint="The path of an article on that site, with {slug} and {locale}. Without {locale}, translations get a prefix, such as /de/…. Previous URLs redirect."
    />
    <SelectField
      state={state}
      name="feedContent"
      label="Feed content"
      choices={FEED_CONTENTS.map((value) => ({ value, label: FEED_LABELS[value] }))}
    />
  </>
);

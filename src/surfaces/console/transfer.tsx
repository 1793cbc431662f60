/** The page about import and export: what the command-line client does, with commands ready to copy. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { getBaseUrl } from "../request/base-url.ts";
import { findChosenBlog, listBlogs } from "./articles/found.ts";
import { BlogForm, NoBlog } from "./articles/shared.tsx";
import type { ConsoleEnv } from "./env.ts";
import { Example } from "./example.tsx";
import { page } from "./layout.tsx";
import { can } from "./session.ts";

export const transfer = new Hono<ConsoleEnv>();

transfer.get("/", async (c) => {
  const blogs = await listBlogs(c);
  const blog = findChosenBlog(c, blogs);
  if (blog === null) return page(c, "Import and export", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const { vanityId } = blog;
  return page(
    c,
    "Import and export",
    <>
      <Client />
      <BlogForm action="/console/transfer" blogs={blogs} blog={blog} submit="Show commands" />
      <Example id="login" label="Sign in first" code={`npx edgepress login --server ${getBaseUrl(c.env.arrival)}`} />
      {can(c, "articles:write") && (
        <section aria-labelledby="import">
          <h2 id="import">Import</h2>
          <p>
            Exports of Ghost and WordPress, and ZIPs of Markdown files, can also be{" "}
            <a href={`/console/imports?blog=${blog._id}`}>uploaded</a>.
          </p>
          <p class="hint">
            The first command reads and checks everything, and sends nothing. For an export from Ghost (a JSON file) or
            WordPress (an XML file), name the file instead of the folder.
          </p>
          <Example id="check" label="Check" code={`npx edgepress import content/posts --blog ${vanityId} --dry-run`} />
          <Example id="bring" label="Import" code={`npx edgepress import content/posts --blog ${vanityId}`} />
        </section>
      )}
      <section aria-labelledby="export">
        <h2 id="export">Export</h2>
        <p class="hint">
          Saves a Markdown file for each article, and the settings, tags and authors of the blog. Import them into an
          empty blog to restore everything. Images are not copied. Articles keep their image URLs.
        </p>
        <Example id="write" label="Export" code={`npx edgepress export backup --blog ${vanityId}`} />
      </section>
      {can(c, "contacts:read") && (
        <p>
          Export contacts on <a href={`/console/contacts?blog=${blog._id}`}>their page</a>.
        </p>
      )}
    </>,
  );
});

const Client: FC = () => (
  <>
    <p>
      The command-line client imports articles from Markdown files, Ghost or WordPress, and exports a blog to Markdown
      files. It runs on your computer, and signs in through this browser.
    </p>
    <p>
      It is part of the Edgepress source, not of the npm registry. Run the commands below in a clone of the source,
      after <code>npm ci</code>. Anywhere else, <code>npx</code> would run a different package. You can also{" "}
      <a href="/docs/guides/publish-from-ci#h-the-client">build the client as a single file</a>.
    </p>
  </>
);

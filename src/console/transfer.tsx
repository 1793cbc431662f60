/** The page about import and export: what the command-line client does, with commands ready to copy. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { baseUrlOf } from "../request/base-url.ts";
import { chosenBlog, listBlogs } from "./articles/found.ts";
import { BlogFilter, NoBlog } from "./articles/shared.tsx";
import type { ConsoleEnv } from "./env.ts";
import { Example } from "./example.tsx";
import { page } from "./layout.tsx";
import { can } from "./session.ts";

const PATH = "/console/transfer";

export const transfer = new Hono<ConsoleEnv>();

transfer.get("/", async (c) => {
  const blogs = await listBlogs(c);
  const blog = chosenBlog(c, blogs);
  if (blog === null) return page(c, "Import and export", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const { vanityId } = blog;
  return page(
    c,
    "Import and export",
    <>
      <Client />
      <form class="filters" method="get" action={PATH}>
        <BlogFilter blogs={blogs} blog={blog} />
        <button type="submit" class="quiet">
          Show its commands
        </button>
      </form>
      <Example id="login" label="Sign in first" code={`npx edgepress login --server ${baseUrlOf(c.env.arrival)}`} />
      {can(c, "articles:write") && (
        <section aria-labelledby="import">
          <h2 id="import">Import</h2>
          <p class="hint">
            The first command reads and checks everything and sends nothing. The same command works for an export of
            Ghost (its JSON file) and of WordPress (its XML file): name the file in place of the folder.
          </p>
          <Example id="check" label="Check" code={`npx edgepress import content/posts --blog ${vanityId} --dry-run`} />
          <Example id="bring" label="Import" code={`npx edgepress import content/posts --blog ${vanityId}`} />
        </section>
      )}
      <section aria-labelledby="export">
        <h2 id="export">Export</h2>
        <p class="hint">
          One Markdown file for each article, and the settings, tags and authors of the blog. An import into an empty
          blog brings all of it back. Pictures are not copied: articles keep their addresses.
        </p>
        <Example id="write" label="Export" code={`npx edgepress export backup --blog ${vanityId}`} />
      </section>
      {can(c, "contacts:read") && (
        <p>
          Contacts are exported <a href={`/console/contacts?blog=${blog._id}`}>on their page</a>.
        </p>
      )}
    </>,
  );
});

/** What the client does, and where it is. */
const Client: FC = () => (
  <>
    <p>
      The command-line client brings articles from a folder of Markdown files, from Ghost or from WordPress into a blog,
      and writes a blog to a folder of Markdown files. It runs on your computer and signs in through this browser.
    </p>
    <p>
      It is part of Edgepress’s source, and not in npm’s registry. The commands below work in a clone of the source,
      once you have run <code>npm ci</code> there; anywhere else, <code>npx</code> would look for somebody else’s
      package. The client is a single file, too,{" "}
      <a href="/docs/guides/publish-from-ci#the-client">which you can build and take along</a>.
    </p>
  </>
);

import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import { grouped } from "../words.ts";

export type Blog = z.infer<typeof registry.listBlogs.output>[number];

const MOST = 6;

export const Blogs: FC<{ blogs: readonly Blog[]; mayWrite: boolean }> = ({ blogs, mayWrite }) => (
  <section aria-labelledby="blogs">
    <div class="heading">
      <h2 id="blogs">Blogs</h2>
      <a href="/console/blogs">{blogs.length > MOST ? `All ${grouped(blogs.length)} blogs` : "All blogs"}</a>
    </div>
    <ul class="cards">
      {blogs.slice(0, MOST).map(({ _id, name, vanityId, locales }) => (
        <li class="card">
          <a class="title" href={`/console/articles?blog=${_id}`}>
            {name}
          </a>
          <p class="hint">
            {vanityId} · {locales.join(", ")}
          </p>
          {mayWrite && (
            <a href={`/console/blogs/${_id}`} aria-label={`Settings of ${name}`}>
              Settings
            </a>
          )}
        </li>
      ))}
    </ul>
  </section>
);

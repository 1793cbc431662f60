/** The page on which a new article is written. */
import { Hono } from "hono";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { attempt, newForm } from "../forms.tsx";
import { goTo } from "../layout.tsx";
import { perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { writersOnly } from "./found.ts";
import { labelsOf } from "./labels.tsx";
import { membersOf } from "./members-of.ts";
import { showNew } from "./show.tsx";

export const create = new Hono<ConsoleEnv>();

create.get("/", (c) => {
  writersOnly(c);
  const { blog: blogId, slug, locale } = c.req.query();
  return showNew(c, newForm({ blogId, slug, locale }));
});

create.post("/", async (c) => {
  const form = await readForm(c);
  return attempt(
    form,
    (state, status) => showNew(c, state, { status }),
    async () => {
      const { slug, locale, ...members } = membersOf(form);
      // Omit an empty slug or locale. The operation derives them from the title and the blog.
      const given = { ...members, ...(slug && { slug }), ...(locale && { locale }), ...labelsOf(form) };
      const input = { ...given, blogId: form.text("blogId"), published: false };
      const { value } = await perform(c, registry.saveArticle, input, { idempotencyKey: form.idempotencyKey });
      const path = `/console/articles/${value._id}`;
      return form.text("intent") === "publish" ? goTo(c, `${path}/publish`) : goTo(c, path, "article-created");
    },
  );
});

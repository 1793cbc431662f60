/** The page of an article: the editor, or only its text for members who may not write. */
import { Hono } from "hono";
import { registry } from "../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { attempt, newForm } from "../forms.tsx";
import { goTo, page } from "../layout.tsx";
import { findBaseUrl } from "../../request/base-url.ts";
import { limitPreviews } from "../../request/limits.ts";
import { can, perform, personOf } from "../session.ts";
import { readForm } from "../read-form.ts";
import { findArticle, titleOf } from "./found.ts";
import { labelsOf, labelValues } from "./labels.tsx";
import { membersOf } from "./members-of.ts";
import { About, Reading } from "./reading.tsx";
import { showAgain, showEdit } from "./show.tsx";

export const edit = new Hono<ConsoleEnv>();

edit.get("/:id", async (c) => {
  const found = await findArticle(c, c.req.param("id"));
  const { article, version } = found;
  if (can(c, "articles:write")) {
    const { title, slug, locale, description, coverUrl, content } = article;
    const labels = await labelValues(article);
    return showEdit(c, found, newForm({ title, slug, locale, description, coverUrl, content, version, ...labels }));
  }
  await limitPreviews(c.env.arrival, personOf(c).id);
  return page(
    c,
    titleOf(article),
    <>
      <About found={found} />
      <Reading article={article} origin={findBaseUrl(c.env.arrival)} />
    </>,
  );
});

edit.post("/:id", async (c) => {
  const form = await readForm(c);
  const id = c.req.param("id");
  return attempt(
    form,
    (state, status) => showAgain(c, id, state, { status }),
    async () => {
      const options = { version: form.text("version"), idempotencyKey: form.idempotencyKey };
      const members = membersOf(form);
      const input = { _id: id, ...members, ...labelsOf(form) };
      const { value, replayed } = await perform(c, registry.saveArticle, input, options);
      // The form was submitted before, and the article may have changed after that. So do not report it as saved.
      if (replayed) return goTo(c, `/console/articles/${value._id}`);
      const published = value.published ? "article-published" : "article-unpublished";
      return goTo(c, `/console/articles/${value._id}`, members.published === undefined ? "saved" : published);
    },
  );
});

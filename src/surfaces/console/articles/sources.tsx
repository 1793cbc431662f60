/** The page of what an article was written from, and of what nothing backs in it. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Form, newForm, onSubmit, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { Table } from "../table.tsx";
import { Time } from "../time.tsx";
import { Outside } from "../topics/idea.tsx";
import { findArticle, getTitle, requireContributor } from "./found.ts";
import { About } from "./reading.tsx";

export const sources = new Hono<ConsoleEnv>();

type Value = z.infer<typeof registry.listArticleSources.output>;
type Claim = Value["claims"][number];

sources.get("/:id/sources", (c) => show(c, c.req.param("id"), newForm()));

onSubmit(sources, "/:id/sources/proposal", {
  first: requireContributor,
  again: (c, state, status) => show(c, c.req.param("id") ?? "", state, status),
  async work(c, form) {
    const { value } = await perform(c, registry.proposeUpdate, { articleId: c.req.param("id") ?? "" }, form);
    return goTo(c, `/console/generations/${value._id}`);
  },
});

async function show(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  const { value } = await perform(c, registry.listArticleSources, { articleId: id });
  const found = await findArticle(c, id);
  const open = value.claims.filter(({ backedBy }) => backedBy === "nothing");
  const backed = value.claims.filter(({ backedBy }) => backedBy !== "nothing");
  return page(
    c,
    `Sources of “${getTitle(found.article)}”`,
    <>
      <About found={found} />
      {value.sources.length === 0 ? (
        <p>This article was written without sources.</p>
      ) : (
        <>
          <p>
            Figures and quotations of the text, and which source has each. A source may say a figure of something else:
            read before you publish. <a href={`/console/articles/${id}`}>Edit the article</a>
          </p>
          <Claims
            id="open"
            title="Nothing backs these"
            claims={open}
            none="Every figure and quotation that was looked at is backed."
          />
          <Claims id="backed" title="Backed" claims={backed} none="No figure and no quotation is backed." />
          <Sources of={value.sources} />
          {can(c, "articles:draft") && found.article.published && (
            <Form action={`/console/articles/${id}/sources/proposal`} state={state} submit="Propose an update">
              <p>
                If the sources have changed, AI changes what they say in this article, as unpublished changes for you to
                review. If you discard them, you can have an update proposed again.
              </p>
            </Form>
          )}
        </>
      )}
    </>,
    status,
  );
}

type ClaimsProps = {
  readonly id: string;
  readonly title: string;
  readonly claims: readonly Claim[];
  /** What stands there without any. */
  readonly none: string;
};

const Claims: FC<ClaimsProps> = ({ id, title, claims, none }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {claims.length === 0 ? (
      <p>{none}</p>
    ) : (
      <Table
        labelledby={id}
        rows={claims}
        columns={[
          { head: "Text", names: true, cell: ({ text }) => text },
          { head: "Where", cell: ({ context }) => context },
          { head: "Backed by", cell: (claim) => <Backing of={claim} /> },
        ]}
      />
    )}
  </section>
);

const Backing: FC<{ of: Claim }> = ({ of: { backedBy, source } }) =>
  source === null ? (
    <>{backedBy === "request" ? "Your request" : <span class="badge bad">Nothing</span>}</>
  ) : (
    <Outside url={source}>{source}</Outside>
  );

const Sources: FC<{ of: Value["sources"] }> = ({ of }) => (
  <section aria-labelledby="sources">
    <h2 id="sources">Sources</h2>
    <Table
      labelledby="sources"
      rows={of}
      columns={[
        {
          head: "Source",
          names: true,
          cell: ({ url, title }) => <Outside url={url}>{title || url}</Outside>,
        },
        { head: "Read", cell: ({ readTime }) => <Time at={readTime} /> },
        { head: "How much", cell: ({ isCut }) => (isCut ? "Its beginning" : "All") },
      ]}
    />
  </section>
);

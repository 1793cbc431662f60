/**
 * The page of a blog's redirects: the list with a search, forms to add and remove redirects, and the import of a CSV
 * file.
 */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { toChunks } from "../../lib/chunks.ts";
import { REDIRECT_LIMITS } from "../../domain/redirects.ts";
import { parseRedirectRows } from "../../domain/redirects-csv.ts";
import { LIMITS } from "../../domain/limits.ts";
import { registry } from "../../operations/registry.ts";
import { findBlog } from "./blogs.tsx";
import { CsvField, parseCsvFile, type CsvRefusal, MOST_ROWS, Refused } from "./csv.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "./env.ts";
import { onSubmit, Form, newForm, TextField, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { Next } from "./next.tsx";
import { readForm } from "./read-form.ts";
import { can, perform } from "./session.ts";
import { ACTIONS, Table } from "./table.tsx";
import { formatNumber } from "./words.ts";

type Listed = z.infer<typeof registry.listRedirects.output>[number];

const PAGE = 50;

export const redirects = new Hono<ConsoleEnv>();

const toRedirectsPath = (blogId: string): string => `/console/blogs/${blogId}/redirects`;

redirects.get("/:id/redirects", (c) => show(c, c.req.param("id"), newForm()));

// The forms post to these paths, so a reload after a refusal is a GET.
redirects.get("/:id/redirects/new", (c) => show(c, c.req.param("id"), newForm()));
redirects.get("/:id/redirects/import", (c) => show(c, c.req.param("id"), newForm()));

onSubmit(redirects, "/:id/redirects/new", {
  again: (c, state, status) => show(c, param(c, "id"), state, status),
  async work(c, form) {
    const blogId = param(c, "id");
    const input = { blogId, from: form.text("from").trim(), to: form.text("to").trim() };
    const { value } = await perform(c, registry.addRedirect, input, form);
    return goTo(c, toRedirectsPath(blogId), value.overridden ? "redirect-overridden" : "redirect-added");
  },
});

redirects.post("/:id/redirects/:redirectId/remove", async (c) => {
  const { id: blogId, redirectId } = c.req.param();
  await perform(c, registry.removeRedirect, { blogId, redirectId }, await readForm(c));
  return goTo(c, toRedirectsPath(blogId), "redirect-removed");
});

onSubmit(redirects, "/:id/redirects/import", {
  again: (c, state, status) => show(c, param(c, "id"), state, status),
  async work(c, form) {
    const blogId = param(c, "id");
    const rows = parseCsvFile(form.picture?.file?.bytes, parseRedirectRows);
    const refused: CsvRefusal[] = [];
    const counts = { created: 0, unchanged: 0, overridden: 0 };
    for (const some of toChunks(rows, REDIRECT_LIMITS.rows)) {
      const input = { blogId, redirects: some.map(({ from, to }) => ({ from, to })) };
      const { value } = await perform(c, registry.addRedirects, input);
      for (const [nth, { outcome, overridden, detail }] of value.entries()) {
        const { line = 0, from = "" } = some[nth] ?? {};
        if (outcome === "refused") refused.push({ line, what: from, why: detail ?? "" });
        else counts[outcome] += 1;
        if (overridden) counts.overridden += 1;
      }
    }
    return imported(c, blogId, { counts, refused });
  },
  mostBytes: LIMITS.bodyBytes,
});

type Imported = {
  readonly counts: { readonly created: number; readonly unchanged: number; readonly overridden: number };
  readonly refused: readonly CsvRefusal[];
};

async function imported(c: ConsoleContext, blogId: string, { counts, refused }: Imported): Promise<Response> {
  const { blog } = await findBlog(c, blogId);
  return page(
    c,
    "Redirects imported",
    <>
      <p>
        {formatNumber(counts.created)} added to “{blog.name}”, {formatNumber(counts.unchanged)} unchanged,{" "}
        {formatNumber(refused.length)} refused.
      </p>
      {counts.overridden > 0 && (
        <p>
          Of these, {formatNumber(counts.overridden)} begin where the site has an article or a page, which readers see
          instead.
        </p>
      )}
      <Refused lines={refused} what="From" />
      <p>
        <a href={toRedirectsPath(blogId)}>All redirects</a>
      </p>
    </>,
  );
}

async function show(c: ConsoleContext, blogId: string, state: FormState, status?: Status): Promise<Response> {
  const asked = c.req.query("query")?.trim() ?? "";
  const input = {
    blogId,
    limit: PAGE,
    cursor: c.req.query("cursor") || undefined,
    ...(asked !== "" && { query: asked }),
  };
  const [{ blog }, { value, next }] = await Promise.all([
    findBlog(c, blogId),
    perform(c, registry.listRedirects, input),
  ]);
  const mayWrite = can(c, "blogs:write");
  return page(
    c,
    `Redirects of ${blog.name}`,
    <>
      <p>
        <a href={`/console/blogs/${blogId}`}>{blog.name}</a>
      </p>
      <p>
        Old paths of the site, and where they lead. <a href={`/console/blogs/${blogId}/moved`}>Previous slugs</a> of
        articles lead on by themselves.
      </p>
      <form class="filters" method="get" action={toRedirectsPath(blogId)} role="search">
        <div>
          <label for="find">Path</label>
          <input id="find" name="query" type="search" value={asked} maxlength={LIMITS.searchQuery} autocomplete="off" />
        </div>
        <button type="submit" class="quiet">
          Search
        </button>
      </form>
      {value.length > 0 ? (
        <Table label="Redirects" rows={value} columns={makeColumns(blogId, mayWrite)} />
      ) : (
        <p class="empty">{asked === "" ? "No redirects yet." : "No redirects with this text."}</p>
      )}
      <Next path={toRedirectsPath(blogId)} query={asked === "" ? {} : { query: asked }} cursor={next} />
      {mayWrite && <New blogId={blogId} state={state} />}
    </>,
    status,
  );
}

const makeColumns = (blogId: string, mayWrite: boolean) => [
  { head: "From", cell: ({ from }: Listed) => from, names: true as const, class: "clip" },
  { head: "To", cell: (of: Listed) => <Target of={of} />, class: "clip" },
  ...(mayWrite
    ? [
        {
          head: ACTIONS,
          cell: ({ _id, from }: Listed) => (
            <Form
              action={`${toRedirectsPath(blogId)}/${_id}/remove`}
              submit="Remove"
              about={from}
              tone="quiet"
              inline
            />
          ),
        },
      ]
    : []),
];

const Target: FC<{ of: Listed }> = ({ of: { to, articleId, article } }) =>
  article === null ? (
    <>{to}</>
  ) : (
    <>
      <a href={`/console/articles/${articleId}`}>{article.slug}</a> ({article.locale}){" "}
      {!article.published && (
        <span class="badge" title="Redirects do not lead to drafts.">
          Draft
        </span>
      )}
    </>
  );

const New: FC<{ blogId: string; state: FormState }> = ({ blogId, state }) => (
  <>
    <section aria-labelledby="new">
      <h2 id="new">New redirect</h2>
      <Form
        action={`${toRedirectsPath(blogId)}/new`}
        state={state}
        submit="Add redirect"
        labels={{ from: "From", to: "To" }}
      >
        <TextField
          state={state}
          name="from"
          label="From"
          required
          maxlength={LIMITS.url}
          hint="The old path, such as /2012/02/03/old-name."
        />
        <TextField
          state={state}
          name="to"
          label="To"
          required
          maxlength={LIMITS.url}
          hint="A path of the site, or an https URL. The path of an article leads to that article, also once its slug changes."
        />
      </Form>
    </section>
    <section aria-labelledby="import">
      <h2 id="import">Import from a CSV file</h2>
      <Form action={`${toRedirectsPath(blogId)}/import`} submit="Import redirects" files>
        <CsvField
          hint={`Two columns, from and to, with or without a header. Up to ${formatNumber(MOST_ROWS)} redirects.`}
        />
      </Form>
    </section>
  </>
);

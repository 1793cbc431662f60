/** The pages of imports: the list of a blog's imports, and the upload of a file. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { IMPORT_LIMITS } from "../../domain/imports.ts";
import { LIMITS } from "../../domain/limits.ts";
import { registry } from "../../operations/registry.ts";
import { findChosenBlog, listBlogs, type Blog } from "./articles/found.ts";
import { BlogForm, NoBlog } from "./articles/shared.tsx";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { onSubmit, CheckField, Form, newForm, SelectField, TextField, toChoices, type FormState } from "./forms.tsx";
import { CHOICES, confirmUndo, report } from "./import-report.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { Next } from "./next.tsx";
import { readForm } from "./read-form.ts";
import { can, perform } from "./session.ts";
import type { Submission } from "./submission.ts";
import { Table } from "./table.tsx";
import { InUtc, Time } from "./time.tsx";
import { formatCount } from "./words.ts";

type Import = z.infer<typeof registry.getImport.output>;

const PATH = "/console/imports";
const PAGE = 20;

export const imports = new Hono<ConsoleEnv>();

imports.get("/", (c) => show(c, newForm({ publication: "source", pictures: "yes" })));
// The form posts to this path, so a reload after a refusal is a GET.
imports.get("/upload", (c) => c.redirect(PATH, 303));

onSubmit(imports, "/upload", {
  again: (c, state, status, form) => show(c, state, status, form.text("blogId")),
  async work(c, form) {
    const blogId = form.text("blogId");
    // Without the form's key: it can be sent again with another file, and the file is unknown before it has arrived.
    const { value } = await perform(c, registry.createImport, { blogId, ...toImportInput(form) });
    return goTo(c, `${PATH}/${blogId}/${value._id}`);
  },
});

function toImportInput(form: Submission) {
  const { file, fileName = "" } = form.upload ?? {};
  return {
    ...(file !== undefined && { file }),
    fileName,
    publication: form.text("publication"),
    pages: form.has("pages"),
    renameDuplicates: form.has("renameDuplicates"),
    pictures: form.has("pictures"),
    siteUrl: form.text("siteUrl").trim(),
    locale: form.text("locale").trim() || undefined,
  };
}

imports.get("/:blogId/:id", async (c) => {
  const { blogId, id } = c.req.param();
  return report(c, (await perform(c, registry.getImport, { blogId, importId: id })).value);
});

const STEPS = { start: registry.startImport, undo: registry.undoImport } as const;

imports.get("/:blogId/:id/undo", async (c) => {
  const { blogId, id } = c.req.param();
  return confirmUndo(c, (await perform(c, registry.getImport, { blogId, importId: id })).value);
});

// No notice: it would stay while the page of the running import reloads.
imports.post("/:blogId/:id/:step{start|undo}", async (c) => {
  const form = await readForm(c);
  const { blogId, id, step } = c.req.param();
  const input = { blogId, importId: id, ...(form.has("force") && { force: true }) };
  await perform(c, STEPS[step as keyof typeof STEPS], input, form);
  return goTo(c, `${PATH}/${blogId}/${id}`);
});

imports.post("/:blogId/:id/delete", async (c) => {
  const { blogId, id } = c.req.param();
  await perform(c, registry.deleteImport, { blogId, importId: id }, await readForm(c));
  return goTo(c, `${PATH}?blog=${blogId}`, "import-deleted");
});

async function show(c: ConsoleContext, state: FormState, status?: Status, named?: string): Promise<Response> {
  const blogs = await listBlogs(c);
  const blog = blogs.find(({ _id }) => _id === named) ?? findChosenBlog(c, blogs);
  if (blog === null) return page(c, "Imports", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const input = { blogId: blog._id, limit: PAGE, cursor: c.req.query("cursor") || undefined };
  const { value, next } = await perform(c, registry.listImports, input);
  return page(
    c,
    "Imports",
    <>
      <p>
        Move articles here from Ghost, WordPress or Markdown files. The{" "}
        <a href={`/console/transfer?blog=${blog._id}`}>command-line client</a> imports folders, and exports.
      </p>
      {can(c, "articles:write") && (
        <Upload blogs={blogs} state={{ ...state, values: { blogId: blog._id, ...state.values } }} />
      )}
      <section aria-labelledby="imports">
        <h2 id="imports">Imports into “{blog.name}”</h2>
        {blogs.length > 1 && <BlogForm action={PATH} blogs={blogs} blog={blog} />}
        {value.length === 0 ? (
          <p class="empty">No imports yet.</p>
        ) : (
          <>
            <Table labelledby="imports" rows={value} columns={COLUMNS} />
            <p class="hint">
              <InUtc />
            </p>
          </>
        )}
        <Next path={PATH} query={{ blog: blog._id }} cursor={next} />
      </section>
    </>,
    status,
  );
}

const IMPORT_STATE: Readonly<Record<Import["state"], { readonly tone: string; readonly label: string }>> = {
  uploading: { tone: "", label: "Uploading" },
  checking: { tone: "", label: "Checking" },
  checked: { tone: "", label: "Ready to import" },
  running: { tone: "", label: "Importing" },
  done: { tone: "good", label: "Imported" },
  failed: { tone: "bad", label: "Failed" },
  undoing: { tone: "", label: "Undoing" },
  undone: { tone: "", label: "Undone" },
};

const COLUMNS = [
  {
    head: "File",
    cell: ({ _id, blogId, fileName }: Import) => <a href={`${PATH}/${blogId}/${_id}`}>{fileName || "File"}</a>,
    names: true as const,
    class: "clip",
  },
  {
    head: "State",
    cell: ({ state }: Import) => <span class={`badge ${IMPORT_STATE[state].tone}`}>{IMPORT_STATE[state].label}</span>,
  },
  { head: "Imported", cell: ({ counts }: Import) => formatCount(counts.created, "article") },
  { head: "Uploaded", cell: ({ creationTime }: Import) => <Time at={creationTime} /> },
];

const Upload: FC<{ blogs: readonly Blog[]; state: FormState }> = ({ blogs, state }) => (
  <section aria-labelledby="upload">
    <h2 id="upload">Upload a file</h2>
    <Form action={`${PATH}/upload`} state={state} submit="Upload and check" files labels={LABELS}>
      {blogs.length > 1 ? (
        <SelectField state={state} name="blogId" label="Into the blog" choices={toChoices(blogs)} />
      ) : (
        <input type="hidden" name="blogId" value={blogs[0]?._id} />
      )}
      <Choices state={state} />
      <TextField
        state={state}
        name="siteUrl"
        label={CHOICES.siteUrl}
        type="url"
        maxlength={LIMITS.url}
        placeholder="https://"
        hint="Optional. Ghost's exports do not contain it, and images need it."
      />
      <TextField
        state={state}
        name="locale"
        label="Language"
        maxlength={LIMITS.locale}
        hint="Optional. Of articles for which the file names none: the first one of the blog by default."
      />
      <div class="field">
        <label for="file">File</label>
        <p class="hint" id="file-hint">
          An export of Ghost (.json) or WordPress (.xml), or a .zip of Markdown files and their images. Up to{" "}
          {IMPORT_LIMITS.bytes / 1024 / 1024} MB, and {IMPORT_LIMITS.unfinished} files at once for your organization.
          Nothing is imported before you have seen what it contains.
        </p>
        {/* After all other fields, because it is stored while it arrives. */}
        <input id="file" name="file" type="file" accept=".json,.xml,.zip" required aria-describedby="file-hint" />
      </div>
    </Form>
  </section>
);

const Choices: FC<{ state: FormState }> = ({ state }) => (
  <>
    <SelectField
      state={state}
      name="publication"
      label={CHOICES.publication}
      hint="Markdown files that do not say it are published as their site did, if it is one of Hugo, Jekyll, Hexo, Zola or Astro; others become drafts."
      choices={[
        { value: "source", label: "As in the file" },
        { value: "drafts", label: "Nothing: import all as drafts" },
        { value: "publish", label: "All that are not drafts in the file" },
      ]}
    />
    <CheckField
      state={state}
      name="pictures"
      label={CHOICES.pictures}
      choices={[{ value: "yes", label: "Copy images to the media library" }]}
    />
    <CheckField
      state={state}
      name="pages"
      label={CHOICES.pages}
      choices={[{ value: "yes", label: "Import pages, too, as articles" }]}
    />
    <CheckField
      state={state}
      name="renameDuplicates"
      label={CHOICES.renameDuplicates}
      choices={[{ value: "yes", label: "Give articles with the same slug different ones" }]}
    />
  </>
);

const LABELS = { ...CHOICES, blogId: "Into the blog", locale: "Language", file: "File" };

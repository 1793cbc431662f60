/** Imports of uploaded files (contract 22). */
import * as z from "zod";
import { IMPORT_LIMITS, IMPORT_STATES, IMPORTED_STATES, ImportFile } from "../domain/imports.ts";
import { toActor } from "../domain/background-actor.ts";
import { invalidField } from "../domain/errors.ts";
import { newId } from "../lib/ids.ts";
import { isStorableWebUrl } from "../lib/web-url.ts";
import { LIMITS } from "../domain/limits.ts";
import { defineOperation } from "./define.ts";
import { blogId, deleted, identifier, line, locale, output, toPageSize, paging } from "./fields.ts";

const wishes = {
  publication: z.enum(["source", "drafts", "publish"]).default("source").meta({
    description:
      "Which articles are published: those that the file says are (`source`), none (`drafts`), or all that it does not call drafts (`publish`).",
    example: "source",
  }),
  pages: z.boolean().default(false).meta({ description: "Import pages as well as posts.", example: false }),
  renameDuplicates: z.boolean().default(false).meta({
    description: "Give a post whose slug an earlier one in the file has another slug.",
    example: false,
  }),
  pictures: z.boolean().default(true).meta({ description: "Bring pictures into the library.", example: true }),
  siteUrl: line(LIMITS.url)
    .refine((url) => url === "" || isStorableWebUrl(url), "must be an absolute http or https URL")
    .default("")
    .meta({
      description: "The address of the old site, for relative addresses in the file.",
      example: "https://old.example.com",
    }),
};

const wantedLocale = locale.optional().meta({
  description: "The locale of articles that name none; by default the blog's first.",
  example: "en",
});

const count = z.int().meta({ example: 0 });

const importValue = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    state: z.enum(IMPORT_STATES).meta({
      description:
        "`checking` reads the file; `checked` waits to be started; `running` creates articles; `undoing` deletes them. `failed`: see `problem`.",
      example: "checked",
    }),
    fileName: z.string().meta({ example: "ghost.json" }),
    bytes: z.int().meta({ example: 482_113 }),
    format: z
      .enum(["ghost", "wordpress", "markdown"])
      .nullable()
      .meta({ description: "null until it is known.", example: "ghost" }),
    wishes: z
      .object({ ...wishes, locale: z.string().meta({ description: '"" for the default of the blog.', example: "en" }) })
      .meta({ id: "ImportWishes" }),
    total: z.int().meta({ description: "How many articles the file has.", example: 60 }),
    position: z.int().meta({ description: "How many of them this state has dealt with.", example: 60 }),
    counts: z
      .object({
        ready: count.meta({ description: "Can be imported, or still are to be." }),
        drafts: count.meta({ description: "Drafts among those that can be imported, or were." }),
        lossy: count.meta({ description: "Lose something." }),
        refused: count.meta({ description: "Cannot be imported." }),
        created: count,
        failed: count.meta({ description: "Were refused when they were to be created." }),
        deleted: count.meta({ description: "Were deleted by undoing." }),
        kept: count.meta({ description: "Were changed since, so undoing has kept them." }),
        pictures: count.meta({ description: "Pictures that are in the library now." }),
        tags: count.meta({
          description: "Tags of the articles that it has created, and not deleted, once it has ended.",
        }),
        authors: count.meta({ description: "Their authors." }),
        redirects: count.meta({ description: "Old addresses that lead to them." }),
      })
      .meta({ id: "ImportCounts" }),
    remarks: z
      .array(
        z.object({
          what: z.string().meta({ example: "pages left out" }),
          times: z.int().meta({ example: 12 }),
          names: z
            .array(z.string())
            .optional()
            .meta({
              description: "Some of those that it concerns, as the file calls them.",
              example: ["page 3 (About)"],
            }),
        }),
      )
      .meta({ description: "What was left out or changed in the whole file, the most frequent first." }),
    problem: z.string().nullable().meta({ description: "Why it failed; null if it did not.", example: null }),
    creationTime: output.dateTime,
    startTime: output.dateTime.nullable().meta({ description: "null until it is started." }),
    finishTime: output.dateTime.nullable().meta({ description: "null until it has ended." }),
  })
  .meta({ id: "Import" });

const importedArticle = z
  .object({
    number: z.int().meta({ description: "Its place in the file.", example: 0 }),
    name: z.string().meta({ description: "What the file calls it.", example: "post 12 (Slow mornings)" }),
    title: z.string().meta({ example: "Slow mornings" }),
    slug: z.string().meta({ example: "slow-mornings" }),
    locale: z.string().meta({ example: "en" }),
    published: z.boolean(),
    state: z.enum(IMPORTED_STATES).meta({
      description:
        "`refused` by the check, `failed` when it was to be created, `kept` by undoing because it was changed.",
      example: "created",
    }),
    articleId: z.string().nullable().meta({ description: "The article that was created.", example: null }),
    publishTime: output.dateTime.nullable().meta({
      description: "The date that it has here; null without one, and before it is created.",
      example: "2019-05-04T08:00:00.000Z",
    }),
    losses: z.array(z.string()).meta({ description: "What it lost.", example: ["comments left out: 3"] }),
    problem: z.string().nullable().meta({ description: "Why it was not imported, or is kept.", example: null }),
  })
  .meta({ id: "ImportedArticle" });

const file = z
  .custom<ImportFile>((value) => value instanceof ImportFile, "must be a file")
  .meta({
    description: `An export of Ghost (JSON) or of WordPress (XML), or a ZIP of Markdown files: at most ${IMPORT_LIMITS.bytes / 1024 / 1024} MiB.`,
  });

const importId = identifier("an import");

export const createImport = defineOperation({
  name: "imports.create",
  summary: "Upload a file to import",
  description: `Reads and checks the file in the background, and creates nothing: see the import until its state is \`checked\`, then start it. An organization can have ${IMPORT_LIMITS.unfinished} imports that have not ended. A file that nobody starts is removed after ${IMPORT_LIMITS.waitingDays} days.`,
  scope: "articles:write",
  effect: "write",
  writesMany: true,
  lengthy: true,
  input: z
    .strictObject({
      blogId,
      file,
      fileName: line(IMPORT_LIMITS.fileName).default("").meta({ description: "To know it by.", example: "ghost.json" }),
      ...wishes,
      locale: wantedLocale,
    })
    .meta({ id: "ImportUpload" }),
  output: importValue,
  refuses: ["blog_forbidden", "import_limit", "not_ready"],
  audit: "uploaded the file * to import",
  sample: { query: { fileName: "ghost.json", publication: "source" } },
  async run({ services, store, principal, service, later }, { blogId: of, file: given, fileName, ...chosen }) {
    const { putImport, removeImport } = await services();
    const name = { id: newId(), organizationId: principal.organizationId };
    const siteUrl = chosen.siteUrl.replace(/\/+$/, "");
    const wanted = { ...chosen, siteUrl, locale: chosen.locale ?? "" };
    await store.beginImport({
      id: name.id,
      blogId: of,
      fileName,
      wishes: wanted,
      actor: toActor(principal, service.baseUrl()),
    });
    try {
      const bytes = await putImport(name, given);
      if (bytes === 0) throw invalidField("file", "must not be empty");
      const value = await store.checkImport({ id: name.id, bytes });
      later("import", { importId: name.id, organizationId: principal.organizationId });
      return { value, uncommitted: true };
    } catch (error) {
      // The caller must see the error of the upload. If this fails, the sweep cleans up within an hour.
      await store.abandonImport(name.id).catch(() => undefined);
      // Somebody may have deleted the import while its file arrived.
      await removeImport(name).catch(() => undefined);
      throw error;
    }
  },
});

export const listImports = defineOperation({
  name: "imports.list",
  summary: "List the imports of a blog",
  description: `Newest first. Imports that have ended are listed for ${IMPORT_LIMITS.keptDays} days.`,
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ blogId, ...paging }),
  output: z.array(importValue),
  refuses: ["blog_forbidden"],
  async run({ store }, { limit, ...query }) {
    const { items, next } = await store.listImports({ ...query, limit: toPageSize(limit) });
    return { value: [...items], next };
  },
});

export const getImport = defineOperation({
  name: "imports.get",
  summary: "Get an import",
  description: "Its state, its numbers, and what the whole file loses.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ blogId, importId }),
  output: importValue,
  refuses: ["blog_forbidden", "not_found"],
  run: async ({ store }, { blogId: of, importId: id }) => ({ value: await store.findImport(of, id) }),
});

export const listImportedArticles = defineOperation({
  name: "imports.articles",
  summary: "List the articles of an import",
  description: "In the order of the file, each with what it lost, and what became of it.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    importId,
    state: z.enum(IMPORTED_STATES).optional().meta({ description: "Only those in this state.", example: "created" }),
    lossy: z.boolean().optional().meta({ description: "Only those that lost something, or nothing.", example: true }),
    ...paging,
  }),
  output: z.array(importedArticle),
  refuses: ["blog_forbidden", "not_found"],
  sample: { query: { lossy: "true" } },
  async run({ store }, { limit, ...query }) {
    const { items, next } = await store.listImportedArticles({ ...query, limit: toPageSize(limit) });
    return { value: [...items], next };
  },
});

export const startImport = defineOperation({
  name: "imports.start",
  summary: "Start an import",
  description:
    "Creates its articles in the background, in the name of the caller, with their pictures and old addresses. An import that failed goes on where it stopped.",
  scope: "articles:write",
  effect: "write",
  input: z.strictObject({ blogId, importId }),
  output: importValue,
  refuses: ["blog_forbidden", "not_found", "import_state"],
  audit: "started the import of *",
  async run({ store, principal, service, later }, { blogId: of, importId: id }) {
    const value = await store.startImport({ blogId: of, id }, toActor(principal, service.baseUrl()));
    later("import", { importId: id, organizationId: principal.organizationId });
    return { value };
  },
});

export const undoImport = defineOperation({
  name: "imports.undo",
  summary: "Undo an import",
  description: `Deletes, in the background, the articles that it created, with their old addresses, and the pictures that nothing else shows. Articles that were changed since are kept and named, unless \`force\` is true. Possible for ${IMPORT_LIMITS.keptDays} days.`,
  scope: "articles:write",
  effect: "write",
  input: z
    .strictObject({
      blogId,
      importId,
      force: z
        .boolean()
        .default(false)
        .meta({ description: "Also delete articles that were changed since.", example: false }),
    })
    .meta({ id: "ImportUndo" }),
  output: importValue,
  refuses: ["blog_forbidden", "not_found", "import_state"],
  audit: "undid the import of *",
  async run({ store, principal, service, later }, { blogId: of, importId: id, force }) {
    const value = await store.undoImport({ blogId: of, id }, toActor(principal, service.baseUrl()), force);
    later("import", { importId: id, organizationId: principal.organizationId });
    return { value };
  },
});

export const deleteImport = defineOperation({
  name: "imports.delete",
  summary: "Delete an import",
  description: "Removes its file and its report. Articles that it created stay, and it can no longer be undone.",
  scope: "articles:write",
  effect: "delete",
  input: z.strictObject({ blogId, importId }),
  output: deleted,
  refuses: ["blog_forbidden", "not_found", "import_state"],
  audit: "deleted an import",
  async run({ services, store, principal }, { blogId: of, importId: id }) {
    const { removeImport } = await services();
    await store.deleteImport({ blogId: of, id });
    await removeImport({ id, organizationId: principal.organizationId });
    return { value: { _id: id } };
  },
});

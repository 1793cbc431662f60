/** Imports by upload: rows of them, exports to upload, and what becomes of these. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import type { Attempt, Attempts, Cases } from "./tenancy-attempts.ts";
import { member } from "./tenancy-attempts.ts";
import type { Input, World } from "./operations.ts";
import type { Tenant } from "./tenant.ts";

/** Stores an import in a state, without articles and without a file. Returns its id. */
export async function newImport({ organizationId, blogId }: Tenant, state: string): Promise<string> {
  const id = newId();
  const actor = { kind: "operator", id: newId(), role: null, pinnedBlogId: null, grants: [], origin: "" };
  await env.DB.prepare(
    `insert into imports (id, organization_id, blog_id, state, file_name, wishes, actor, creation_time, start_time)
     values (?, ?, ?, ?, 'World', ?, ?, ?, ?)`,
  )
    .bind(
      id,
      organizationId,
      blogId,
      state,
      JSON.stringify(WISHES),
      JSON.stringify(actor),
      "2026-11-20T09:52:59.123Z",
      null,
    )
    .run();
  return id;
}

const WISHES = {
  publication: "source",
  pages: false,
  renameDuplicates: false,
  pictures: false,
  siteUrl: "",
  locale: "",
};

const nothing = new TextEncoder().encode("{}");

/** Valid inputs of the operations on imports. */
export const importInputs = {
  createImport: ({ tenant }: World) => ({
    blogId: tenant.blogId,
    file: nothing,
    fileName: "Valid",
    publication: "drafts",
    pages: true,
    renameDuplicates: true,
    pictures: false,
    siteUrl: "https://valid.example.com",
    locale: "en",
  }),
  listImportedArticles: ({ tenant, importId }: World) => ({
    blogId: tenant.blogId,
    importId,
    state: "created",
    lossy: true,
    limit: 5,
    skip: 0,
  }),
  undoImport: ({ tenant, doneImportId }: World) => ({ blogId: tenant.blogId, importId: doneImportId, force: true }),
  deleteImport: ({ tenant, failedImportId }: World) => ({ blogId: tenant.blogId, importId: failedImportId }),
} satisfies Record<string, (world: World) => Input>;

type Of = Extract<keyof Cases, `${string}Import${string}` | `${string}Imports`>;

/** What others may not do with imports. */
export const importCases: Pick<Cases, Exclude<Of, "importContacts">> = {
  createImport: ({ tenant: { blogId } }) => ofBlog([{ blogId, file: nothing }]),
  listImports: ({ tenant: { blogId } }) => ofBlog([{ blogId }]),
  getImport: ofImport("importId"),
  listImportedArticles: ofImport("importId"),
  startImport: ofImport("importId"),
  undoImport: ofImport("doneImportId"),
  deleteImport: ofImport("failedImportId"),
};

function ofBlog(inputs: readonly Input[]): Attempts {
  const attempts = inputs.map((input): Attempt => [input, "blog_forbidden"]);
  return member(attempts, attempts);
}

/** Attempts on an import of a blog that is not theirs, and on the same one as if it were their own blog's. */
function ofImport(which: "importId" | "doneImportId" | "failedImportId") {
  return ({ tenant: { blogId }, [which]: importId }: World, attacker: World): Attempts =>
    member(
      [
        [{ blogId, importId }, "not_found"],
        [{ blogId: attacker.tenant.blogId, importId }, "not_found"],
      ],
      [[{ blogId, importId }, "blog_forbidden"]],
    );
}

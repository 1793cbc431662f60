/** Valid inputs of the operations on tags and authors. */
import type { World } from "./operations.ts";

/** Inputs that the operations on tags and authors accept in a world. `fresh` returns a slug that is new. */
export const termInputs = (fresh: () => string) =>
  ({
    listTags: ({ tenant }) => ({ blogId: tenant.blogId, slug: "a", limit: 5, skip: 0 }),
    createTag: ({ tenant }) => ({ blogId: tenant.blogId, slug: fresh(), name: "Valid", names: { de: "Gültig" } }),
    updateTag: ({ tagId }) => ({ tagId, slug: fresh(), name: "Valid", names: { de: "Gültig" } }),
    mergeTag: ({ tagId, otherTagId }) => ({ tagId: otherTagId, into: tagId }),
    listAuthors: ({ tenant }) => ({ blogId: tenant.blogId, slug: "a", limit: 5, skip: 0 }),
    createAuthor: ({ tenant }) => ({
      blogId: tenant.blogId,
      slug: fresh(),
      name: "Valid",
      bio: "Valid",
      pictureUrl: "https://images.example.com/a.jpg",
    }),
    updateAuthor: ({ authorId }) => ({
      authorId,
      slug: fresh(),
      name: "Valid",
      bio: "Valid",
      pictureUrl: "https://images.example.com/a.jpg",
    }),
    mergeAuthor: ({ authorId, otherAuthorId }) => ({ authorId: otherAuthorId, into: authorId }),
  }) as const satisfies Record<string, (world: World) => Record<string, unknown>>;

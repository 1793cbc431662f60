/** The attempts on the library, for tenancy.ts. */
import { freshGif } from "./pictures.ts";
import { member, type Attempt, type Attempts, type Cases } from "./tenancy-attempts.ts";

const missing = (...inputs: readonly Attempt[0][]): Attempts => {
  const attempts = inputs.map((input): Attempt => [input, "not_found"]);
  return member(attempts, attempts);
};

export const mediaCases = {
  listMedia: () => member([[{}, "own"]], [[{}, "own"]]),
  createMedia: () =>
    member(
      [[{ file: new Uint8Array([1]) }, "unsupported_image"]],
      [[{ file: new Uint8Array([1]) }, "unsupported_image"]],
    ),
  createEmbed: () =>
    member([[{ url: "https://a.example" }, "invalid_request"]], [[{ url: "https://a.example" }, "invalid_request"]]),
  getMedia: ({ mediaId }) => missing({ mediaId }),
  listMediaUses: ({ mediaId }) => missing({ mediaId }),
  replaceMedia: ({ mediaId }) => missing({ mediaId, file: freshGif() }),
  updateMedia({ mediaId, tenant: { blogId } }) {
    const { foreign, pinned } = missing({ mediaId, alt: "x" }, { mediaId, _id: mediaId, alt: "x" });
    const ofBlog: Attempt[0] = { mediaId, blogId, alt: "x" };
    return member([...foreign, [ofBlog, "not_found"]], [...pinned, [ofBlog, "blog_forbidden"]]);
  },
  deleteMedia: ({ mediaId }) => missing({ mediaId }, { mediaId, force: true }),
} satisfies Partial<Cases>;

/** Where the blog is, and how Next.js keeps what was read. */
import { createClient } from "@edgepress/client";

const url = process.env.EDGEPRESS_URL ?? "http://127.0.0.1:8787";

/** The tag of everything that was read; the webhook makes it stale. */
export const TAG = "edgepress";

/** Next.js keeps answers until their tag is stale, so the client need not. */
export const client = createClient({
  url,
  cache: null,
  fetch: (address, init) => fetch(address, { ...init, cache: "force-cache", next: { tags: [TAG] } }),
});

/** For drafts, which nobody keeps. */
export const previews = createClient({
  url,
  cache: null,
  fetch: (address, init) => fetch(address, { ...init, cache: "no-store" }),
});

export const blogId = process.env.EDGEPRESS_BLOG ?? "field-notes";

/** Where the blog is. */
import { createClient } from "@edgepress/client";

export const client = createClient({ url: process.env.EDGEPRESS_URL ?? "http://127.0.0.1:8787" });
export const blogId = process.env.EDGEPRESS_BLOG ?? "field-notes";

/** Articles that are read anew for each request: Astro's live collections. */
import { edgepressLiveLoader } from "@edgepress/astro";
import { defineLiveCollection } from "astro:content";
import { blogId, client } from "./edgepress";

export const collections = {
  blog: defineLiveCollection({ loader: edgepressLiveLoader({ client, blogId }) }),
};

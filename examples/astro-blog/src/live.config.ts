import { edgepressLiveLoader } from "@edgepress/astro";
import { defineLiveCollection } from "astro:content";
import { blogId, client } from "./edgepress";

export const collections = {
  blog: defineLiveCollection({ loader: edgepressLiveLoader({ client, blogId }) }),
};

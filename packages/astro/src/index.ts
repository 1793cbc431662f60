/** `@edgepress/astro`: the articles of a blog as a content collection of Astro. */
export { edgepressLoader, type Entry, type LoaderOptions } from "./loader.ts";
export { edgepressLiveLoader, type ArticleFilter, type ListFilter } from "./live.ts";

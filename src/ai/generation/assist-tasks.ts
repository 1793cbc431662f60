/** What a model can do with a text. Imports nothing, because it is loaded with the operations. */

export const PASSAGE_TASKS = ["shorten", "rephrase", "correct", "translate"] as const;
export const ARTICLE_TASKS = ["titles", "description", "alternatives", "tags"] as const;

export type PassageTask = (typeof PASSAGE_TASKS)[number];
export type ArticleTask = (typeof ARTICLE_TASKS)[number];

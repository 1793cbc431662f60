/** What a model can be asked to do with a text that somebody is writing. Loaded with the operations, so it imports nothing. */

/** What can be done with a passage. */
export const PASSAGE_TASKS = ["shorten", "rephrase", "correct", "translate"] as const;
/** What can be proposed for an article. */
export const ARTICLE_TASKS = ["titles", "description", "alternatives", "tags"] as const;

export type PassageTask = (typeof PASSAGE_TASKS)[number];
export type ArticleTask = (typeof ARTICLE_TASKS)[number];

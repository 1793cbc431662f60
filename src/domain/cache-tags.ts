/** The tags by which caches know what they hold. */

/** All articles of a blog: a change of any of them purges them all. */
export const blogTag = (id: string): string => `blog-${id}`;

export const articleTag = (id: string): string => `article-${id}`;

/** The files of an article: they go with it, and not with a change of its blog. */
export const mediaTag = (articleId: string): string => `media-${articleId}`;

/** The values of the Cache-Tag header, by which the edge's cache purges responses. */

/** The tag of all cached articles of a blog. A change of any article purges them all. */
export const blogTag = (id: string): string => `blog-${id}`;

/** The tag of one cached article. */
export const articleTag = (id: string): string => `article-${id}`;

/**
 * The tag of an article's files. They do not carry the tag of the blog, so a change in the blog does not purge them.
 */
export const mediaTag = (articleId: string): string => `media-${articleId}`;

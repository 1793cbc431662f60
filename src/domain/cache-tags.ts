/** Values of the Cache-Tag header, by which the edge's cache is purged. */

/** All cached articles of a blog. A change of any article purges them all. */
export const blogTag = (id: string): string => `blog-${id}`;

export const articleTag = (id: string): string => `article-${id}`;

/** The files of an article. They do not carry the tag of the blog, so a change of the blog does not purge them. */
export const mediaTag = (articleId: string): string => `media-${articleId}`;

/** All files of an organization. Only hiding a blog purges them. */
export const imagesTag = (organizationId: string): string => `images-${organizationId}`;

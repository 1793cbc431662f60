/** Replaces markdown-it's own search for bare links. Ours is in its place (domain/markdown/bare-links.ts). */
export const LinkifyIt = Object;

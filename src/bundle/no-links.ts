/** Replaces what markdown-it finds and normalizes links by: linkify-it and punycode.js. Ours is in its place (domain/markdown/parser.ts). */
export const LinkifyIt = Object;
export default {};

/** Each language of highlight.js, for which it has no types. */
declare module "highlight.js/lib/languages/*" {
  const language: (api: object) => object;
  export default language;
}

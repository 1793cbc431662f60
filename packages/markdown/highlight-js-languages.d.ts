/** The languages of highlight.js, which have no types. */
declare module "highlight.js/lib/languages/*" {
  const language: (api: object) => object;
  export default language;
}

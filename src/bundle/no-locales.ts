/** What stands in the deployed bundle for zod's messages in other languages than English, which nothing here uses. */
export const NONE = null;

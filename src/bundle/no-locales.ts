/** Replaces zod's messages in other languages than English in the deployed bundle: nothing here uses them. */
export const NONE = null;

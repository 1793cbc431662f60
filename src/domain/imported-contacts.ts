/** What a contact keeps of an import that said whether they want the blog's emails (contract 6.3). */
export type ImportedConsent = {
  /** What it came from, such as the name of a file. */
  readonly from: string;
  readonly time: string;
  /** Who imported it, as in the audit log. */
  readonly by: { readonly kind: string; readonly id: string };
};

/** Maximum contacts of one request that imports some. */
export const IMPORTED_CONTACTS = 500;

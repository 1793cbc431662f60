/** Stored with a contact whose consent was imported (contract 6.3). */
export type ImportedConsent = {
  /** Such as the name of a file. */
  readonly from: string;
  readonly time: string;
  /** As in the audit log. */
  readonly by: { readonly kind: string; readonly id: string };
};

/** Maximum contacts of one import request. */
export const IMPORTED_CONTACTS = 500;

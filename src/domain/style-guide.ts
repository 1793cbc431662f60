/** How a blog writes. Generation, help with a text, and the advice in the editor follow it. */
export type StyleGuide = {
  /** Voice, audience and conventions, as Markdown; "" for none. */
  readonly text: string;
  /** What its texts do not say. */
  readonly avoid: AvoidedTerm[];
};

/** A word or phrase. `use` is what to say instead; "" if nothing takes its place. */
export type AvoidedTerm = { readonly term: string; readonly use: string };

export const NO_STYLE_GUIDE: StyleGuide = { text: "", avoid: [] };

export const hasStyleGuide = ({ text, avoid }: StyleGuide): boolean => text.trim() !== "" || avoid.length > 0;

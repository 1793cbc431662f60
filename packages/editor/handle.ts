/** What the editor offers to other scripts of the page, and what it needs from them. */

/**
 * The editor of a page: `document.querySelector(".rich").editor`, once the text area has sent `editor:ready`.
 *
 * The text area is the truth. Whoever only reads or watches the text needs nothing of this: the editor writes each
 * change into it and sends `input` from it; and who sets its value and sends `input` from it changes what the editor
 * shows.
 */
export type EditorHandle = {
  readonly mode: Mode;
  /** Inserts Markdown at the cursor: in its line, or as blocks of its own. */
  insertMarkdown(text: string): void;
  /** Puts Markdown in the place of what is selected. */
  replaceSelection(text: string): void;
  /** Returns what is selected as Markdown; "" if nothing is. */
  getSelection(): string;
  /** Puts the cursor on a line of the Markdown text, the first of which is 1, and scrolls there. */
  jumpTo(line: number): void;
  focus(): void;
};

export type Mode = "rich" | "source";

/** A picture that was stored. */
export type Uploaded = {
  readonly url: string;
  readonly alt: string;
  readonly width?: number;
  readonly height?: number;
};

export type UploadOptions = {
  /** What the picture shows, if the writer has said so already. */
  readonly alt?: string | undefined;
  /** Called with the part that was sent: 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
};

/** Returns Markdown as readers see it, as an element of the page. */
export type Renderer = { readonly elementOf: (markdown: string, locale: string) => Element };

export type EditorOptions = {
  /** Loads what shows HTML as readers see it. Without it, the source is shown. */
  readonly loadRenderer?: (() => Promise<Renderer>) | undefined;
  /** Stores a picture that was dropped, pasted or picked. Without it, pictures are only added by their addresses. */
  readonly uploadImage?: ((file: File, options: UploadOptions) => Promise<Uploaded>) | undefined;
  /** Asks for the title and the picture of what is at an address that can be embedded. Without it, cards have what they have. */
  readonly fetchEmbed?: ((url: string) => Promise<{ readonly title: string; readonly picture: string }>) | undefined;
};

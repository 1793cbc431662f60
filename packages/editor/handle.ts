/** What the editor offers to other scripts of the page, and what it needs from them. */

/**
 * The editor of a page: `document.querySelector(".rich").editor`, once the text area has sent `editor:ready`.
 *
 * The text area has the truth. The editor writes each change into it and sends `input` from it. A script that sets its
 * value and sends `input` changes what the editor shows. Scripts that only read the text do not need the editor.
 */
export type EditorHandle = {
  readonly mode: Mode;
  /** Inserts Markdown at the cursor: in its line, or as blocks. */
  insertMarkdown(text: string): void;
  replaceSelection(text: string): void;
  getSelection(): string;
  /** Moves the cursor to a line of the Markdown, counted from 1, and scrolls there. */
  jumpTo(line: number): void;
  focus(): void;
};

export type Mode = "rich" | "source";

export type UploadOptions = {
  readonly alt?: string | undefined;
  /** Called with the fraction that was sent: 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
};

/** Returns Markdown as readers see it, as an element. */
export type Renderer = { readonly renderMarkdown: (markdown: string, locale: string) => Element };

export type Upload = (file: File, options: UploadOptions) => Promise<{ readonly url: string; readonly alt: string }>;

export type EditorOptions = {
  /** Loads what renders HTML. Until then, HTML is shown as source. */
  readonly loadRenderer: () => Promise<Renderer>;
  readonly uploadImage: Upload;
  /** Returns the title and the image of a URL that can be embedded. */
  readonly fetchEmbed: (url: string) => Promise<{ readonly title: string; readonly picture: string }>;
};

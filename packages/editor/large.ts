/** Pastes and drops that are too large for the rich editor, or for any article. */
import { type EditorState, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { LIMITS } from "../../src/domain/limits.ts";
import { utf8Length, countMatches } from "../../src/lib/text.ts";
import { listPastedImages } from "./clipboard.ts";
import { MOST_BLOCKS, MOST_CHARACTERS, type Opened, writeMarkdown } from "./opening.ts";
import { schema } from "./schema.ts";

/** The largest HTML that is converted to Markdown, in characters. It takes about a second. */
const MOST_HTML = 2_000_000;

type Bounds = {
  /** Null in the source mode. */
  readonly view: () => EditorView | null;
  readonly area: HTMLTextAreaElement;
  /** Called if it is larger than an article may be. Nothing was inserted. */
  readonly excessive: () => void;
  /** Called with what would slow the rich editor down. Nothing was inserted yet. */
  readonly large: (text: string) => void;
};

/** Keeps what is too large from the editor before anything parses it, which could take long. */
export function limitPastes(parts: readonly HTMLElement[], { view: viewNow, area, excessive, large }: Bounds): void {
  const bound = (event: Event) => {
    const view = viewNow();
    if (!(view?.dom ?? area).contains(event.target as Node) || view?.dragging) return;
    const data = event instanceof DragEvent ? event.dataTransfer : (event as ClipboardEvent).clipboardData;
    if (listPastedImages(data).length > 0) return;
    const html = data?.getData("text/html") ?? "";
    const text = data?.getData("text/plain") || stripTags(html);
    const isExcessive = text.length > LIMITS.contentBytes || utf8Length(text) > LIMITS.contentBytes;
    if (!isExcessive && !(view && isLarge(html, text, [area.value.length, view.state.doc.childCount]))) return;
    event.preventDefault();
    event.stopPropagation();
    if (isExcessive) return excessive();
    if (view && event instanceof DragEvent) selectAt(view, event);
    large(text);
  };
  for (const part of parts) for (const type of ["paste", "drop"]) part.addEventListener(type, bound, true);
}

/** Whether it would slow the rich editor down, with this many characters and blocks in the text already. */
function isLarge(html: string, text: string, [characters, blocks]: readonly [number, number]): boolean {
  const added = Math.max(countMatches(html, /<(?:p|li|h[1-6]|t[dh]|pre)\b/gi), countMatches(text, /\n[ \t]*\r?\n/g));
  return html.length > MOST_HTML || characters + text.length > MOST_CHARACTERS || blocks + added > MOST_BLOCKS;
}

/** Returns the text of HTML without parsing it. Its tags become line ends. */
const stripTags = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();

function selectAt(view: EditorView, { clientX: left, clientY: top }: DragEvent): void {
  const at = view.posAtCoords({ left, top });
  if (at) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
}

/**
 * Returns the Markdown before and after the place for a large text: the place of the selection; in a table, a list or a
 * quote, below that.
 */
export function splitAtSelection(state: EditorState, opened: Opened): readonly [string, string] {
  const place = `place${crypto.randomUUID().replaceAll("-", "")}`;
  const tr = state.tr.deleteSelection();
  const { $from } = tr.selection;
  if ($from.depth === 1 && $from.parent.isTextblock) tr.insertText(place);
  else
    tr.insert($from.depth === 0 ? $from.pos : $from.after(1), schema.nodes.paragraph.create(null, schema.text(place)));
  const [before = "", after = ""] = writeMarkdown(tr.doc, opened).split(place);
  return [before, after];
}

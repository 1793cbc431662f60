/** Shows another text in the same view, with the cursor at the same words. */
import type { Node } from "prosemirror-model";
import { EditorState, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { goOnUploading, uploadsIn } from "./images.ts";
import type { Opened } from "./opening.ts";
import { withRoom } from "./rich.ts";

/** Shows what somebody else has made of the text. What was undone and redone before is forgotten. */
export function reopen(view: EditorView, opened: Opened): void {
  const { doc, plugins, selection } = view.state;
  const next = withRoom(opened.doc);
  const index = selection.$head.index(0);
  const block = next.maybeChild(placeAfter(doc, next, index));
  let start = 0;
  next.forEach((node, at) => {
    if (node === block) start = at;
  });
  const within = selection.head - selection.$head.posAtIndex(index, 0);
  const place = next.resolve(
    Math.min(start + Math.min(within, Math.max(0, (block?.nodeSize ?? 1) - 1)), next.content.size),
  );
  const uploads = uploadsIn(view.state);
  view.updateState(EditorState.create({ doc: next, plugins, selection: Selection.near(place, -1) }));
  goOnUploading(view, uploads);
}

/** Returns the place among the blocks of one document that a block of another has: blocks at both ends are the same. */
function placeAfter(before: Node, after: Node, index: number): number {
  const [old, now] = [before, after].map(({ children }) => children.map(withoutOrigin));
  let first = 0;
  while (first < index && isSame(old?.[first], now?.[first])) first++;
  if (first === index) return index;
  const fromEnd = before.childCount - index;
  for (let end = 1; end <= fromEnd; end++) if (!isSame(old?.at(-end), now?.at(-end))) return index;
  return after.childCount - fromEnd;
}

const isSame = (one: Node | undefined, other: Node | undefined): boolean =>
  one !== undefined && other !== undefined && one.eq(other);

const withoutOrigin = (node: Node): Node => node.type.create({ ...node.attrs, origin: null }, node.content);

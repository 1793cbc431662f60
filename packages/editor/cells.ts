/** Content for table cells: several cells fill those of the table, and anything else becomes one line. */
import { type Node, type ResolvedPos, Slice } from "prosemirror-model";
import { toOneLine } from "./one-line.ts";
import { schema } from "./schema.ts";

const getTableRole = ({ type }: Node): unknown => type.spec["tableRole"];

export const isWithinTable = ($place: ResolvedPos): boolean =>
  Array.from({ length: $place.depth + 1 }, (_, depth) => $place.node(depth)).some(getTableRole);

function isGrid({ content }: Slice): boolean {
  let cells = 0;
  content.descendants((node) => {
    cells += Number(String(getTableRole(node)).endsWith("cell"));
    return !node.isTextblock;
  });
  const isOne = content.childCount === 1 || content.firstChild?.type !== schema.nodes.table;
  return cells > 1 && isOne && content.content.every(getTableRole);
}

/** Returns content so that it fits a place. In a row, ProseMirror would make cells of blocks. */
export const fitSlice = (slice: Slice, $place: ResolvedPos): Slice =>
  isWithinTable($place) && !isGrid(slice) ? new Slice(toOneLine(slice.content, schema), 0, 0) : slice;

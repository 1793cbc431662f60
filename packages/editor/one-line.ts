/** Blocks as one line, which is all that Markdown allows in a table cell. */
import { Fragment, type Node, type Schema } from "prosemirror-model";

/** Returns the content of blocks as one line. A space replaces the end of a line or a block. */
export function toOneLine(content: Fragment, schema: Schema): Fragment {
  const line: Node[] = [];
  content.descendants((node, _, block) => {
    if (node.isTextblock && node.content.size > 0 && line.length > 0) line.push(schema.text(" "));
    if (node.isInline) line.push(toLinePart(node, block, schema));
    return true;
  });
  return Fragment.from(line);
}

function toLinePart(node: Node, block: Node | null, schema: Schema): Node {
  if (/^(?:hard|soft)_break$/.test(node.type.name)) return schema.text(" ", node.marks);
  if (!node.isText) return node;
  const mark = block?.type.spec.code && schema.marks[block.type.name === "source_block" ? "raw" : "code"];
  return schema.text((node.text ?? "").replaceAll(/\s+/g, " "), mark ? mark.create().addToSet(node.marks) : node.marks);
}

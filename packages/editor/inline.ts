/** Converts inline content, whose marks are flat, to the nested nodes of a Markdown tree. */
import type { Mark, Node } from "prosemirror-model";
import type { Attributes, Inline } from "../markdown/tree.ts";

/** An inline node, and the marks that are still to be nested around it. */
type Piece = { readonly node: Node; readonly marks: readonly Mark[] };

export function writeInlines(block: Node): Inline[] {
  const pieces = block.children.map((node): Piece => ({ node, marks: node.marks }));
  return nest(moveSpacesOut(pieces));
}

/** Wraps each run of pieces in the mark that they share. The longest run comes first. */
function nest(pieces: readonly Piece[]): Inline[] {
  const written: Inline[] = [];
  let at = 0;
  for (let piece = pieces[at]; piece; piece = pieces[at]) {
    const [mark, end] = furthest(pieces, at);
    if (mark === null) {
      written.push(...writeLeaf(piece.node));
      at++;
      continue;
    }
    const inside = pieces.slice(at, end).map(({ node, marks }) => ({ node, marks: mark.removeFromSet(marks) }));
    written.push(wrap(mark, inside));
    at = end;
  }
  return written;
}

/** Whether a mark is written around others. Code and raw Markdown are written as leaves. */
const isWrapping = ({ type }: Mark): boolean => type.name !== "code" && type.name !== "raw";

function furthest(pieces: readonly Piece[], at: number): [Mark | null, number] {
  let [best, end]: [Mark | null, number] = [null, at];
  for (const mark of pieces[at]?.marks.filter(isWrapping) ?? []) {
    let to = at + 1;
    while (to < pieces.length && mark.isInSet(pieces[to]?.marks ?? [])) to++;
    if (to > end) [best, end] = [mark, to];
  }
  return [best, end];
}

function wrap(mark: Mark, inside: readonly Piece[]): Inline {
  const children = nest(inside);
  const { href, title, reference, bare } = mark.attrs as Record<string, string | null>;
  switch (mark.type.name) {
    case "strong":
      return { type: "strong", children };
    case "em":
      return { type: "emphasis", children };
    case "strike":
      return { type: "delete", children };
    case "sub":
    case "sup":
    case "element": {
      const { name, attributes } = mark.attrs as { readonly name: string; readonly attributes: Attributes };
      return { type: "element", name, attributes, children };
    }
    default:
      break;
  }
  const link = { type: "link", url: href ?? "", title: title ?? null, children } as const;
  if (reference) return { ...link, written: "reference", label: reference };
  // A URL as its own text is written bare if it was, otherwise in angle brackets.
  return { ...link, written: bare ? "bare" : href?.includes(":") ? "autolink" : "inline" };
}

function writeLeaf(node: Node): Inline[] {
  const { attrs } = node;
  const text = node.text ?? "";
  switch (node.type.name) {
    case "image":
      return [
        {
          type: "image",
          url: attrs["src"] as string,
          alt: attrs["alt"] as string,
          title: attrs["title"] as string | null,
          written: "html",
          attributes: attrs["attributes"] as Attributes,
        },
      ];
    case "hard_break":
      return [{ type: "break", ...(attrs["written"] !== "" && { written: attrs["written"] as "spaces" | "html" }) }];
    case "soft_break":
      return [{ type: "text", value: "\n" }];
    case "footnote_reference":
      return [{ type: "footnoteReference", label: attrs["label"] as string }];
    default:
      break;
  }
  if (node.marks.some(({ type }) => type.name === "code")) return [{ type: "inlineCode", value: text }];
  if (node.marks.some(({ type }) => type.name === "raw")) return [{ type: "html", value: text }];
  return [{ type: "text", value: text }];
}

/**
 * Moves the spaces at the ends of bold, italic and struck text out of them, because Markdown does not see `** bold **`.
 * Removes those at the ends of a block.
 */
function moveSpacesOut(pieces: readonly Piece[]): Piece[] {
  const split = pieces.flatMap(({ node, marks }): Piece[] => {
    if (!isPlain(node)) return [{ node, marks }];
    const all = node.text ?? "";
    const text = all.trim();
    const from = text === "" ? all.length : all.indexOf(text);
    return [all.slice(0, from), text, all.slice(from + text.length)].flatMap((part) =>
      part === "" ? [] : [{ node: node.type.schema.text(part, node.marks), marks }],
    );
  });
  const [before, after] = [findReaches(split, 1), findReaches(split, -1)];
  const isInside = (mark: Mark, at: number) => mark.isInSet(before[at] ?? []) && mark.isInSet(after[at] ?? []);
  const freed = split.map((piece, at): Piece => {
    if (!isSpace(piece.node)) return piece;
    return { node: piece.node, marks: piece.marks.filter((mark) => isHtml(mark) || isInside(mark, at)) };
  });
  while (freed.length > 0 && isBlank(freed[0])) freed.shift();
  while (freed.length > 0 && isBlank(freed.at(-1))) freed.pop();
  return freed;
}

/** Whether a mark is an HTML element, which may have spaces at its ends. */
const isHtml = ({ attrs }: Mark): boolean => "attributes" in attrs;

const isPlain = (node: Node): boolean => node.isText && !node.marks.some((mark) => !isWrapping(mark));

const isSpace = (node: Node | undefined): boolean =>
  node !== undefined &&
  ((isPlain(node) && /^\s*$/.test(node.text ?? "")) ||
    node.type.name === "soft_break" ||
    node.type.name === "hard_break");

/** Whether readers do not see it at the end of a block. They do see no-break spaces. */
const isBlank = (piece: Piece | undefined): boolean =>
  isSpace(piece?.node) && /^[ \t\n]*$/.test(piece?.node.text ?? "") && !piece?.marks.some(isHtml);

/** Returns, for each piece, the marks that continue on this side of it, across spaces. */
function findReaches(pieces: readonly Piece[], step: 1 | -1): (readonly Mark[])[] {
  const reaches: (readonly Mark[])[] = [];
  let marks: readonly Mark[] = [];
  const inOrder = [...pieces.entries()];
  for (const [at, piece] of step === 1 ? inOrder : inOrder.toReversed()) {
    reaches[at] = marks;
    marks = isSpace(piece.node) ? marks.filter((mark) => mark.isInSet(piece.marks)) : piece.marks;
  }
  return reaches;
}

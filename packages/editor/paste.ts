/** Converts what is pasted from web pages and word processors to what Markdown has. */
import { DOMParser as Parser, Fragment, type Node, type ParseOptions, Slice } from "prosemirror-model";
import { Plugin, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { fitSlice, isWithinTable } from "./cells.ts";
import { parseCode } from "./clipboard.ts";
import { insertNodes } from "./commands.ts";
import { openMarkdown } from "./opening.ts";
import { schema } from "./schema.ts";
import { fillCells } from "./tables.ts";
import { detectStyle, writeBlock } from "./to-markdown.ts";
import { normalizeLineBreaks } from "../../src/lib/text.ts";

export const pasting = (): Plugin =>
  new Plugin({
    props: {
      transformPastedHTML: (html, view) => cleaned(html, listFootnoteLabels(view.state.doc)),
      clipboardParser: new PlaceParser(schema, Parser.fromSchema(schema).rules),
      clipboardTextParser: (text, $place, isPlain) =>
        fitSlice(Slice.maxOpen(Fragment.from((isPlain ? null : parseBlocks(text)) ?? toParagraphs(text))), $place),
      clipboardTextSerializer: (slice) => toMarkdown(slice.content.content),
      handlePaste: (view, event, slice) =>
        linked(view, event.clipboardData) || codePasted(view, event.clipboardData) || fillCells(view, slice),
      handleDrop: droppedInTable,
    },
  });

const toParagraphs = (text: string): Node[] =>
  text.split(/\r\n?|\n/).map((line) => schema.nodes.paragraph.create(null, line === "" ? null : schema.text(line)));

/** Reads HTML so that it fits where it is pasted or dropped. */
class PlaceParser extends Parser {
  override parseSlice(dom: globalThis.Node, options: ParseOptions = {}): Slice {
    const slice = super.parseSlice(dom, options);
    return options.context ? fitSlice(slice, options.context) : slice;
  }
}

function droppedInTable(view: EditorView, event: MouseEvent, slice: Slice, isMoved: boolean): boolean {
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
  if (at === undefined || !isWithinTable(view.state.doc.resolve(at))) return false;
  const { tr } = view.state;
  if (isMoved) tr.deleteSelection();
  const { $from } = tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(at)))).selection;
  const fits = fitSlice(slice, $from);
  if (fits !== slice || !isWithinTable($from)) view.dispatch(tr.replaceSelection(fits));
  else {
    view.dispatch(tr);
    fillCells(view, slice);
  }
  return true;
}

/** Makes a link of the selected text if a URL is pasted. Returns whether it did. */
function linked(view: EditorView, data: DataTransfer | null): boolean {
  const text = data?.getData("text/plain").trim() ?? "";
  const { from, to, empty, $from, $to } = view.state.selection;
  if (
    empty ||
    !$from.sameParent($to) ||
    !/^https?:\/\/\S+$/.test(text) ||
    !$from.parent.type.allowsMarkType(schema.marks.link)
  )
    return false;
  view.dispatch(view.state.tr.addMark(from, to, schema.marks.link.create({ href: text })));
  return true;
}

/** Pastes code from a code editor as a code block: its HTML has a paragraph for each line. */
function codePasted(view: EditorView, data: DataTransfer | null): boolean {
  const code = parseCode(data);
  if (code === null || view.state.selection.$from.parent.type.spec.code) return false;
  const block = schema.nodes.code_block.create({ language: code.language }, schema.text(code.text));
  view.dispatch(insertNodes(view.state, [block], "").scrollIntoView());
  return true;
}

function listFootnoteLabels(doc: Node): Set<string> {
  const labels = new Set<string>();
  doc.descendants((node) => {
    if (node.type === schema.nodes.footnote_definition) labels.add(String(node.attrs["label"]));
  });
  return labels;
}

/** Returns Markdown as new blocks; null if it is too long or nested too deeply. */
export function parseBlocks(text: string): Node[] | null {
  const opened = openMarkdown(normalizeLineBreaks(text));
  if (typeof opened === "string") return null;
  return opened.doc.children.map((node) => node.type.create({ ...node.attrs, origin: null }, node.content));
}

export const toMarkdown = (nodes: readonly Node[]): string => {
  if (nodes.every(({ isInline }) => isInline))
    return writeBlock(schema.nodes.paragraph.create(null, nodes), detectStyle(""));
  return nodes.map((node) => writeBlock(node, detectStyle(""))).join("\n\n");
};

export function getSelectedMarkdown(selection: Selection): string {
  const { empty, $from, $to } = selection;
  if (empty) return "";
  const isInOne = $from.sameParent($to) && $from.parent.inlineContent;
  return toMarkdown(
    isInOne ? $from.parent.cut($from.parentOffset, $to.parentOffset).children : selection.content().content.content,
  );
}

/**
 * Returns the HTML of a clipboard as the schema reads it. Styles, which word processors use, become elements. Styles
 * and event handlers are renamed before anything parses them: the page's policy reports both, even in other documents.
 */
function cleaned(html: string, notes: ReadonlySet<string>): string {
  const text = removeElements(
    html.replaceAll(/<[a-z][^<>]*/gi, (tag) => tag.replaceAll(/([\s/"'])(style|on[a-z]+)(?=\s*=)/gi, "$1data-$2")),
  );
  const { body } = new DOMParser().parseFromString(text, "text/html");
  for (const each of body.querySelectorAll("meta, link, title, colgroup, col, img[aria-roledescription='checkbox']"))
    each.remove();
  if (/\bmso-/i.test(text)) for (const each of body.querySelectorAll(OF_REVIEWERS)) each.remove();
  pastedNotes(body, notes);
  wordLists(body);
  for (const each of body.querySelectorAll("li")) task(each);
  for (const each of body.querySelectorAll<HTMLElement>("[data-style], b, strong, i, em")) styled(each);
  for (const each of body.querySelectorAll("table")) simpleTable(each);
  for (const each of body.querySelectorAll("pre")) withoutLastLine(each);
  for (const each of body.querySelectorAll("p"))
    if (each.textContent.trim() === "" && !each.querySelector("img, iframe, input")) each.remove();
  for (const each of body.querySelectorAll<HTMLIFrameElement>("iframe[src^='http']"))
    each.replaceWith(toAddressParagraph(each));
  // Word's bookmarks are anchors without an address.
  for (const each of body.querySelectorAll("a:not([href])")) each.replaceWith(...each.childNodes);
  return body.innerHTML;
}

/**
 * What reviewers left in a Word document: comments, the marks that lead to them, and deleted text. Other struck text is
 * in an `s` there.
 */
const OF_REVIEWERS =
  "[data-style*='mso-element:comment'], [data-style*='mso-special-character:comment'], .msocomanchor, .msocomoff, .msodel, del";

/**
 * Returns HTML without the elements that contain no text. Those that never end stay: each would be searched for to the
 * end of the HTML, which is slow if there are many.
 */
export const removeElements = (html: string): string =>
  ["style", "script", "xml", "o:p"].reduce((text, name) => {
    const last = [...text.matchAll(new RegExp(`</${name}\\s*>`, "gi"))].at(-1);
    if (last === undefined) return text;
    const end = last.index + last[0].length;
    return text.slice(0, end).replaceAll(new RegExp(`<${name}\\b[\\s\\S]*?</${name}\\s*>`, "gi"), "") + text.slice(end);
  }, html);

/** Wraps the content in the elements that its style stands for. Unwraps bold elements whose style is not bold. */
function styled(each: HTMLElement): void {
  const style = each.getAttribute("data-style") ?? "";
  const says = (pattern: RegExp) => pattern.test(style);
  each.removeAttribute("data-style");
  // Not `mso-bidi-font-weight`, which Word also sets on bold text.
  if (/^(B|STRONG)$/.test(each.tagName) && says(/(^|[;\s])font-weight:\s*(normal|400)/i))
    return each.replaceWith(...each.childNodes);
  if (/^(I|EM)$/.test(each.tagName) && says(/(^|[;\s])font-style:\s*normal/i))
    return each.replaceWith(...each.childNodes);
  // Headings, header cells and code blocks are bold or monospaced as a whole.
  if (!/^(SPAN|FONT|P|LI|TD|DIV|A)$/.test(each.tagName) || each.textContent === "") return;
  const tags = [
    says(/(^|[;\s])font-weight:\s*(bold|[6-9]00)/i) && "strong",
    says(/(^|[;\s])font-style:\s*italic/i) && "em",
    // Google Docs strikes the items that are checked.
    says(/text-decoration[^;]*line-through/i) && !each.closest("li")?.matches("[aria-checked='true']") && "del",
    each.tagName === "SPAN" && says(/font-family:[^;]*(mono|courier|consolas|menlo)/i) && "code",
  ];
  for (const tag of tags) {
    if (tag === false || each.closest(`${tag}, pre, h1, h2, h3, h4, h5, h6, th`)) continue;
    const wrapper = each.ownerDocument.createElement(tag);
    wrapper.append(...each.childNodes);
    each.append(wrapper);
  }
}

/** Removes the last line end, which most pages have: it would be an empty line. */
function withoutLastLine(code: HTMLElement): void {
  const texts = code.ownerDocument.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  let last: globalThis.Node | null = null;
  while (texts.nextNode()) last = texts.currentNode;
  if (last) last.nodeValue = last.nodeValue?.replace(/\n$/, "") ?? "";
}

/** Returns the URL of what is embedded, alone in its paragraph, as the editor has it (docs/editor.md). */
function toAddressParagraph({ ownerDocument, src }: HTMLIFrameElement): HTMLElement {
  const paragraph = ownerDocument.createElement("p");
  paragraph.append(src);
  return paragraph;
}

/** Makes a checkbox of the text that Notion and others write for it. */
function task(item: HTMLLIElement): void {
  const first = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode();
  const [marker, sign] = /^\s*\[([ x])\]\s+/i.exec(first?.nodeValue ?? "") ?? [];
  if (!first || marker === undefined || first.parentElement?.closest("li") !== item) return;
  first.nodeValue = first.nodeValue?.slice(marker.length) ?? "";
  const box = item.ownerDocument.createElement("input");
  box.setAttribute("type", "checkbox");
  box.toggleAttribute("checked", sign !== " ");
  item.prepend(box);
}

/** Makes lists of Word's paragraphs, whose style has the list and the level, with the marker as text. */
function wordLists(body: HTMLElement): void {
  let lists: HTMLElement[] = [];
  for (const paragraph of body.querySelectorAll<HTMLElement>("p, h1, h2, h3")) {
    const level = Number(/mso-list:[^;]*level(\d)/i.exec(paragraph.getAttribute("data-style") ?? "")?.[1] ?? 0);
    if (level === 0) {
      lists = [];
      continue;
    }
    const isOrdered = /^\s*(\d+|[a-z]|[ivx]+)[.)]/i.test(paragraph.textContent ?? "");
    for (const marker of paragraph.querySelectorAll("[data-style*='Ignore' i]")) marker.remove();
    if (lists.length > 0 && lists[0]?.nextElementSibling !== paragraph) lists = [];
    lists.length = Math.min(lists.length, level);
    while (lists.length < level) {
      const list = body.ownerDocument.createElement(isOrdered ? "ol" : "ul");
      const around = lists.at(-1)?.lastElementChild;
      if (around) around.append(list);
      else if (lists.length > 0) lists.at(-1)?.append(list);
      else paragraph.before(list);
      lists.push(list);
    }
    const item = body.ownerDocument.createElement("li");
    item.append(...paragraph.childNodes);
    lists.at(-1)?.append(item);
    paragraph.remove();
  }
}

/** Markdown's tables have a header, and no cells over several columns. */
function simpleTable(table: HTMLTableElement): void {
  for (const cell of table.querySelectorAll("th, td")) {
    cell.removeAttribute("colspan");
    cell.removeAttribute("rowspan");
  }
  const width = Math.max(0, ...[...table.rows].map(({ cells }) => cells.length));
  for (const row of table.rows) while (row.cells.length < width) row.insertCell();
  for (const cell of table.rows[0]?.querySelectorAll("td") ?? []) {
    const head = table.ownerDocument.createElement("th");
    head.append(...cell.childNodes);
    cell.replaceWith(head);
  }
}

/** A link to a footnote, and the link back. */
const TO_NOTE = /^#_?(?:ftn|edn|ftnt)(\d+)$/;
const TO_TEXT = /^#_?(?:ftn|edn|ftnt_)ref(\d+)$/;

/**
 * Makes footnotes of pasted ones. `taken` has the labels of the document. If only half of a footnote was copied, it becomes
 * text, because its link would lead nowhere.
 */
function pastedNotes(body: HTMLElement, taken: ReadonlySet<string>): void {
  const linksTo = (pattern: RegExp) =>
    [...body.querySelectorAll("a[href^='#']")].flatMap((link) => {
      const number = pattern.exec(link.getAttribute("href") ?? "")?.[1];
      return number === undefined ? [] : [{ link, number }];
    });
  const [back, references] = [linksTo(TO_TEXT), linksTo(TO_NOTE)];
  const last = Math.max(0, ...[...taken].map((label) => Number(label) || 0));
  const makeLabel = (number: string) => String(last + Number(number));
  const isWhole = (number: string) => [back, references].every((links) => links.some((each) => each.number === number));
  for (const line of body.querySelectorAll("[data-style*='footnote-list'] > hr, [data-style*='footnote-list'] > br"))
    line.remove();
  for (const { link, number } of back) {
    const paragraph = link.closest("p");
    if (!isWhole(number) || !paragraph) link.replaceWith(...link.childNodes);
    else {
      const note = made(body, "div", makeLabel(number));
      link.remove();
      paragraph.replaceWith(note);
      note.append(paragraph);
    }
  }
  for (const { link, number } of references) {
    if (!isWhole(number)) link.replaceWith(...link.childNodes);
    else (link.closest("sup") ?? link).replaceWith(made(body, "sup", makeLabel(number)));
  }
}

function made(body: HTMLElement, name: "div" | "sup", label: string): HTMLElement {
  const element = body.ownerDocument.createElement(name);
  element.setAttribute("data-footnote", label);
  return element;
}

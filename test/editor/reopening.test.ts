/** What somebody else has made of a text comes into the rich editor, and nothing of one's own goes by that. */
import { history, undo } from "prosemirror-history";
import { EditorState, type Transaction } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { type Opened, openMarkdown, writeMarkdown } from "../../packages/editor/opening.ts";
import { reopen } from "../../packages/editor/reopening.ts";
import fc, { runs } from "../helpers/fast-check.ts";
import { HOSTILE } from "./documents.ts";

function open(text: string): Opened {
  const opened = openMarkdown(text);
  if (typeof opened === "string") throw new Error(opened);
  return opened;
}

/** An editor without its view. */
class Writer {
  state: EditorState;
  #opened: Opened;

  constructor(text: string) {
    this.#opened = open(text);
    this.state = EditorState.create({ doc: this.#opened.doc, plugins: [history()] });
  }

  get text(): string {
    return writeMarkdown(this.state.doc, this.#opened);
  }

  apply(tr: Transaction): void {
    this.state = this.state.apply(tr);
  }

  /** Types behind a text. */
  type(behind: string, text: string): void {
    let place = 0;
    this.state.doc.descendants((node, at) => {
      const found = node.text?.indexOf(behind) ?? -1;
      if (found !== -1) place = at + found + behind.length;
    });
    this.apply(this.state.tr.insertText(text, place));
  }

  merge(text: string): void {
    const { tr, opened } = reopen(this.state, this.#opened, open(text));
    this.#opened = opened;
    this.apply(tr);
  }

  undo(): void {
    undo(this.state, (tr) => this.apply(tr));
  }
}

describe("what one has written before a merge", () => {
  it.each([
    ["above and below", "A\n\nmine\n\nC", "New\n\nA2\n\nmine\n\nC\n\n- end"],
    ["in another line of the paragraph", "one\nmine\nthree", "ONE\nmine\nTHREE and four"],
    ["in other items of the list", "- one\n- mine\n- three", "- ONE\n- mine\n- [ ] three\n  - four"],
    [
      "in other cells of the table",
      "| a | b |\n| - | - |\n| mine | c |",
      "| A | b |\n| - | -: |\n| mine | C |\n| d | e |",
    ],
    ["of the kind of a block", "## A\n\nmine\n\n```js\nb\n```", "### A\n\nmine\n\n```ts\nb\nc\n```"],
  ])("is undone alone where others changed something %s", (_, base, theirs) => {
    const writer = new Writer(base);
    writer.type("mine", " and more");
    writer.merge(theirs.replace("mine", "mine and more"));
    expect(writer.text).toBe(theirs.replace("mine", "mine and more"));
    writer.undo();
    expect(writer.text).toBe(theirs);
    writer.undo();
    expect(writer.text).toBe(theirs);
  });

  it("stays as it is on the screen: an empty paragraph with the cursor, and a space at the end of a line", () => {
    const writer = new Writer("A\n\nB");
    writer.type("A", " ");
    writer.apply(writer.state.tr.split(3));
    const { from } = writer.state.selection;
    writer.merge("A\n\nB2\n\nC");
    expect(writer.state.doc.child(0).textContent).toBe("A ");
    expect(writer.state.doc.child(1).childCount).toBe(0);
    expect(writer.state.selection.from).toBe(from);
    expect(writer.text).toBe("A\n\nB2\n\nC");
  });
});

it("any text becomes any other", () => {
  const text = fc.array(fc.constantFrom(...Object.values(HOSTILE).flatMap((each) => each.split(/(?<=\n)/))), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, text, text, (...lists) => {
      const [base = "", typed = "", theirs = ""] = lists.map((lines) => lines.join(""));
      const writer = new Writer(base);
      if (writer.state.doc.firstChild?.isTextblock && typed !== "") writer.apply(writer.state.tr.insertText(typed, 1));
      writer.merge(theirs);
      writer.state.doc.check();
      expect(writer.text).toBe(theirs);
    }),
    runs(100),
  );
});

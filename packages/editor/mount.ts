/** Puts the editor around a text area, which stays what is read and submitted. */
import { type Command, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type Action, makeActions } from "./actions.ts";
import { insertNodes } from "./commands.ts";
import { makeAttributes, storeMode, readMode, followArea, onKeys } from "./area.ts";
import { makeButtons, makeTableToolbar } from "./buttons.ts";
import { makeElement, enterText, makeButton } from "./dom.ts";
import { FindBar } from "./find.ts";
import type { EditorHandle, EditorOptions, Mode } from "./handle.ts";
import { addHelp } from "./help.ts";
import { type ImageOptions, makeImageDialog, type Late } from "./images.ts";
import { setRenderer } from "./html-views.ts";
import { splitAtSelection, limitPastes } from "./large.ts";
import { makeLinkDialog } from "./links.ts";
import { type Opened, openMarkdown, findPlace, writeMarkdown } from "./opening.ts";
import { parseBlocks, getSelectedMarkdown } from "./paste.ts";
import { reopen } from "./reopening.ts";
import { showRich } from "./rich.ts";
import { enhanceSource, insertText, showOffset } from "./source.ts";
import { takePictures } from "./source-images.ts";
import { type Status, addStatus } from "./status.ts";
import { type Toolbar, makeToolbar } from "./toolbar.ts";
import { WHY } from "./why.ts";
import { normalizeLineBreaks } from "../../src/lib/text.ts";

declare global {
  interface HTMLElement {
    /** On the element `.rich`. */
    editor?: EditorHandle;
  }
}

/** Mounts the editor and returns its handle, which is also `editor` of the element before the text area. */
export function mount(area: HTMLTextAreaElement, options: EditorOptions): EditorHandle {
  const editor = new Editor(area, options);
  editor.root.editor = editor;
  area.dispatchEvent(new CustomEvent("editor:ready", { bubbles: true, detail: editor }));
  return editor;
}

class Editor implements EditorHandle {
  readonly root: HTMLElement;
  mode: Mode = "source";
  readonly #area: HTMLTextAreaElement;
  readonly #options: ImageOptions;
  /** Adds images whose rich text was closed at the end of the text. */
  readonly #late: Late = {
    insert: (markdown) => {
      const { value } = this.#area;
      const gap = value === "" ? "" : value.endsWith("\n") ? "\n" : "\n\n";
      enterText(this.#area, `${value}${gap}${markdown}\n`);
      this.#tell(WHY["late picture"]);
    },
    tell: (why) => this.#tell(why),
  };
  readonly #actions: readonly Action[];
  readonly #place = makeElement("div", { class: "rich-place" });
  readonly #why = makeElement("p", { class: "alert warn", role: "status", hidden: true });
  readonly #find: FindBar;
  readonly #status: Status;
  readonly #tools: readonly Toolbar[];
  #view: EditorView | null = null;
  #opened: Opened | null = null;

  constructor(area: HTMLTextAreaElement, options: EditorOptions) {
    this.#area = area;
    this.#place.id = `${area.id}-place`;
    setRenderer(options.loadRenderer);
    this.#options = { ...options, late: this.#late };
    const getBlogId = () =>
      area.form?.querySelector<HTMLSelectElement>("[name=blogId]")?.value ?? area.dataset["blog"] ?? "";
    this.#actions = makeActions({ link: makeLinkDialog(getBlogId), image: makeImageDialog(this.#options) });
    this.#find = new FindBar(() => this.#view);
    this.#status = addStatus((at) => this.#goTo(at + 1));
    const showHelp = addHelp(this.#actions);
    const [all, table] = [
      makeToolbar(
        "Formatting",
        makeButtons({
          actions: this.#actions,
          view: () => this.#view,
          run: (command) => this.#run(command),
          find: () => this.#find.open(),
          outline: () => this.#outline(),
          isOutlined: () => !this.#status.outline.hidden,
          focusMode: () => this.#focusMode(),
          help: showHelp,
          switchMode: () => this.#toggle(),
        }),
        `${area.id}-place`,
      ),
      makeTableToolbar(() => this.#view, `${area.id}-place`),
    ];
    this.#tools = [all, table];
    const sticky = makeElement("div", { class: "rich-bars" }, all.root, table.root, this.#find.root);
    this.root = makeElement("div", { class: "rich" }, sticky, this.#why, this.#status.outline, this.#place);
    // What is typed into the rich text reaches the form only as input of the text area.
    for (const type of ["input", "change"]) this.root.addEventListener(type, (event) => event.stopPropagation());
    area.before(this.root);
    area.after(this.#status.root);
    enhanceSource(area);
    takePictures(area, { upload: options.uploadImage, tell: (why) => this.#tell(why) });
    this.#followArea(showHelp);
    this.#switchTo(readMode(), false);
  }

  #followArea(showHelp: () => void): void {
    const area = this.#area;
    followArea(area, {
      focus: () => this.focus(),
      changed: () => this.#follow(),
      locale: () => this.#view?.setProps({}),
    });
    for (const part of [this.root, area]) onKeys(part, { switchMode: () => this.#toggle(), help: showHelp });
    limitPastes([this.root, area], {
      view: () => this.#view,
      area,
      excessive: () => this.#tell(WHY["excessive paste"]),
      large: (text) => this.#pasteAsSource(text),
    });
  }

  #pasteAsSource(text: string): void {
    if (!this.#view || !this.#opened) return;
    const former = this.#area.value;
    const [before, after] = splitAtSelection(this.#view.state, this.#opened);
    this.#switchTo("source", false);
    enterText(this.#area, `${before}${normalizeLineBreaks(text)}${after}`);
    this.focus();
    const end = this.#area.value.length - after.length;
    this.#area.setSelectionRange(end, end);
    const takeOut = makeButton("Undo paste", () => {
      enterText(this.#area, former);
      this.#switchTo("rich", true);
    });
    // Undo would lose what is typed from then on.
    this.#area.addEventListener("input", () => takeOut.remove(), { once: true });
    this.#tell(WHY["large paste"], takeOut);
  }

  /** Shows a message above the text until the text or the mode changes. */
  #tell(why: string, ...more: Node[]): void {
    this.#why.replaceChildren(why, ...more);
    this.#why.hidden = false;
  }

  /** Shows what another script has put into the text area, such as autosave. */
  #follow(): void {
    const view = this.#view;
    if (!view || !this.#opened || writeMarkdown(view.state.doc, this.#opened) === this.#area.value) return;
    const opened = openMarkdown(this.#area.value);
    if (typeof opened === "string") return this.#open();
    const reopened = reopen(view.state, this.#opened, opened);
    this.#opened = reopened.opened;
    view.dispatch(reopened.tr);
  }

  #run(command: Command): void {
    const view = this.#view;
    if (!view) return;
    view.focus();
    command(view.state, view.dispatch, view);
  }

  #toggle(): void {
    const to = this.mode === "rich" ? "source" : "rich";
    storeMode(to);
    this.#switchTo(to, true);
  }

  #switchTo(mode: Mode, isFocused: boolean): void {
    this.mode = mode;
    this.#why.hidden = true;
    if (mode === "rich") this.#open();
    else this.#close();
    if (isFocused) this.focus();
  }

  /** Opens the text area's text, or says why it stays in the source mode. */
  #open(): void {
    const opened = openMarkdown(this.#area.value);
    this.#close();
    if (typeof opened === "string") return this.#tell(WHY[opened]);
    this.mode = "rich";
    this.#opened = opened;
    const mounted = makeElement("div");
    this.#place.replaceChildren(mounted);
    this.#view = showRich(mounted, opened, {
      ...this.#options,
      actions: this.#actions,
      keys: this.#keys(),
      attributes: () => makeAttributes(this.#area),
      onUpdate: (view, isChanged) => this.#updated(view, isChanged),
    });
    this.#show();
    this.#status.update(opened.doc);
  }

  #close(): void {
    this.#view?.destroy();
    this.#place.replaceChildren();
    [this.#view, this.#opened, this.mode] = [null, null, "source"];
    this.#show();
  }

  #show(): void {
    const isRich = this.mode === "rich";
    this.#area.hidden = isRich;
    this.#place.hidden = !isRich;
    this.#status.root.hidden = !isRich;
    if (!isRich) [this.#find.root.hidden, this.#status.outline.hidden] = [true, true];
    this.#update();
  }

  #update(): void {
    for (const { update } of this.#tools) update();
  }

  #keys(): Record<string, Command> {
    return {
      "Mod-f": doing(() => this.#find.open()),
      "Mod-Shift-f": doing(() => this.#focusMode()),
      "Alt-F10": doing(() => this.root.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus()),
    };
  }

  #updated(view: EditorView, isChanged: boolean): void {
    this.#update();
    this.#find.update();
    if (!isChanged || !this.#opened) return;
    this.#why.hidden = true;
    this.#status.update(view.state.doc);
    const text = writeMarkdown(view.state.doc, this.#opened);
    if (text !== this.#area.value) enterText(this.#area, text);
  }

  #outline(): void {
    this.#status.outline.hidden = !this.#status.outline.hidden;
    this.#update();
  }

  /** Hides all of the page but the title, the text and the form's buttons. */
  #focusMode(): void {
    document.documentElement.classList.toggle("writing");
    this.#update();
    this.focus();
  }

  #goTo(at: number): void {
    const view = this.#view;
    if (!view) return;
    view.focus();
    view.dispatch(
      view.state.tr
        .setSelection(Selection.near(view.state.doc.resolve(Math.min(at, view.state.doc.content.size))))
        .scrollIntoView(),
    );
  }

  focus(): void {
    if (this.#view) this.#view.focus();
    else this.#area.focus();
  }

  getSelection(): string {
    const { selectionStart, selectionEnd, value } = this.#area;
    if (!this.#view) return value.slice(selectionStart, selectionEnd);
    return getSelectedMarkdown(this.#view.state.selection);
  }

  insertMarkdown(text: string): void {
    if (this.#view) {
      const { state } = this.#view;
      this.#view.dispatch(state.tr.setSelection(Selection.near(state.selection.$to, -1)));
    } else this.#area.setSelectionRange(this.#area.selectionEnd, this.#area.selectionEnd);
    this.replaceSelection(text);
  }

  replaceSelection(text: string): void {
    const blocks = this.#view && parseBlocks(text);
    if (this.#view && blocks) this.#view.dispatch(insertNodes(this.#view.state, blocks, text).scrollIntoView());
    else insertText(this.#area, text);
  }

  jumpTo(line: number): void {
    const lines = this.#area.value.split("\n").slice(0, Math.max(0, line - 1));
    const offset = lines.reduce((sum, each) => sum + each.length + 1, 0);
    if (!this.#view || !this.#opened) return showOffset(this.#area, offset);
    this.#goTo(findPlace(offset, this.#view.state.doc, this.#opened));
  }
}

/** Returns a command that does not change the text. */
const doing =
  (work: () => void): Command =>
  () => {
    work();
    return true;
  };

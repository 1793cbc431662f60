/** Images: the dialog that uploads or chooses one, and dropped or pasted files. */
import type { Node } from "prosemirror-model";
import { type Command, NodeSelection, Plugin, Selection, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { makeResizeField } from "./fitting.ts";
import { isWithinTable } from "./cells.ts";
import { listImages, countLeftOut, listPastedImages } from "./clipboard.ts";
import { addDialog, makeDialogForm, makeField } from "./dialog.ts";
import { makeElement, makeButton } from "./dom.ts";
import type { EditorOptions, Upload } from "./handle.ts";
import { makeLibrary } from "./library.ts";
import { toMarkdown } from "./paste.ts";
import { trackUpload } from "./pending.ts";
import { schema } from "./schema.ts";
import { WHY } from "./why.ts";

const { nodes } = schema;

/** Handles an upload that ends after its rich text was closed, so that neither the image nor the error is lost. */
export type Late = {
  readonly insert: (markdown: string) => void;
  readonly tell: (why: string) => void;
};

export type ImageOptions = EditorOptions & { readonly late: Late };

/** Returns the command that opens the dialog, for the selected image or for a new one. */
export function makeImageDialog({ uploadImage, late }: ImageOptions): Command {
  const { shown, form, address, alt, caption, files, library } = imageFields();
  let view: EditorView | null = null;
  const told = (): Said => ({ alt: alt.value.trim(), title: caption.value.trim() || null });
  form.addEventListener("submit", () => {
    const chosen = [...(files.files ?? [])];
    if (view && chosen.length > 0) {
      // An alt text describes one image.
      const said = chosen.length === 1 ? told() : NOTHING;
      insertFiles(view, chosen, view.state.selection.from, { upload: uploadImage, late, said });
      view.focus();
    } else if (view) insertImage(view, address.value.trim(), told());
  });
  return (state, dispatch, opening) => {
    if (!state.selection.$from.parent.inlineContent || state.selection.$from.parent.type.spec.code) return false;
    if (!dispatch || !opening) return true;
    view = opening;
    form.reset();
    files.dispatchEvent(new Event("change"));
    const selected = selectedImage(view);
    address.value = (selected?.attrs["src"] as string | undefined) ?? "";
    alt.value = (selected?.attrs["alt"] as string | undefined) ?? "";
    caption.value = (selected?.attrs["title"] as string | undefined) ?? "";
    files.parentElement?.toggleAttribute("hidden", selected !== null);
    library.open();
    shown.showModal();
    return true;
  };
}

function imageFields() {
  const address = makeElement("input", {
    id: "image-address",
    type: "text",
    required: true,
    inputmode: "url",
    autocomplete: "off",
  });
  const alt = makeElement("input", { id: "image-alt", type: "text", autocomplete: "off" });
  const caption = makeElement("input", { id: "image-caption", type: "text", autocomplete: "off" });
  const files = makeElement("input", { id: "image-files", type: "file", accept: "image/*", multiple: true });
  const addressField = makeField("URL", address, "An image in the media library, or on the web.");
  const library = makeLibrary("image", (picture) => {
    address.value = picture.url;
    alt.value = picture.alt;
    alt.focus();
  });
  // An uploaded file needs no URL.
  files.addEventListener("change", () => {
    const isUpload = (files.files?.length ?? 0) > 0;
    address.required = !isUpload;
    for (const part of [addressField, library.root]) part.toggleAttribute("hidden", isUpload);
  });
  const upload = makeField("Upload", files);
  upload.append(makeResizeField());
  const form = makeDialogForm(
    upload,
    library.root,
    addressField,
    makeField("Alt text", alt, "Describes the image for readers who cannot see it. Leave blank if it is decorative."),
    makeField("Caption", caption, "Shown below an image that is a paragraph of its own."),
    makeElement(
      "div",
      { class: "actions" },
      makeElement("button", { type: "submit" }, "Insert"),
      makeButton("Cancel", () => shown.close()),
    ),
  );
  const shown = addDialog("Image", form);
  return { shown, form, address, alt, caption, files, library };
}

function selectedImage({ state: { selection } }: EditorView): Node | null {
  return selection instanceof NodeSelection && selection.node.type === nodes.image ? selection.node : null;
}

/** What the user says about an image. Its title is its caption. */
type Said = { readonly alt: string; readonly title: string | null };
const NOTHING: Said = { alt: "", title: null };

function insertImage(view: EditorView, src: string, said: Said): void {
  const selected = selectedImage(view);
  const image = nodes.image.create({ ...selected?.attrs, src, ...said });
  view.dispatch(view.state.tr.replaceSelectionWith(image, !selected).scrollIntoView());
  view.focus();
}

/**
 * The place of an image that is being uploaded. `id` cancels the upload, `shown` shows its progress, and files that
 * were chosen together have the same `group`.
 */
type Place = {
  readonly id: AbortController;
  readonly shown: HTMLElement;
  readonly group: object;
  readonly at: number;
};

/** `next` is the new place of the others in the group: after the inserted image. */
type Change =
  | { readonly add: Place }
  | { readonly remove: Place["id"]; readonly group?: object; readonly next?: number };

/** The places of images that are being uploaded. Deleting the text around a place cancels its upload. */
const places: Plugin<readonly Place[]> = new Plugin<readonly Place[]>({
  state: {
    init: () => [],
    apply(tr, before) {
      // Changes by others cancel no upload (reopening.ts).
      const isByOthers = tr.getMeta("addToHistory") === false;
      const kept = before.flatMap((place) => {
        // What is typed there meanwhile stays after the image.
        const { pos: at, deleted } = tr.mapping.mapResult(place.at, isByOthers ? 1 : -1);
        if (!deleted || isByOthers) return [{ ...place, at }];
        place.id.abort();
        return [];
      });
      const change = tr.getMeta(places) as Change | undefined;
      if (change === undefined) return kept;
      if ("add" in change) return [...kept, change.add];
      const { remove, group, next } = change;
      return kept.flatMap((place) => {
        if (place.id === remove) return [];
        return next !== undefined && place.group === group ? [{ ...place, at: next }] : [place];
      });
    },
  },
  props: {
    decorations: (state) =>
      DecorationSet.create(
        state.doc,
        (places.getState(state) ?? []).map(({ at, shown }) => Decoration.widget(at, shown, { side: -1 })),
      ),
  },
});

export function fileDrops({ uploadImage, late }: ImageOptions): Plugin[] {
  const sending = { upload: uploadImage, late, said: NOTHING };
  const drops = new Plugin({
    props: {
      handlePaste(view, { clipboardData }) {
        const files = listPastedImages(clipboardData);
        const missing = countLeftOut(clipboardData);
        // Later, when the pasted text is there, because each change of the text removes the message.
        if (files.length === 0 && missing > 0) setTimeout(() => late.tell(WHY["left out"](missing)));
        if (files.length === 0) return false;
        insertFiles(view, files, view.state.selection.from, sending);
        return true;
      },
      handleDrop(view, { dataTransfer, clientX: left, clientY: top }) {
        const all = [...(dataTransfer?.files ?? [])];
        const files = listImages(dataTransfer);
        const other = all.find((file) => !files.includes(file));
        // The browser would leave the page to open the file.
        if (other) late.tell(WHY["no picture"](other.name));
        if (files.length > 0) insertFiles(view, files, droppedAt(view, { left, top }), sending);
        return all.length > 0;
      },
    },
  });
  return [places, drops];
}

/** Returns the start of the block that files are dropped on if they are on its upper half, otherwise its end. */
function droppedAt(view: EditorView, place: { readonly left: number; readonly top: number }): number {
  const at = view.posAtCoords(place)?.pos ?? view.state.selection.from;
  const { $from: $at } = Selection.near(view.state.doc.resolve(at));
  if (!$at.parent.isTextblock || isWithinTable($at)) return $at.pos;
  const middle = (view.coordsAtPos($at.start()).top + view.coordsAtPos($at.end()).bottom) / 2;
  return place.top < middle ? $at.start() : $at.end();
}

/**
 * Inserts an image as a block: before or after a block at whose end the position is, or between the halves of a
 * paragraph. In a table cell, inserts it into the line. Returns the position after it.
 */
function insertBlock(tr: Transaction, at: number, image: Node): number {
  const $at = tr.doc.resolve(at);
  const { parent, parentOffset } = $at;
  if (isWithinTable($at)) {
    tr.insert(at, image);
    return at + 1;
  }
  let place = at;
  if (parent.isTextblock) {
    if (parentOffset === 0) place = $at.before();
    else if (parentOffset === parent.content.size || parent.type !== nodes.paragraph) place = $at.after();
    else place = tr.split(at).mapping.map(at) - 1;
  }
  tr.insert(place, nodes.paragraph.create(null, image));
  return place + 2;
}

type Sending = { readonly upload: Upload; readonly late: Late; readonly said: Said };

/** An upload in its group. `before` is the upload whose image comes first. */
type InOrder = Pick<Place, "id" | "group"> & { readonly before: Promise<unknown> };

/** Uploads images at once, and inserts them in the order in which they were chosen. */
function insertFiles(view: EditorView, files: readonly File[], at: number, sending: Sending): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const file of files) {
    const id = new AbortController();
    before = trackUpload(id, insertFile(view, file, at, { ...sending, id, group: files, before }));
  }
}

/**
 * Uploads an image, with its progress in the text, and inserts it. Resolves to false if the upload failed; to true if
 * the image is there or was given up.
 */
async function insertFile(
  view: EditorView,
  file: File,
  at: number,
  { upload, late, said, id, group, before }: Sending & InOrder,
): Promise<boolean> {
  const bar = makeElement("progress", { max: 1, value: 0, "aria-label": `Uploading ${file.name}` });
  const shown = makeElement("span", { class: "uploading", contenteditable: "false" }, file.name, " ", bar);
  const remove = () => view.dispatch(view.state.tr.setMeta(places, { remove: id } satisfies Change));
  shown.append(makeButton("Cancel", () => id.abort()));
  view.dispatch(view.state.tr.setMeta(places, { add: { id, at, shown, group } } satisfies Change));
  try {
    const about = said.alt === "" ? {} : { alt: said.alt };
    const sending = { ...about, onProgress: (part: number) => (bar.value = part), signal: id.signal };
    const { url, alt } = await upload(file, sending);
    await before;
    const place = places.getState(view.state)?.find((each) => each.id === id);
    if (!place) return true;
    const image = nodes.image.create({ src: url, ...said, alt: said.alt || alt });
    if (view.isDestroyed) {
      late.insert(toMarkdown([image]));
      return true;
    }
    const { tr } = view.state;
    const next = insertBlock(tr, place.at, image);
    view.dispatch(tr.setMeta(places, { remove: id, group, next } satisfies Change));
    return true;
  } catch (error) {
    if (id.signal.aborted) {
      if (!view.isDestroyed) remove();
      return true;
    }
    const why = WHY["not uploaded"](file.name, error);
    // It stays until it is dismissed: nobody should think that the image is there.
    if (view.isDestroyed) late.tell(why);
    else shown.replaceChildren(makeElement("span", { role: "alert" }, why), " ", makeButton("Dismiss", remove));
    return false;
  }
}

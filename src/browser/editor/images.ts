/** Pictures: the dialog that uploads one, or chooses it from the library, and files that are dropped or pasted. */
import type { Node } from "prosemirror-model";
import { type Command, type EditorState, NodeSelection, Plugin } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { fittingField } from "../fitting.ts";
import { imagesOf, leftOut, pastedImages } from "./clipboard.ts";
import { dialog, dialogForm, labelled, quietButton } from "./dialog.ts";
import { element } from "./dom.ts";
import type { EditorOptions } from "./handle.ts";
import { libraryOf } from "./library.ts";
import { markdownOf } from "./paste.ts";
import { pending } from "./pending.ts";
import { schema } from "./schema.ts";
import { WHY } from "./why.ts";

const { nodes } = schema;

/**
 * What an upload does if its rich text is not shown any more when it ends: its picture, or its failure, must not get
 * lost.
 */
export type Late = {
  /** Called with the picture as Markdown. */
  readonly insert: (markdown: string) => void;
  /** Called with why there is none. */
  readonly tell: (why: string) => void;
};

export type ImageOptions = EditorOptions & { readonly late: Late };

/** Returns the command that opens the dialog: for the picture that is selected, or for a new one. */
export function imageDialog({ uploadImage, late }: ImageOptions): Command {
  const { shown, form, address, alt, files, library } = imageFields(uploadImage !== undefined);
  let view: EditorView | null = null;
  const told = () => alt.value.trim();
  form.addEventListener("submit", () => {
    const chosen = [...(files.files ?? [])];
    if (view && chosen.length > 0 && uploadImage) {
      // A text describes one picture.
      const text = chosen.length === 1 ? told() : "";
      insertFiles(view, chosen, view.state.selection.from, { upload: uploadImage, late, alt: text });
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
    files.parentElement?.toggleAttribute("hidden", selected !== null);
    library.open();
    shown.showModal();
    return true;
  };
}

function imageFields(hasUpload: boolean) {
  const address = element("input", {
    id: "image-address",
    type: "text",
    required: true,
    inputmode: "url",
    autocomplete: "off",
  });
  const alt = element("input", { id: "image-alt", type: "text", autocomplete: "off" });
  const files = element("input", { id: "image-files", type: "file", accept: "image/*", multiple: true });
  const addressField = labelled("Address", address, "Of a picture of the library, or of any other.");
  const library = libraryOf("image", (picture) => {
    address.value = picture.url;
    alt.value = picture.alt;
    alt.focus();
  });
  // What is uploaded has no address yet.
  files.addEventListener("change", () => {
    const isUpload = (files.files?.length ?? 0) > 0;
    address.required = !isUpload;
    for (const part of [addressField, library.root]) part.toggleAttribute("hidden", isUpload);
  });
  const upload = labelled("Upload", files);
  upload.append(fittingField());
  const form = dialogForm(
    ...(hasUpload ? [upload] : []),
    library.root,
    addressField,
    labelled("Alternative text", alt, "What the picture shows, for readers who do not see it. Empty for decoration."),
    element(
      "div",
      { class: "actions" },
      element("button", { type: "submit" }, "Insert"),
      quietButton("Cancel", () => shown.close()),
    ),
  );
  const shown = dialog("Picture", form);
  return { shown, form, address, alt, files, library };
}

function selectedImage({ state: { selection } }: EditorView): Node | null {
  return selection instanceof NodeSelection && selection.node.type === nodes.image ? selection.node : null;
}

/** Puts a picture in the place of the selection. One that is selected keeps its title. */
function insertImage(view: EditorView, src: string, alt: string): void {
  const selected = selectedImage(view);
  const image = nodes.image.create({ ...selected?.attrs, src, alt });
  view.dispatch(view.state.tr.replaceSelectionWith(image, !selected).scrollIntoView());
  view.focus();
}

type Upload = NonNullable<EditorOptions["uploadImage"]>;

/**
 * The place of a picture that is being uploaded. `id` ends the upload; `shown` is the element that shows its
 * progress.
 */
type Place = { readonly id: AbortController; readonly shown: HTMLElement };

type Change = { readonly add: Place & { readonly at: number } } | { readonly remove: object };

/** The places of pictures that are being uploaded. If the text around a place is deleted, its upload ends. */
const places: Plugin<DecorationSet> = new Plugin<DecorationSet>({
  state: {
    init: () => DecorationSet.empty,
    apply(tr, set) {
      const mapped = set.map(tr.mapping, tr.doc, { onRemove: ({ id }: Place) => id.abort() });
      const change = tr.getMeta(places) as Change | undefined;
      if (change === undefined) return mapped;
      if ("add" in change) {
        const { at, ...place } = change.add;
        return mapped.add(tr.doc, [Decoration.widget(at, place.shown, place)]);
      }
      return mapped.remove(mapped.find(undefined, undefined, (spec) => spec["id"] === change.remove));
    },
  },
  props: {
    decorations: (state) => places.getState(state),
  },
});

/**
 * Returns plugins that take pasted and dropped files. Without an uploader there are none, and the browser does what
 * it does.
 */
export function fileDrops({ uploadImage, late }: ImageOptions): Plugin[] {
  if (uploadImage === undefined) return [];
  const sending = { upload: uploadImage, late, alt: "" };
  const drops = new Plugin({
    props: {
      handlePaste(view, { clipboardData }) {
        const files = pastedImages(clipboardData);
        const missing = leftOut(clipboardData);
        // Later, when the pasted text is there: each change of the text removes the message.
        if (files.length === 0 && missing > 0) setTimeout(() => late.tell(WHY["left out"](missing)));
        if (files.length === 0) return false;
        insertFiles(view, files, view.state.selection.from, sending);
        return true;
      },
      handleDrop(view, { dataTransfer, clientX: left, clientY: top }) {
        const all = [...(dataTransfer?.files ?? [])];
        const files = imagesOf(dataTransfer);
        const other = all.find((file) => !files.includes(file));
        // The browser would open it in the place of the page.
        if (other) late.tell(WHY["no picture"](other.name));
        if (files.length > 0)
          insertFiles(view, files, view.posAtCoords({ left, top })?.pos ?? view.state.selection.from, sending);
        return all.length > 0;
      },
    },
  });
  return [places, drops];
}

type Sending = { readonly upload: Upload; readonly late: Late; readonly alt: string };

/** One of several uploads: its place, and the upload whose picture stands before it. */
type InOrder = { readonly id: Place["id"]; readonly before: Promise<unknown> };

/** Uploads pictures at once, and puts them into the text in the order in which they were chosen. */
function insertFiles(view: EditorView, files: readonly File[], at: number, sending: Sending): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const file of files) {
    const id = new AbortController();
    before = pending(id, insertFile(view, file, at, { ...sending, id, before }));
  }
}

/**
 * Uploads a picture, shows the progress in the text, and puts the picture there in the end. Resolves to false if the
 * upload failed; true if the picture is there, or somebody gave it up.
 */
async function insertFile(
  view: EditorView,
  file: File,
  at: number,
  { upload, late, alt: said, id, before }: Sending & InOrder,
): Promise<boolean> {
  const bar = element("progress", { max: 1, value: 0, "aria-label": `Uploading ${file.name}` });
  const shown = element("span", { class: "uploading", contenteditable: "false" }, file.name, " ", bar);
  const remove = () => view.dispatch(view.state.tr.setMeta(places, { remove: id } satisfies Change));
  shown.append(quietButton("Cancel", () => id.abort()));
  view.dispatch(view.state.tr.setMeta(places, { add: { id, at, shown } } satisfies Change));
  try {
    const about = said === "" ? {} : { alt: said };
    const sending = { ...about, onProgress: (part: number) => (bar.value = part), signal: id.signal };
    const { url, alt } = await upload(file, sending);
    await before;
    const [place] = places.getState(view.state)?.find(undefined, undefined, (spec) => spec["id"] === id) ?? [];
    if (!place) return true;
    const image = nodes.image.create({ src: url, alt: said || alt });
    if (view.isDestroyed) {
      late.insert(markdownOf([image]));
      return true;
    }
    const tr = view.state.tr.setMeta(places, { remove: id } satisfies Change);
    view.dispatch(tr.replaceWith(place.from, place.from, image));
    return true;
  } catch (error) {
    if (id.signal.aborted) {
      if (!view.isDestroyed) remove();
      return true;
    }
    const why = WHY["not uploaded"](file.name, error);
    // It stays until it is dismissed: nobody may think that the picture is there.
    if (view.isDestroyed) late.tell(why);
    else shown.replaceChildren(element("span", { role: "alert" }, why), " ", quietButton("Dismiss", remove));
    return false;
  }
}

/** What is being uploaded into a text. */
export const uploadsIn = (state: EditorState): readonly Place[] =>
  (places.getState(state)?.find() ?? []).map(({ spec }) => spec as Place);

/**
 * Shows uploads that go on in another rich text than they began in. They are at its cursor, as their own places are
 * gone.
 */
export function goOnUploading(view: EditorView, uploads: readonly Place[]): void {
  for (const { id, shown } of uploads) {
    const add = { id, shown, at: view.state.selection.head };
    view.dispatch(view.state.tr.setMeta(places, { add } satisfies Change));
  }
}

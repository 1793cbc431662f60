/** The cover of an article: chosen from the library or uploaded, beside the field that takes its address. */
import { dialog, dialogForm, labelled, quietButton } from "./dialog.ts";
import { element, enterText } from "./dom.ts";
import type { EditorOptions } from "./handle.ts";
import { libraryOf } from "./library.ts";
import { pending } from "./pending.ts";

/** How wide the preview is asked for, in pixels: twice the width of its column. */
const PREVIEW_WIDTH = 640;

/** Adds a button to the field that opens the choice, and shows the picture. */
export function enhanceCover(input: HTMLInputElement, upload: NonNullable<EditorOptions["uploadImage"]>): void {
  const take = (url: string) => {
    // Where a picture is not in a text, nobody reads its size from the address.
    enterText(input, url.replace(/#.*$/, ""));
    shown.close();
  };
  const file = element("input", { id: "cover-file", type: "file", accept: "image/*" });
  const told = element("p", { role: "status" });
  file.addEventListener("change", () => void send());
  const library = libraryOf("cover", ({ url }) => take(url));
  const form = dialogForm(
    labelled("Upload", file),
    told,
    library.root,
    element(
      "div",
      { class: "actions" },
      quietButton("Cancel", () => shown.close()),
    ),
  );
  const shown = dialog("Cover image", form);
  // Whoever leaves while a picture is being uploaded does not want it any more.
  let sending = new AbortController();
  shown.addEventListener("close", () => {
    sending.abort();
    open.focus();
  });
  const open = quietButton("Choose image…", () => {
    form.reset();
    told.textContent = "";
    library.open();
    shown.showModal();
  });
  open.setAttribute("aria-haspopup", "dialog");
  input.after(element("div", { class: "actions" }, open, removal(input, open)));
  showPreview(input);

  async function send(): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    sending.abort();
    sending = new AbortController();
    const { signal } = sending;
    try {
      const onProgress = (part: number) => (told.textContent = percent(part));
      const { url } = await pending(sending, upload(chosen, { signal, onProgress }));
      if (!signal.aborted) take(url);
    } catch (error) {
      if (signal.aborted) return;
      told.textContent = error instanceof Error ? error.message : "The upload failed.";
    }
  }
}

/** Returns the button that removes the cover; it gives the focus to another one. */
function removal(input: HTMLInputElement, next: HTMLElement): HTMLButtonElement {
  const button = quietButton("Remove", () => {
    enterText(input, "");
    next.focus();
  });
  button.setAttribute("aria-label", "Remove cover image");
  const show = () => (button.hidden = input.value === "");
  input.addEventListener("input", show);
  show();
  return button;
}

/** Shows the picture above its address. */
function showPreview(input: HTMLInputElement): void {
  const preview = element("img", { class: "cover", alt: "", hidden: true });
  const show = () => {
    const address = previewOf(input.value.trim());
    // One that could not be loaded stays hidden until there is another address.
    if (address === preview.getAttribute("src")) return;
    preview.hidden = address === null;
    if (address === null) preview.removeAttribute("src");
    else preview.src = address;
  };
  preview.addEventListener("error", () => (preview.hidden = true));
  input.addEventListener("input", show);
  input.before(preview);
  show();
}

/** Returns the address of a picture of the library in a small size. Null for others: pages of the console load none. */
function previewOf(cover: string): string | null {
  if (!URL.canParse(cover, location.href)) return null;
  const address = new URL(cover, location.href);
  if (address.origin !== location.origin || !address.pathname.startsWith("/media/")) return null;
  address.searchParams.set("w", String(PREVIEW_WIDTH));
  return address.href;
}

const percent = (part: number): string => `Uploading: ${Math.round(part * 100)}%`;

/** The cover image: chosen from the media library or uploaded, beside the field for its URL. */
import { addDialog, makeDialogForm, makeField } from "./dialog.ts";
import { makeElement, enterText, makeButton } from "./dom.ts";
import type { Upload } from "./handle.ts";
import { makeLibrary } from "./library.ts";
import { trackUpload } from "./pending.ts";

/** The width of the preview in pixels: twice that of its column. */
const PREVIEW_WIDTH = 640;

/** Adds buttons to the field that choose and remove the image, and a preview. */
export function enhanceCover(input: HTMLInputElement, upload: Upload): void {
  const take = (url: string) => {
    // Only texts read the image's size from the address.
    enterText(input, url.replace(/#.*$/, ""));
    shown.close();
  };
  const file = makeElement("input", { id: "cover-file", type: "file", accept: "image/*" });
  const told = makeElement("p", { role: "status" });
  file.addEventListener("change", () => void send());
  const library = makeLibrary("cover", ({ url }) => take(url));
  const form = makeDialogForm(
    makeField("Upload", file),
    told,
    library.root,
    makeElement(
      "div",
      { class: "actions" },
      makeButton("Cancel", () => shown.close()),
    ),
  );
  const shown = addDialog("Cover image", form);
  // Closing the dialog cancels the upload.
  let sending = new AbortController();
  shown.addEventListener("close", () => {
    sending.abort();
    open.focus();
  });
  const open = makeButton("Choose image…", () => {
    form.reset();
    told.textContent = "";
    library.open();
    shown.showModal();
  });
  open.setAttribute("aria-haspopup", "dialog");
  input.after(makeElement("div", { class: "actions" }, open, removal(input, open)));
  showPreview(input);

  async function send(): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    sending.abort();
    sending = new AbortController();
    const { signal } = sending;
    try {
      const onProgress = (part: number) => (told.textContent = `Uploading: ${Math.round(part * 100)}%`);
      const { url } = await trackUpload(sending, upload(chosen, { signal, onProgress }));
      if (!signal.aborted) take(url);
    } catch (error) {
      if (signal.aborted) return;
      told.textContent = error instanceof Error ? error.message : "The upload failed.";
    }
  }
}

function removal(input: HTMLInputElement, next: HTMLElement): HTMLButtonElement {
  const button = makeButton("Remove", () => {
    enterText(input, "");
    next.focus();
  });
  button.setAttribute("aria-label", "Remove cover image");
  const show = () => (button.hidden = input.value === "");
  input.addEventListener("input", show);
  show();
  return button;
}

function showPreview(input: HTMLInputElement): void {
  const preview = makeElement("img", { class: "cover", alt: "", hidden: true });
  const show = () => {
    const address = getPreviewUrl(input.value.trim());
    // An image that failed to load stays hidden until its address changes.
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

/** Returns the URL of a small version; null for images of other sites, which console pages do not load. */
function getPreviewUrl(cover: string): string | null {
  if (!URL.canParse(cover, location.href)) return null;
  const address = new URL(cover, location.href);
  if (address.origin !== location.origin || !address.pathname.startsWith("/media/")) return null;
  address.searchParams.set("w", String(PREVIEW_WIDTH));
  return address.href;
}

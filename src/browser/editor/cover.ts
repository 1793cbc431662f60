/** The cover of an article: chosen from the library or uploaded, beside the field that takes its address. */
import type { uploadImage } from "../uploads.ts";
import { dialog, dialogForm, labelled, quietButton } from "./dialog.ts";
import { element } from "./dom.ts";
import { libraryOf } from "./library.ts";

/** Adds a button to the field that opens the choice. */
export function enhanceCover(input: HTMLInputElement, upload: typeof uploadImage): void {
  const take = (url: string) => {
    // Where a picture is not in a text, nobody reads its size from the address.
    input.value = url.replace(/#.*$/, "");
    input.dispatchEvent(new Event("input", { bubbles: true }));
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
  const shown = dialog("Cover", form);
  shown.addEventListener("close", () => open.focus());
  const open = quietButton("Choose a picture…", () => {
    form.reset();
    told.textContent = "";
    library.open();
    shown.showModal();
  });
  open.setAttribute("aria-haspopup", "dialog");
  input.after(open);

  async function send(): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    try {
      take((await upload(chosen, { onProgress: (part) => (told.textContent = percent(part)) })).url);
    } catch (error) {
      told.textContent = error instanceof Error ? error.message : "The upload failed.";
    }
  }
}

const percent = (part: number): string => `Uploading: ${Math.round(part * 100)} %`;

/** Resizes large photos before they are uploaded: the service takes files of up to 10 MiB. */
import { LIMITS } from "../../src/domain/limits.ts";
import { makeElement } from "./dom.ts";
import { storeChoice, readChoice } from "./stored.ts";

const KEPT = "edgepress:photos";

/** The quality of a resized photo. Nobody sees the difference. */
const QUALITY = 0.9;

/** Whether this browser resizes large photos: unless the user chose otherwise. */
const isFitting = (): boolean => readChoice(KEPT) !== "as they are";

export function makeResizeField(): HTMLElement {
  // A form that is reset keeps the choice.
  const box = makeElement("input", { type: "checkbox", checked: isFitting() });
  box.addEventListener("change", () => {
    box.defaultChecked = box.checked;
    storeChoice(KEPT, box.checked ? "smaller" : "as they are");
  });
  const hint = `To ${LIMITS.fittedPixels / 1e6} million pixels, about 3,300 across, which is enough for any screen.`;
  return makeElement(
    "div",
    { class: "field" },
    makeElement("label", {}, box, " Resize large photos"),
    makeElement("p", { class: "hint" }, hint),
  );
}

/** Returns a size of at most `most` pixels, with the same proportions. */
function fittedSize(width: number, height: number, most: number): { width: number; height: number } {
  const ratio = Math.min(1, Math.sqrt(most / (width * height)));
  return { width: Math.max(1, Math.floor(width * ratio)), height: Math.max(1, Math.floor(height * ratio)) };
}

/** Returns a large photo in a smaller size; the file itself if it is small, or if this browser cannot resize it. */
export async function resizePhoto(file: Blob): Promise<Blob> {
  if (file.type !== "image/jpeg" || !isFitting()) return file;
  // Apply the camera's rotation.
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
  if (picture === null) return file;
  const { width, height } = fittedSize(picture.width, picture.height, LIMITS.fittedPixels);
  const smaller = width === picture.width ? null : await drawn(picture, { width, height, type: file.type });
  picture.close();
  if (smaller === null) return file;
  return file instanceof File ? new File([smaller], file.name, { type: smaller.type }) : smaller;
}

/** Draws an image in another size. Returns null if this browser cannot write files of that type. */
function drawn(picture: ImageBitmap, { width, height, type }: { width: number; height: number; type: string }) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  return new Promise<Blob | null>((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY);
  });
}

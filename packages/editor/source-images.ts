/** Images pasted or dropped into the Markdown. While one is uploaded, a mark stands for it in the text. */
import { listImages, countLeftOut, listPastedImages } from "./clipboard.ts";
import type { Upload } from "./handle.ts";
import { toMarkdown } from "./paste.ts";
import { trackUpload } from "./pending.ts";
import { schema } from "./schema.ts";
import { insertText } from "./source.ts";
import { WHY } from "./why.ts";

type Sending = { readonly upload: Upload; readonly tell: (why: string) => void };

/** Uploads pasted and dropped images. A browser would ignore pasted ones, and leave the page for dropped ones. */
export function takePictures(area: HTMLTextAreaElement, sending: Sending): void {
  const { tell } = sending;
  area.addEventListener("paste", (event) => {
    const files = listPastedImages(event.clipboardData);
    const missing = countLeftOut(event.clipboardData);
    if (files.length === 0 && missing > 0) tell(WHY["left out"](missing));
    if (files.length === 0) return;
    event.preventDefault();
    insertFiles(area, files, sending);
  });
  area.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  area.addEventListener("drop", (event) => {
    const all = [...(event.dataTransfer?.files ?? [])];
    if (all.length === 0) return;
    event.preventDefault();
    const files = listImages(event.dataTransfer);
    const other = all.find((file) => !files.includes(file));
    if (other) tell(WHY["no picture"](other.name));
    if (files.length > 0) insertFiles(area, files, sending);
  });
}

/**
 * What is left out of a name in a mark: syntax of Markdown. Once the paragraph is changed in the rich text, it would be
 * written in another way, and the mark would not be found.
 */
const MARKUP = /[\p{C}[\]\\*`~<>&$@|]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;

/** Inserts a mark for each image at the cursor, and uploads them all at once. */
function insertFiles(area: HTMLTextAreaElement, files: readonly File[], sending: Sending): void {
  const marks: string[] = [];
  for (const { name } of files) {
    const shown = name.replaceAll(MARKUP, "");
    const makeMark = (number: number) => `![Uploading ${shown}${number === 1 ? "" : ` (${number})`}…]()`;
    let number = 1;
    while (area.value.includes(makeMark(number)) || marks.includes(makeMark(number))) number++;
    marks.push(makeMark(number));
  }
  insertText(area, marks.join("\n\n"));
  for (const [n, file] of files.entries()) {
    const ending = new AbortController();
    void trackUpload(ending, insertFile(area, file, { ...sending, mark: marks[n] ?? "", ending }));
  }
}

type Marked = Sending & { readonly mark: string; readonly ending: AbortController };

/** Uploads an image and replaces its mark. Deleting the mark cancels the upload. Resolves to false if it failed. */
async function insertFile(
  area: HTMLTextAreaElement,
  file: File,
  { upload, tell, mark, ending }: Marked,
): Promise<boolean> {
  const look = () => area.value.includes(mark) || ending.abort();
  area.addEventListener("input", look);
  let [text, why] = ["", ""];
  try {
    const { url, alt } = await upload(file, { onProgress: () => undefined, signal: ending.signal });
    text = toMarkdown([schema.nodes.image.create({ src: url, alt })]);
  } catch (error) {
    if (!ending.signal.aborted) why = WHY["not uploaded"](file.name, error);
  }
  area.removeEventListener("input", look);
  replace(area, mark, text);
  if (why !== "") tell(why);
  return why === "";
}

/** Replaces a mark, if it is still there. The cursor stays where it is. */
function replace(area: HTMLTextAreaElement, mark: string, text: string): void {
  const at = area.value.indexOf(mark);
  if (at < 0) return;
  area.setRangeText(text, at, at + mark.length, "preserve");
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

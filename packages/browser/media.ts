/** Enhances the media library: uploads several images with progress, and resizes a photo that replaces another. */
import { listImages } from "../editor/clipboard.ts";
import { makeElement, makeButton } from "../editor/dom.ts";
import { resizePhoto, makeResizeField } from "../editor/fitting.ts";
import { uploadImage } from "./uploads.ts";

const AT_ONCE = 2;

const section = document.querySelector<HTMLElement>("[data-upload]");
const input = section?.querySelector<HTMLInputElement>("input[type=file]");
const form = section?.querySelector("form");
const list = section?.querySelector<HTMLElement>("[data-progress]");

if (section && input && form && list) enhance(section, input, form, list);

const replacement = document.querySelector<HTMLFormElement>("[data-replacement] form");
const replacing = replacement?.querySelector<HTMLInputElement>("input[type=file]");
if (replacement && replacing) fitReplacement(replacement, replacing);

function fitReplacement(form: HTMLFormElement, input: HTMLInputElement): void {
  input.closest(".field")?.after(makeResizeField());
  let isFitted = false;
  input.addEventListener("change", () => (isFitted = false));
  form.addEventListener("submit", (event) => {
    const [file] = input.files ?? [];
    if (file === undefined || isFitted) return;
    event.preventDefault();
    void resizePhoto(file).then((smaller) => {
      const files = new DataTransfer();
      files.items.add(smaller as File);
      input.files = files.files;
      isFitted = true;
      // A form ignores a submission while the click that submitted it is still being handled.
      setTimeout(() => form.requestSubmit(event.submitter));
    });
  });
}

function enhance(section: HTMLElement, input: HTMLInputElement, form: HTMLFormElement, list: HTMLElement): void {
  const add = makeUploader(list);
  input.multiple = true;
  input.closest(".field")?.after(makeResizeField());
  section.querySelector<HTMLElement>("[data-drop-hint]")?.removeAttribute("hidden");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const files = [...(input.files ?? [])];
    // An alt text describes one image.
    const alt = form.querySelector<HTMLInputElement>("[name=alt]")?.value;
    add(files, files.length === 1 ? alt : undefined);
    form.reset();
  });
  addEventListener("paste", (event) => add(listImages(event.clipboardData)));
  section.addEventListener("dragover", (event) => {
    event.preventDefault();
    section.classList.add("over");
  });
  section.addEventListener("dragleave", () => section.classList.remove("over"));
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    section.classList.remove("over");
    add(listImages(event.dataTransfer));
  });
}

/** Returns a function that uploads files and adds a row for each to the list. */
function makeUploader(list: HTMLElement): (files: Iterable<File>, alt?: string) => void {
  const waiting: (() => Promise<boolean>)[] = [];
  let running = 0;
  const outcomes: boolean[] = [];

  const next = async (): Promise<void> => {
    const work = running < AT_ONCE ? waiting.shift() : undefined;
    if (work !== undefined) {
      running++;
      outcomes.push(await work());
      running--;
      return next();
    }
    // Load the page again to show them, unless an upload failed: its row says why.
    const isOver = running === 0 && outcomes.length > 0;
    if (isOver && outcomes.every(Boolean)) location.assign("/console/media?done=media-uploaded");
  };

  return (files, alt) => {
    for (const file of files) {
      const row = addRow(list, file.name);
      waiting.push(() => uploadFile(file, row, alt));
      void next();
    }
  };
}

async function uploadFile(file: File, row: Row, alt: string | undefined): Promise<boolean> {
  try {
    const { id, name, thumbnail } = await uploadImage(file, { alt, onProgress: row.progress, signal: row.signal });
    row.finish(id, name, thumbnail);
    return true;
  } catch (error) {
    row.fail(error instanceof Error ? error.message : String(error));
    return false;
  }
}

type Row = ReturnType<typeof addRow>;

/** Adds a row for an upload and returns functions that update it. */
function addRow(list: HTMLElement, name: string) {
  const shown = name || "image";
  const stopping = new AbortController();
  const bar = makeElement("progress", { max: 1, value: 0, "aria-label": shown });
  const stop = makeButton("Cancel", () => stopping.abort(new Error("Canceled.")));
  stop.ariaLabel = `Cancel the upload of ${name || "the image"}`;
  const row = makeElement("li", {}, makeElement("span", {}, shown), bar, stop);
  list.append(row);
  return {
    signal: stopping.signal,
    progress: (fraction: number): void => {
      bar.value = fraction;
    },
    finish: (id: string, title: string, thumbnail: string): void => {
      const picture = makeElement("img", { src: thumbnail, alt: "" });
      row.replaceChildren(picture, makeElement("a", { href: `/console/media/${id}` }, title || shown));
    },
    fail: (reason: string): void => {
      row.className = "error";
      row.replaceChildren(`${shown}: ${reason}`);
    },
  };
}

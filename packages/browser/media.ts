/** Enhances the media library: uploads several images with progress, and resizes a photo that replaces another. */
import { fitted, fittingField } from "../editor/fitting.ts";
import { uploadImage } from "./uploads.ts";

/** How many uploads run at once. */
const AT_ONCE = 2;

const section = document.querySelector<HTMLElement>("[data-upload]");
const input = section?.querySelector<HTMLInputElement>("input[type=file]");
const form = section?.querySelector("form");
const list = section?.querySelector<HTMLElement>("[data-progress]");

if (section && input && form && list) enhance(section, input, form, list);

const replacement = document.querySelector<HTMLFormElement>("[data-replacement] form");
const replacing = replacement?.querySelector<HTMLInputElement>("input[type=file]");
if (replacement && replacing) fitReplacement(replacement, replacing);

/** Resizes a large photo before the form sends it as a replacement. */
function fitReplacement(form: HTMLFormElement, input: HTMLInputElement): void {
  input.closest(".field")?.after(fittingField());
  let isFitted = false;
  input.addEventListener("change", () => (isFitted = false));
  form.addEventListener("submit", (event) => {
    const [file] = input.files ?? [];
    if (file === undefined || isFitted) return;
    event.preventDefault();
    void fitted(file).then((smaller) => {
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
  const add = uploadsIn(list);
  input.multiple = true;
  input.closest(".field")?.after(fittingField());
  section.querySelector<HTMLElement>("[data-drop-hint]")?.removeAttribute("hidden");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const files = [...(input.files ?? [])];
    // An alt text describes one image.
    const alt = form.querySelector<HTMLInputElement>("[name=alt]")?.value;
    add(files, files.length === 1 ? alt : undefined);
    form.reset();
  });
  addEventListener("paste", (event) => add(picturesOf(event.clipboardData)));
  section.addEventListener("dragover", (event) => {
    event.preventDefault();
    section.classList.add("over");
  });
  section.addEventListener("dragleave", () => section.classList.remove("over"));
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    section.classList.remove("over");
    add(picturesOf(event.dataTransfer));
  });
}

const picturesOf = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

/** Returns a function that uploads files and adds a row for each to the list. */
function uploadsIn(list: HTMLElement): (files: Iterable<File>, alt?: string) => void {
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
      const row = rowOf(list, file.name);
      waiting.push(() => uploaded(file, row, alt));
      void next();
    }
  };
}

/** Uploads a file and returns whether that succeeded. */
async function uploaded(file: File, row: Row, alt: string | undefined): Promise<boolean> {
  try {
    const { id, name, thumbnail } = await uploadImage(file, { alt, onProgress: row.progress, signal: row.signal });
    row.finish(id, name, thumbnail);
    return true;
  } catch (error) {
    row.fail(error instanceof Error ? error.message : String(error));
    return false;
  }
}

type Row = ReturnType<typeof rowOf>;

/** Adds a row for an upload and returns functions that update it. */
function rowOf(list: HTMLElement, name: string) {
  const row = document.createElement("li");
  const bar = document.createElement("progress");
  const told = document.createElement("span");
  const stop = document.createElement("button");
  const stopping = new AbortController();
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", name || "image");
  told.textContent = name || "image";
  stop.type = "button";
  stop.className = "quiet";
  stop.textContent = "Cancel";
  stop.setAttribute("aria-label", `Cancel the upload of ${name || "the image"}`);
  stop.addEventListener("click", () => stopping.abort(new Error("Canceled.")));
  row.append(told, bar, stop);
  list.append(row);
  return {
    signal: stopping.signal,
    progress: (fraction: number): void => {
      bar.value = fraction;
    },
    finish: (id: string, title: string, thumbnail: string): void => {
      const [link, picture] = [document.createElement("a"), document.createElement("img")];
      link.href = `/console/media/${id}`;
      link.textContent = title || name || "image";
      picture.src = thumbnail;
      picture.alt = "";
      row.replaceChildren(picture, link);
    },
    fail: (reason: string): void => {
      row.className = "error";
      row.replaceChildren(`${name || "image"}: ${reason}`);
    },
  };
}

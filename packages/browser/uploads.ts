/** Uploads images to the media library, as its form does, but resizes large photos first. */
import { resizePhoto } from "../editor/fitting.ts";
import type { UploadOptions } from "../editor/handle.ts";

/** The upload timeout in milliseconds: enough for 10 MiB from a slow phone. */
const TIMEOUT_MS = 5 * 60_000;

/** An uploaded image. `alt` is empty unless the library already had the image with an alt text. */
export type UploadedImage = {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly alt: string;
  /** The URL of a small version, for pages of the console. */
  readonly thumbnail: string;
};

/**
 * Uploads an image. Rejects with an `Error` whose message can be shown to people, or with the signal's reason if it is
 * aborted. Uses XMLHttpRequest, because `fetch` does not report upload progress.
 */
export async function uploadImage(file: Blob, options: UploadOptions): Promise<UploadedImage> {
  const { alt, onProgress, signal } = options;
  const sent = await resizePhoto(file);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open("POST", "/console/media/upload");
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader("Accept", "application/json");
    const abort = () => request.abort();
    signal.addEventListener("abort", abort);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    request.addEventListener("abort", () => reject(getReason(signal)));
    request.addEventListener("error", () => reject(new Error("The connection failed. Try again.")));
    request.addEventListener("timeout", () => reject(new Error("The upload took too long. Try again.")));
    request.addEventListener("load", () => {
      const answer = parseJson(request.responseText);
      if (request.status === 200 && answer !== null) resolve(answer as unknown as UploadedImage);
      else reject(new Error(answer?.["detail"] ?? `The upload failed (${request.status}). Try again.`));
    });
    request.send(makeUploadForm(sent, alt));
  });
}

/** Makes the service fetch an image from another site. Rejects as {@link uploadImage} does. */
export const uploadFromUrl = (url: string, alt: string): Promise<UploadedImage> => send("upload", { url, alt });

/** Makes the service ask an embed provider for a title and an image. Rejects as {@link uploadImage} does. */
export const fetchEmbed = (url: string): Promise<FetchedEmbed> => send("embed", { url });

/** `picture` is the image's URL in the media library. */
export type FetchedEmbed = { readonly title: string; readonly picture: string };

async function send<T>(path: string, fields: Readonly<Record<string, string>>): Promise<T> {
  const body = newForm();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { Accept: "application/json" };
  const response = await fetch(`/console/media/${path}`, { method: "POST", headers, body }).catch(() => null);
  if (response === null) throw new Error("The connection failed. Try again.");
  const answer = parseJson(await response.text());
  if (response.ok && answer !== null) return answer as T;
  throw new Error(answer?.["detail"] ?? `It failed (${response.status}). Try again.`);
}

const getReason = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException("The upload was canceled.", "AbortError");

function parseJson(text: string): Readonly<Record<string, string>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, string>>;
  } catch {
    return null;
  }
}

/** Returns a form for the organization of this page, whose id is in each form (forms.tsx). */
function newForm(): FormData {
  const form = new FormData();
  form.set("_organization", document.querySelector<HTMLInputElement>("input[name=_organization]")?.value ?? "");
  form.set("_key", crypto.randomUUID());
  return form;
}

function makeUploadForm(file: Blob, alt: string | undefined): FormData {
  const form = newForm();
  if (alt !== undefined) form.set("alt", alt);
  // A pasted image has no file name.
  form.set("file", file, file instanceof File ? file.name : "picture");
  return form;
}

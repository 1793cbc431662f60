/** Uploads pictures to the library, as the form of the library does, but large photos in a smaller size. */
import { fitted } from "../editor/fitting.ts";

/** How long an upload may take, in milliseconds: 10 MiB by a slow phone. */
const TIMEOUT_MS = 5 * 60_000;

/** A picture that was uploaded. `alt` is empty unless the library had the picture already, with a text. */
export type UploadedImage = {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  /** A small version of it, for the console's own pages. */
  readonly thumbnail: string;
};

export type UploadOptions = {
  /** The name that it gets. Otherwise a file's own name. */
  readonly name?: string | undefined;
  readonly alt?: string | undefined;
  /** Told the share that was sent: 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
};

/**
 * Uploads a picture. Rejects with an `Error` whose message can be shown to people, and with the signal's reason if it is
 * aborted. A request, unlike `fetch`, tells how much it has sent.
 */
export async function uploadImage(file: Blob, options: UploadOptions = {}): Promise<UploadedImage> {
  const { name, alt, onProgress, signal } = options;
  const sent = await fitted(file);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open("POST", "/console/media/upload");
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader("Accept", "application/json");
    const abort = () => request.abort();
    signal?.addEventListener("abort", abort);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total));
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    request.addEventListener("abort", () => reject(reasonOf(signal)));
    request.addEventListener("error", () => reject(new Error("The connection failed. Try again.")));
    request.addEventListener("timeout", () => reject(new Error("The upload took too long. Try again.")));
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status === 200 && answer !== null) resolve(answer as unknown as UploadedImage);
      else reject(new Error(answer?.["detail"] ?? `The upload failed (${request.status}). Try again.`));
    });
    request.send(formOf(sent, { name, alt }));
  });
}

/** Has the service fetch a picture from another site. Rejects as {@link uploadImage} does. */
export const uploadFrom = (url: string, alt: string): Promise<UploadedImage> => send("upload", { url, alt });

/** Has the service ask a provider for the title and the picture of what it shows. Rejects as {@link uploadImage} does. */
export const fetchEmbed = (url: string): Promise<FetchedEmbed> => send("embed", { url });

/** `picture` is the address of the picture in the library. */
export type FetchedEmbed = { readonly title: string; readonly picture: string };

async function send<T>(path: string, fields: Readonly<Record<string, string>>): Promise<T> {
  const body = newForm();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { Accept: "application/json" };
  const response = await fetch(`/console/media/${path}`, { method: "POST", headers, body }).catch(() => null);
  if (response === null) throw new Error("The connection failed. Try again.");
  const answer = parsed(await response.text());
  if (response.ok && answer !== null) return answer as T;
  throw new Error(answer?.["detail"] ?? `It failed (${response.status}). Try again.`);
}

const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new DOMException("The upload was canceled.", "AbortError");

function parsed(text: string): Readonly<Record<string, string>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, string>>;
  } catch {
    return null;
  }
}

/** Returns a form for the organization that the page is for: each page has its id in a form (forms.tsx). */
function newForm(): FormData {
  const form = new FormData();
  form.set("_organization", document.querySelector<HTMLInputElement>("input[name=_organization]")?.value ?? "");
  form.set("_key", crypto.randomUUID());
  return form;
}

function formOf(file: Blob, { name, alt }: Pick<UploadOptions, "name" | "alt">): FormData {
  const form = newForm();
  if (alt !== undefined) form.set("alt", alt);
  if (name !== undefined) form.set("name", name);
  // What was pasted has no name of its own.
  form.set("file", file, file instanceof File ? file.name : "picture");
  return form;
}

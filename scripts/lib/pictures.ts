/** Uploads the demo's pictures to the library through the API. */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { DemoPicture } from "../demo/types.ts";
import type { Api } from "./api.ts";

/** Returns the URL of a picture, which ends with its size. */
export type Pictures = (name: DemoPicture) => string;

const FOLDER = path.resolve(import.meta.dirname, "../demo/pictures");

const ALT: Readonly<Record<DemoPicture, string>> = {
  ferry: "A ferry on calm water at sunset",
  harbour: "A small harbour at dawn, with a lighthouse and a sailing boat",
  notebook: "An open notebook with a sketched map, a pencil and a cup of coffee",
  path: "A walker on a path that winds through wooded hills",
  stove: "A pot on a small gas stove under a night sky",
};

const uploaded = z.object({ name: z.string(), fileUrl: z.string(), width: z.number(), height: z.number() });

/** Uploads the pictures that the library does not have yet. */
export async function uploadPictures(api: Api): Promise<Pictures> {
  const known = new Map((await api.get("/api/media", z.array(uploaded))).map((picture) => [picture.name, picture]));
  const addresses = new Map<string, string>();
  for (const [name, alt] of Object.entries(ALT)) {
    const file = `${name}.jpg`;
    const query = new URLSearchParams({ name: file, alt });
    const bytes = readFileSync(path.join(FOLDER, file));
    const picture = known.get(file) ?? (await api.upload(`/api/media?${query}`, "image/jpeg", bytes, uploaded));
    addresses.set(name, `${picture.fileUrl}#${picture.width}x${picture.height}`);
  }
  return (name) => addresses.get(name) ?? "";
}

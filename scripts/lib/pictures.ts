/** Uploads the demo's pictures to the library through the API. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "../../packages/client/src/index.ts";
import type { DemoPicture } from "../demo/types.ts";

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

/** Uploads the pictures that the library does not have yet. */
export async function uploadPictures(api: Client): Promise<Pictures> {
  const known = await api.list("GET /api/media").all();
  const addresses = new Map<string, string>();
  for (const [name, alt] of Object.entries(ALT)) {
    const file = `${name}.jpg`;
    const picture = known.find((each) => each.name === file) ?? (await upload(api, file, alt));
    addresses.set(name, `${picture.fileUrl}#${picture.width}x${picture.height}`);
  }
  return (name) => addresses.get(name) ?? "";
}

async function upload(api: Client, name: string, alt: string) {
  const body = new Blob([readFileSync(path.join(FOLDER, name))], { type: "image/jpeg" });
  return (await api.request("POST /api/media", { query: { name, alt }, body })).value;
}

/** Makes the text area of an article a rich editor. Loaded by the pages that have one. */
import { enhanceCover } from "./editor/cover.ts";
import { mount } from "./editor/mount.ts";
import { uploadImage } from "./uploads.ts";

for (const area of document.querySelectorAll<HTMLTextAreaElement>("textarea[data-editor]")) {
  mount(area, { uploadImage });
  const cover = area.form?.querySelector<HTMLInputElement>("input[name=coverUrl]");
  if (cover) enhanceCover(cover, uploadImage);
}

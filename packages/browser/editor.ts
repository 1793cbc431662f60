/** Enhances an article's form: title, text, cover, tags and authors. Loaded on editor pages. */
import { enhanceCover } from "../editor/cover.ts";
import { mount } from "../editor/mount.ts";
import { waitForUploads } from "../editor/pending.ts";
import { enhanceTerms } from "../editor/terms.ts";
import { enhanceTitle } from "../editor/title.ts";
import { loadReading } from "./aids/load.ts";
import { fetchEmbed, uploadImage } from "./uploads.ts";

for (const area of document.querySelectorAll<HTMLTextAreaElement>("textarea[data-editor]")) {
  const editor = mount(area, { uploadImage, fetchEmbed, loadRenderer: loadReading });
  if (area.form) waitForUploads(area.form);
  const title = area.form?.querySelector<HTMLTextAreaElement>("textarea[name=title]");
  if (title) enhanceTitle(title, () => editor.focus());
  const findInput = (name: string) => area.form?.querySelector<HTMLInputElement>(`input[name=${name}]`);
  const cover = findInput("coverUrl");
  if (cover) enhanceCover(cover, uploadImage);
  for (const name of ["tags", "authors"]) {
    const terms = findInput(name);
    if (terms) enhanceTerms(terms);
  }
}

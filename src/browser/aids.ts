/** Helps with the text on the editor's pages: the preview beside it, and the sections in the column at the side. */
import { offerPreview } from "./aids/editor-preview.ts";
import { addSections } from "./aids/sections.ts";

offerPreview();
addSections();

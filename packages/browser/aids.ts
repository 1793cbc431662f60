/** Helps with the text on the editor's pages: the preview beside it, pictures of other sites, and the sections in the column at the side. */
import { offerPreview } from "./aids/editor-preview.ts";
import { offerPictures } from "./aids/remote-pictures.ts";
import { addSections } from "./aids/sections.ts";

offerPreview();
offerPictures();
addSections();

/** The preview, the offer to import images of other sites, and the side sections of the editor's pages. */
import { offerPreview } from "./aids/editor-preview.ts";
import { offerPictures } from "./aids/remote-pictures.ts";
import { addSections } from "./aids/sections.ts";

offerPreview();
offerPictures();
addSections();

import { edgeEngineering } from "./edge-engineering.ts";
import { fieldNotesDe } from "./field-notes.de.ts";
import { fieldNotesEn } from "./field-notes.en.ts";
import { fieldNotesJa } from "./field-notes.ja.ts";
import type { DemoBlog } from "./types.ts";

/** The demo's blogs. Articles are in the order of creation, oldest first, with one entry for each slug and locale. */
const blogs: DemoBlog[] = [
  {
    name: "Field Notes",
    vanityId: "field-notes",
    locales: ["en", "de", "ja"],
    articles: [...fieldNotesEn, ...fieldNotesDe, ...fieldNotesJa],
  },
  {
    name: "Edge Engineering",
    vanityId: "edge-engineering",
    locales: ["en"],
    articles: edgeEngineering,
  },
];

export const demoOrganization = { name: "Harbor & Pine", blogs };

import { edgeEngineering } from "./edge-engineering.ts";
import { fieldNotesDe } from "./field-notes.de.ts";
import { fieldNotesEn } from "./field-notes.en.ts";
import { fieldNotesJa } from "./field-notes.ja.ts";
import type { DemoBlog } from "./types.ts";

/** Articles are listed oldest first, one entry per locale and slug. */
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

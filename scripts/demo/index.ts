import { edgeEngineering } from "./edge-engineering.ts";
import { fieldNotesDe } from "./field-notes.de.ts";
import { fieldNotesEn } from "./field-notes.en.ts";
import { fieldNotesJa } from "./field-notes.ja.ts";
import type { DemoBlog } from "./types.ts";

/** Articles are in the order of creation, oldest first, with one entry for each slug and locale. */
const blogs: DemoBlog[] = [
  {
    name: "Field Notes",
    vanityId: "field-notes",
    locales: ["en", "de", "ja"],
    cover: "harbour",
    site: {
      description: "Slow ways to small places: by ferry, on foot, and with a stove in the rucksack.",
      accentColor: "#a63a1f",
      font: "serif",
      menu: [
        { label: "Ferries", url: "/tags/ferries" },
        { label: "Walking", url: "/tags/walking" },
      ],
      newsletter: "A letter on the first of each month, with new articles and one map.",
    },
    bios: {
      "maren-holt": "Grew up beside a harbour and still arrives everywhere by water if there is a way to.",
      "jonas-pine": "Walks, cooks outdoors, and writes down what worked.",
    },
    articles: [...fieldNotesEn, ...fieldNotesDe, ...fieldNotesJa],
  },
  {
    name: "Edge Engineering",
    vanityId: "edge-engineering",
    locales: ["en"],
    site: {
      description: "What we learned from running small services close to their readers.",
      accentColor: "#1f6feb",
      font: "sans",
      menu: [],
    },
    articles: edgeEngineering,
  },
];

export const demoOrganization = { name: "Harbor & Pine", blogs };

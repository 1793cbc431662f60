/** A picture in scripts/demo/pictures/. In a content, `picture:harbour` stands for its address. */
export type DemoPicture = "ferry" | "harbour" | "notebook" | "path" | "stove";

export type DemoArticle = {
  slug: string;
  locale: string;
  title: string;
  description: string;
  content: string;
  published: boolean;
  cover?: DemoPicture;
  /** How many days before the first start it was published; 0 if omitted. */
  daysAgo?: number;
  /** Only for the first translation: all translations share them. */
  tags?: string[];
  authors?: string[];
  /** It is published tomorrow at this local time. */
  tomorrow?: { time: string; timeZone: string };
  /** Changes that readers do not see. */
  workingCopy?: { title?: string; description?: string };
};

export type DemoBlog = {
  name: string;
  vanityId: string;
  locales: string[];
  cover?: DemoPicture;
  site?: {
    description: string;
    accentColor: string;
    font: "serif" | "sans";
    menu: { label: string; url: string }[];
    newsletter?: string;
  };
  /** Texts about its authors, by their slugs. */
  bios?: Record<string, string>;
  articles: DemoArticle[];
};

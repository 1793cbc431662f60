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
  /** How many days before the first start it was published; now if it is not given. */
  daysAgo?: number;
  /** Of the first translation: they belong to all. */
  tags?: string[];
  authors?: string[];
  /** It becomes public tomorrow at this local time. */
  tomorrow?: { time: string; timeZone: string };
  /** What its working copy changes, which readers do not see. */
  workingCopy?: { title?: string; description?: string };
};

export type DemoBlog = {
  name: string;
  vanityId: string;
  locales: string[];
  cover?: DemoPicture;
  /** How its site looks. */
  site?: {
    description: string;
    accentColor: string;
    font: "serif" | "sans";
    menu: { label: string; url: string }[];
    newsletter?: string;
  };
  /** What is said of its authors, by their slugs. */
  bios?: Record<string, string>;
  articles: DemoArticle[];
};

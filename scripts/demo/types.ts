export type DemoArticle = {
  slug: string;
  locale: string;
  title: string;
  description: string;
  content: string;
  published: boolean;
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
  articles: DemoArticle[];
};

export type DemoArticle = {
  slug: string;
  locale: string;
  title: string;
  description: string;
  content: string;
  published: boolean;
};

export type DemoBlog = {
  name: string;
  vanityId: string;
  locales: string[];
  articles: DemoArticle[];
};

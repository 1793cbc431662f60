/** The list of the published articles. */
import Link from "next/link";
import { blogId, client } from "../lib/edgepress";

export async function generateMetadata() {
  return { title: (await client.blogs.get(blogId)).name };
}

export default async function Home() {
  const { name } = await client.blogs.get(blogId);
  const fields = ["_id", "title", "slug", "locale", "publishTime"] as const;
  const articles = await client.articles.list({ blogId, sort: "publishTime", limit: 20, fields }).all(20);
  return (
    <main lang="en">
      <h1>{name}</h1>
      <ul>
        {articles.map(({ _id, title, slug, locale, publishTime }) => (
          <li key={_id} lang={locale}>
            <Link href={`/${locale}/${encodeURIComponent(slug)}`}>{title}</Link>{" "}
            <time dateTime={publishTime ?? undefined}>{publishTime?.slice(0, 10)}</time>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** An article. */
import { EdgepressError } from "@edgepress/client";
import Link from "next/link";
import { notFound } from "next/navigation";
import { blogId, client } from "../../../lib/edgepress";

type Props = { params: Promise<{ locale: string; slug: string }> };

/** Pages are made when somebody asks for them first, and kept until the webhook. */
export const generateStaticParams = () => [];

async function articleOf({ params }: Props) {
  const { locale, slug } = await params;
  const fields = ["title", "description", "html", "locale", "authors", "publishTime"] as const;
  try {
    return await client.articles.get(decodeURIComponent(slug), { blogId, locale, fields });
  } catch (error) {
    // 400: visitors ask for any path, also for what can be no locale.
    if (error instanceof EdgepressError && (error.status === 404 || error.status === 400)) notFound();
    throw error;
  }
}

export async function generateMetadata(props: Props) {
  const { title, description } = await articleOf(props);
  return { title, description };
}

export default async function Article(props: Props) {
  const { title, html, locale, authors, publishTime } = await articleOf(props);
  return (
    <main lang={locale}>
      <p>
        <Link href="/">All articles</Link>
      </p>
      <article>
        <h1>{title}</h1>
        <p>
          <time dateTime={publishTime ?? undefined}>{publishTime?.slice(0, 10)}</time>{" "}
          {authors.map(({ name }) => name).join(", ")}
        </p>
        {/* The service has sanitized it. */}
        <div dangerouslySetInnerHTML={{ __html: html ?? "" }} />
      </article>
    </main>
  );
}

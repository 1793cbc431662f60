/** The search and the filters above the list of articles. */
import { FilterSelect } from "../filter-select.tsx";
import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { perform } from "../session.ts";
import { formatNumber } from "../words.ts";
import type { Blog } from "./found.ts";
import { KnownTerms } from "./labels.tsx";
import { STATES, type Filter, type Listed } from "./listed.ts";
import { BlogFilter } from "./shared.tsx";

type FiltersProps = {
  readonly blogs: readonly Blog[];
  readonly blog: Blog | null;
  readonly filter: Filter;
  readonly articles: readonly Listed[];
  readonly tags: Tags | null;
};

export const Filters: FC<FiltersProps> = ({ blogs, blog, filter, articles, tags }) => (
  <form class="filters" method="get" action="/console/articles" role="search">
    <div class="query">
      <label for="q">Search</label>
      <input id="q" name="q" type="search" value={filter.q ?? ""} maxlength={LIMITS.searchQuery} />
    </div>
    {blogs.length > 1 && <BlogFilter blogs={blogs} blog={blog} offersAll />}
    <FilterSelect
      name="state"
      label="Status"
      choices={Object.entries(STATES).map(([value, label]) => ({ value, label }))}
      chosen={filter.state}
    />
    <LocaleChoice blogs={blogs} filter={filter} articles={articles} />
    {tags !== null && (
      <div>
        <label for="tag">Tag</label>
        <TagFilter tags={tags} chosen={filter.tag} />
      </div>
    )}
    <div>
      <label for="sort">Sort by</label>
      <select id="sort" name="sort">
        <option value="">Newest first</option>
        <option value="publishTime" selected={filter.sort === "publishTime"}>
          Recently published (no drafts)
        </option>
        <option value="lastEditTime" selected={filter.sort === "lastEditTime"}>
          Recently edited
        </option>
      </select>
    </div>
    <button type="submit" class="quiet">
      Show
    </button>
  </form>
);

const LocaleChoice: FC<Pick<FiltersProps, "blogs" | "filter" | "articles">> = ({ blogs, filter, articles }) => {
  // Add the locales of the listed articles, because drafts may have locales that no blog has.
  const present = articles.map(({ locale }) => locale);
  const chosen = filter.locale ? [filter.locale] : [];
  const locales = new Set([...blogs.flatMap((each) => each.locales), ...present, ...chosen]);
  const choices = Array.from(locales, (locale) => ({ value: locale, label: locale }));
  return <FilterSelect name="locale" label="Language" choices={choices} chosen={filter.locale} />;
};

type Tags = Awaited<ReturnType<typeof readTags>>;

export const readTags = (c: ConsoleContext, blogId: string) =>
  perform(c, registry.listTags, { blogId, limit: LIMITS.page });

/** Chooses a tag by its name. If the blog has more than a page of tags, it is a text field for the slug. */
const TagFilter: FC<{ tags: Tags; chosen: string | undefined }> = ({ tags, chosen = "" }) => {
  if (tags.next !== undefined) {
    return (
      <>
        <input id="tag" name="tag" value={chosen} list="known-tags" />
        <KnownTerms id="known-tags" terms={tags.value} />
      </>
    );
  }
  const isKnown = chosen === "" || tags.value.some(({ slug }) => slug === chosen);
  return (
    <select id="tag" name="tag">
      <option value="">All</option>
      {tags.value.map(({ slug, name, articles }) => (
        <option value={slug} selected={slug === chosen}>{`${name} (${formatNumber(articles)})`}</option>
      ))}
      {!isKnown && <option selected>{chosen}</option>}
    </select>
  );
};

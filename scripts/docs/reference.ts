import { ERRORS } from "../../src/domain/errors.ts";
import { apiOf, type Api, type Document } from "./document.ts";
import { guidePage, readGuides, type Guide } from "./guides.ts";
import { errorsPage, startEntry, startPage } from "./overview.ts";
import { page, type Group, type Page } from "./page.ts";
import { entryOf, eventsEntry, eventsPage, homesOf, objectsOf, resourcePage } from "./resource.ts";
import { words, type Homes } from "./members.ts";
import { resourcesOf, type Resource } from "./resources.ts";

/** Returns the files of the reference: content by name in public/. */
export async function renderReference(document: Document): Promise<Record<string, string>> {
  const api = apiOf(document);
  const resources = resourcesOf(api);
  const guides = readGuides();
  const homes = homesOf(resources);
  const groups = groupsOf(api, resources, guides, homes);
  const pages: Page[] = [
    startPage(api, resources, guides),
    errorsPage(),
    ...guides.map(guidePage),
    ...resources.map((resource) => resourcePage({ api, homes }, resource)),
    eventsPage({ api, homes }),
  ];
  const files = await Promise.all(pages.map(async (each) => [fileOf(each.path), await page(groups, each)]));
  return { ...Object.fromEntries(files), "docs/search.json": searchIndex(api, resources, guides, homes) };
}

const fileOf = (path: string): string => (path === "/docs" ? "docs/index.html" : `${path.slice(1)}.html`);

function groupsOf(api: Api, resources: readonly Resource[], guides: readonly Guide[], homes: Homes): Group[] {
  const tags = api.document.tags.map(({ name }) => name);
  return [
    {
      title: "Start",
      entries: [startEntry(api), { path: "/docs/errors", title: "Errors" }],
    },
    {
      title: "Guides",
      entries: guides.map(({ path, title, headings }) => ({
        path,
        title,
        parts: headings.map(({ id, text }) => ({ id, title: text })),
      })),
    },
    ...tags.map((title) => ({
      title,
      entries: [
        ...resources.filter(({ group }) => group === title).map((resource) => entryOf(resource, homes)),
        ...(title === "Webhooks" ? [eventsEntry(api)] : []),
      ],
    })),
  ].filter(({ entries }) => entries.length > 0);
}

type Found = readonly [title: string, beside: string, address: string];

function searchIndex(api: Api, resources: readonly Resource[], guides: readonly Guide[], homes: Homes): string {
  const found: Found[] = [
    ...resources.flatMap((resource): Found[] => [
      [resource.title, "resource", `/docs/${resource.id}`],
      ...resource.operations.map(({ id, method, path, summary }): Found => [
        summary,
        `${method} ${path}`,
        `/docs/${resource.id}#${id}`,
      ]),
      ...objectsOf(resource, homes).map(({ name, id }): Found => [
        `The ${words(name)} object`,
        "object",
        `/docs/${resource.id}#${id}`,
      ]),
    ]),
    ...api.events.map(({ id, summary }): Found => [id, summary, `/docs/events#${id}`]),
    ...guides.map(({ title, path }): Found => [title, "guide", path]),
    ...Object.entries(ERRORS).map(([code, { status, title }]): Found => [
      code,
      `${status} ${title}`,
      `/docs/errors#${code}`,
    ]),
  ];
  return JSON.stringify(found);
}

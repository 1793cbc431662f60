import { ERRORS } from "../../src/domain/errors.ts";
import { toApi, type Api, type Document } from "./document.ts";
import { renderGuidePage, readGuides, type Guide } from "./guides.ts";
import { renderErrorsPage, makeStartEntry, renderStartPage } from "./overview.ts";
import { renderPage, type Group, type Page } from "./page.ts";
import {
  makeResourceEntry,
  makeEventsEntry,
  renderEventsPage,
  findHomes,
  listObjects,
  renderResourcePage,
} from "./resource.ts";
import { words, type Homes } from "./members.ts";
import { listResources, type Resource } from "./resources.ts";

/** Returns the files of the reference: content by name in public/. */
export async function renderReference(document: Document): Promise<Record<string, string>> {
  const api = toApi(document);
  const resources = listResources(api);
  const guides = readGuides();
  const homes = findHomes(resources);
  const groups = makeGroups(api, resources, guides, homes);
  const pages: Page[] = [
    renderStartPage(api, resources, guides),
    renderErrorsPage(),
    ...guides.map(renderGuidePage),
    ...resources.map((resource) => renderResourcePage({ api, homes }, resource)),
    renderEventsPage({ api, homes }),
  ];
  const files = await Promise.all(pages.map(async (each) => [toFileName(each.path), await renderPage(groups, each)]));
  return { ...Object.fromEntries(files), "docs/search.json": makeSearchIndex(api, resources, guides, homes) };
}

const toFileName = (path: string): string => (path === "/docs" ? "docs/index.html" : `${path.slice(1)}.html`);

function makeGroups(api: Api, resources: readonly Resource[], guides: readonly Guide[], homes: Homes): Group[] {
  const tags = api.document.tags.map(({ name }) => name);
  return [
    {
      title: "Start",
      entries: [makeStartEntry(api), { path: "/docs/errors", title: "Errors" }],
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
        ...resources.filter(({ group }) => group === title).map((resource) => makeResourceEntry(resource, homes)),
        ...(title === "Webhooks" ? [makeEventsEntry(api)] : []),
      ],
    })),
  ].filter(({ entries }) => entries.length > 0);
}

type Found = readonly [title: string, beside: string, address: string];

function makeSearchIndex(api: Api, resources: readonly Resource[], guides: readonly Guide[], homes: Homes): string {
  const found: Found[] = [
    ...resources.flatMap((resource): Found[] => [
      [resource.title, "resource", `/docs/${resource.id}`],
      ...resource.operations.map(({ id, method, path, summary }): Found => [
        summary,
        `${method} ${path}`,
        `/docs/${resource.id}#${id}`,
      ]),
      ...listObjects(resource, homes).map(({ name, id }): Found => [
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

import { html } from "hono/html";
import { nameOf, successOf, type Api, type Operation, type Parameter } from "./document.ts";
import { LANGUAGES } from "./examples.ts";
import { inline, type Html } from "./markdown.ts";
import { membersOf, parameterRows, sampleOf, words, type Context, type Homes } from "./members.ts";
import { operationList, operationSection } from "./operation.ts";
import { code, type Entry, type Page } from "./page.ts";
import type { Resource } from "./resources.ts";

/** Schemas of a few fields, which are described where they are used. */
const SMALL = new Set(["Deleted"]);

/** Returns the names of the schemas that the operations answer with, in order. */
function answersOf(operations: readonly Operation[]): string[] {
  const names = operations.flatMap((operation) => {
    const schema = successOf(operation)?.schema;
    const name = schema && nameOf(schema.items ?? schema);
    return name && !SMALL.has(name) ? [name] : [];
  });
  return [...new Set(names)];
}

const anchorOf = (name: string): string => `object-${words(name).replaceAll(" ", "-")}`;

/** Returns where each schema is described: on the first page with an operation that answers with it. */
export function homesOf(resources: readonly Resource[]): Homes {
  const homes = new Map<string, string>();
  for (const { id, operations } of resources) {
    for (const name of answersOf(operations)) if (!homes.has(name)) homes.set(name, `/docs/${id}#${anchorOf(name)}`);
  }
  return homes;
}

/** Returns the schemas that the page of a resource describes. */
export const objectsOf = ({ id, operations }: Resource, homes: Homes): { name: string; id: string }[] =>
  answersOf(operations)
    .filter((name) => homes.get(name)?.startsWith(`/docs/${id}#`))
    .map((name) => ({ name, id: anchorOf(name) }));

const titleOf = (name: string): string => `The ${words(name)} object`;

export function entryOf(resource: Resource, homes: Homes): Entry {
  const parts = [
    ...resource.operations.map(({ id, summary }) => ({ id, title: summary })),
    ...objectsOf(resource, homes).map(({ name, id }) => ({ id, title: titleOf(name) })),
  ];
  return { path: `/docs/${resource.id}`, title: resource.title, parts };
}

export function resourcePage(context: Context, resource: Resource): Page {
  const { title, lead, id, operations } = resource;
  const main = html`<h1>${title}</h1>
    <p class="lead">${inline(lead)}</p>
    ${languages()} ${operationList(operations)} ${operations.map((operation) => operationSection(context, operation))}
    ${objectsOf(resource, context.homes).map(({ name, id: anchor }) => objectSection(context, name, anchor))}`;
  return { path: `/docs/${id}`, title, description: lead.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"), main };
}

/** Renders the choice of the language of all examples. It works without scripts, which remember it. */
const languages = (): Html =>
  html`<fieldset class="languages">
      <legend>Examples</legend>
      ${Object.entries(LANGUAGES).map(
        ([language, name], index) =>
          html`<label
            ><input type="radio" name="language" value="${language}" ${index === 0 ? " checked" : ""} /> ${name}</label
          > `,
      )}
    </fieldset>
    <details class="setup">
      <summary>They take the address and your credentials from the environment</summary>
      ${code(SETUP, " data-setup")}
      <p>
        An owner or admin makes API keys and access tokens in the console, <a href="/console/keys">Keys</a>. What the
        examples in TypeScript import is in the folder <code>packages/client</code> of Edgepress.
      </p>
    </details>`;

export const SETUP = `export EDGEPRESS_URL=https://press.example.com
export EDGEPRESS_API_KEY=epk_…
export EDGEPRESS_OPERATOR_TOKEN=ept_…  # only for what operators do`;

function objectSection(context: Context, name: string, anchor: string): Html {
  const { api, homes } = context;
  const schema = api.document.components.schemas[name] ?? {};
  // Without the schema itself, or its members would be a link to here.
  const others = new Map([...homes].filter(([other]) => other !== name));
  return html`<section class="operation" id="${anchor}">
    <h2><a href="#${anchor}">${titleOf(name)}</a></h2>
    <div class="halves">
      <div class="text">${membersOf({ api, homes: others }, schema, "response")}</div>
      <div class="examples">
        <figure>
          <figcaption>Example</figcaption>
          ${code(JSON.stringify(sampleOf(api, schema), null, 2))}
        </figure>
      </div>
    </div>
  </section> `;
}

export function eventsPage(context: Context): Page {
  const { api } = context;
  const about = api.document.tags.find(({ name }) => name === "Webhooks")?.description ?? "";
  const main = html`<h1>Events</h1>
    <p class="lead">${inline(about)}</p>
    <p>How to receive one, step by step: <a href="/docs/guides/first-webhook">Your first webhook</a>.</p>
    ${headersOf(context)} ${api.events.map((event) => eventSection(context, event))}`;
  return { path: "/docs/events", title: "Events", description: "The events that the service sends to webhooks.", main };
}

function headersOf(context: Context): Html {
  const [first] = context.api.events;
  return html`<section id="headers">
    <h2><a href="#headers">Headers of every delivery</a></h2>
    ${parameterRows(context, (first?.parameters ?? []).map(ofAnyEvent))}
  </section>`;
}

/** Leaves out what differs between events, and that requests require the header. */
function ofAnyEvent(parameter: Parameter): Parameter {
  const schema = parameter.name === "X-Service-Event" ? { type: "string" } : parameter.schema;
  return { ...parameter, schema, required: false };
}

function eventSection(context: Context, event: Operation): Html {
  const sample = event.body === null ? {} : (sampleOf(context.api, event.body) as object);
  return html`<section class="operation" id="${event.id}">
    <h2>
      <a href="#${event.id}"><code>${event.id}</code></a>
    </h2>
    <div class="halves">
      <div class="text">
        <p>${event.summary}.</p>
        ${event.body === null ? "" : membersOf(context, event.body, "response")}
      </div>
      <div class="examples">
        <figure>
          <figcaption>Body</figcaption>
          ${code(JSON.stringify(sample, null, 2))}
        </figure>
      </div>
    </div>
  </section> `;
}

export const eventsEntry = ({ events }: Api): Entry => ({
  path: "/docs/events",
  title: "Events",
  parts: events.map(({ id }) => ({ id, title: id })),
});

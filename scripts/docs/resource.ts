import { html } from "hono/html";
import { getSchemaName, findSuccess, type Api, type Operation, type Parameter } from "./document.ts";
import { LANGUAGES } from "./examples.ts";
import { renderInline, type Html } from "./markdown.ts";
import { renderMembers, renderParameters, makeSample, words, type Context, type Homes } from "./members.ts";
import { renderOperationList, renderOperation } from "./operation.ts";
import { renderCode, type Entry, type Page } from "./page.ts";
import type { Resource } from "./resources.ts";

/** Schemas of a few fields, which are described where they are used. */
const SMALL = new Set(["Deleted"]);

/** Returns the names of the schemas that the operations answer with, in order. */
function listAnswers(operations: readonly Operation[]): string[] {
  const names = operations.flatMap((operation) => {
    const schema = findSuccess(operation)?.schema;
    const name = schema && getSchemaName(schema.items ?? schema);
    return name && !SMALL.has(name) ? [name] : [];
  });
  return [...new Set(names)];
}

const toAnchor = (name: string): string => `object-${words(name).replaceAll(" ", "-")}`;

/** Returns where each schema is described: on the first page with an operation that answers with it. */
export function findHomes(resources: readonly Resource[]): Homes {
  const homes = new Map<string, string>();
  for (const { id, operations } of resources) {
    for (const name of listAnswers(operations)) if (!homes.has(name)) homes.set(name, `/docs/${id}#${toAnchor(name)}`);
  }
  return homes;
}

/** Returns the schemas that the page of a resource describes. */
export const listObjects = ({ id, operations }: Resource, homes: Homes): { name: string; id: string }[] =>
  listAnswers(operations)
    .filter((name) => homes.get(name)?.startsWith(`/docs/${id}#`))
    .map((name) => ({ name, id: toAnchor(name) }));

const toObjectTitle = (name: string): string => `The ${words(name)} object`;

export function makeResourceEntry(resource: Resource, homes: Homes): Entry {
  const parts = [
    ...resource.operations.map(({ id, summary }) => ({ id, title: summary })),
    ...listObjects(resource, homes).map(({ name, id }) => ({ id, title: toObjectTitle(name) })),
  ];
  return { path: `/docs/${resource.id}`, title: resource.title, parts };
}

export function renderResourcePage(context: Context, resource: Resource): Page {
  const { title, lead, id, operations } = resource;
  const main = html`<h1>${title}</h1>
    <p class="lead">${renderInline(lead)}</p>
    ${renderLanguageChoice()} ${renderOperationList(operations)}
    ${operations.map((operation) => renderOperation(context, operation))}
    ${listObjects(resource, context.homes).map(({ name, id: anchor }) => renderObject(context, name, anchor))}`;
  return { path: `/docs/${id}`, title, description: lead.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"), main };
}

/** Renders the choice of the language of all examples. It works without scripts, which remember it. */
const renderLanguageChoice = (): Html =>
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
      ${renderCode(SETUP, " data-setup")}
      <p>
        An owner or admin makes API keys and access tokens in the console under <a href="/console/keys">API keys</a>.
        What the examples in TypeScript import is in the folder <code>packages/client</code> of Edgepress.
      </p>
    </details>`;

export const SETUP = `export EDGEPRESS_URL=https://press.example.com
export EDGEPRESS_API_KEY=epk_…
export EDGEPRESS_OPERATOR_TOKEN=ept_…  # only for what operators do`;

function renderObject(context: Context, name: string, anchor: string): Html {
  const { api, homes } = context;
  const schema = api.document.components.schemas[name] ?? {};
  // Without the schema itself, or its members would be a link to here.
  const others = new Map([...homes].filter(([other]) => other !== name));
  return html`<section class="operation" id="${anchor}">
    <h2><a href="#${anchor}">${toObjectTitle(name)}</a></h2>
    <div class="halves">
      <div class="text">${renderMembers({ api, homes: others }, schema, "response")}</div>
      <div class="examples">
        <figure>
          <figcaption>Example</figcaption>
          ${renderCode(JSON.stringify(makeSample(api, schema), null, 2))}
        </figure>
      </div>
    </div>
  </section> `;
}

export function renderEventsPage(context: Context): Page {
  const { api } = context;
  const about = api.document.tags.find(({ name }) => name === "Webhooks")?.description ?? "";
  const main = html`<h1>Events</h1>
    <p class="lead">${renderInline(about)}</p>
    <p>How to receive one, step by step: <a href="/docs/guides/first-webhook">Your first webhook</a>.</p>
    ${renderEventHeaders(context)} ${api.events.map((event) => renderEvent(context, event))}`;
  return { path: "/docs/events", title: "Events", description: "The events that the service sends to webhooks.", main };
}

function renderEventHeaders(context: Context): Html {
  const [first] = context.api.events;
  return html`<section id="headers">
    <h2><a href="#headers">Headers of every delivery</a></h2>
    ${renderParameters(context, (first?.parameters ?? []).map(generalizeHeader))}
  </section>`;
}

/** Leaves out what differs between events, and that requests require the header. */
function generalizeHeader(parameter: Parameter): Parameter {
  const schema = parameter.name === "X-Service-Event" ? { type: "string" } : parameter.schema;
  return { ...parameter, schema, required: false };
}

function renderEvent(context: Context, event: Operation): Html {
  const sample = event.body === null ? {} : (makeSample(context.api, event.body) as object);
  return html`<section class="operation" id="${event.id}">
    <h2>
      <a href="#${event.id}"><code>${event.id}</code></a>
    </h2>
    <div class="halves">
      <div class="text">
        <p>${event.summary}.</p>
        ${event.body === null ? "" : renderMembers(context, event.body, "response")}
      </div>
      <div class="examples">
        <figure>
          <figcaption>Body</figcaption>
          ${renderCode(JSON.stringify(sample, null, 2))}
        </figure>
      </div>
    </div>
  </section> `;
}

export const makeEventsEntry = ({ events }: Api): Entry => ({
  path: "/docs/events",
  title: "Events",
  parts: events.map(({ id }) => ({ id, title: id })),
});

import { html } from "hono/html";
import { ERRORS } from "../../src/domain/errors.ts";
import type { Api } from "./document.ts";
import type { Guide } from "./guides.ts";
import { renderInline, renderMarkdown, type Html } from "./markdown.ts";
import { renderOperationList } from "./operation.ts";
import { renderCode, type Entry, type Page } from "./page.ts";
import { SETUP } from "./resource.ts";
import type { Resource } from "./resources.ts";

const FIRST = `curl -u "$EDGEPRESS_API_KEY:" "$EDGEPRESS_URL/api/me"`;

export function renderStartPage(api: Api, resources: readonly Resource[], guides: readonly Guide[]): Page {
  const { info, components } = api.document;
  const main = html`<h1>Edgepress reference</h1>
    ${renderLead(info.description)}
    <section id="begin">
      <h2><a href="#begin">Begin</a></h2>
      <p>
        The examples take the address and your credentials from the environment. An owner or admin makes them in the
        console under <a href="/console/keys">API keys</a>. Published articles need no credentials.
      </p>
      ${renderCode(SETUP, " data-setup")}
      <p>Who am I, and what may I do?</p>
      ${renderCode(FIRST)}
    </section>
    <section id="guides">
      <h2><a href="#guides">Guides</a></h2>
      <ul class="routes">
        ${guides.map(({ path, title, lead }) => html`<li><a href="${path}">${title}</a> <span>${lead}</span></li> `)}
      </ul>
    </section>
    <section id="operations">
      <h2><a href="#operations">All operations</a></h2>
      ${resources.map(
        ({ id, title, operations }) =>
          html`<h3><a href="/docs/${id}">${title}</a></h3>
            ${renderOperationList(operations, `/docs/${id}`)}`,
      )}
      <h3><a href="/docs/events">Events</a></h3>
      ${renderEventList(api)}
    </section>
    ${parseRules(info.description).map(
      ({ id, title, text }) =>
        html`<section id="${id}">
          <h2><a href="#${id}">${title}</a></h2>
          ${renderMarkdown(text)}
        </section> `,
    )}
    <section id="headers">
      <h2><a href="#headers">Headers of responses</a></h2>
      <dl class="members">
        ${Object.entries(listHeaders(components.headers)).map(
          ([name, text]) =>
            html`<dt id="header-${name}"><code>${name}</code></dt>
              <dd><p>${renderInline(text)}</p></dd> `,
        )}
      </dl>
    </section>`;
  return { path: "/docs", title: "Reference", description: "Every operation of the service, with examples.", main };
}

const renderEventList = ({ events }: Api): Html =>
  html`<ul class="routes">
    ${events.map(
      ({ id, summary }) =>
        html`<li>
          <a href="/docs/events#${id}"><code>${id}</code></a> <span>${summary}</span>
        </li> `,
    )}
  </ul>`;

/** Returns descriptions by the names of headers. Their components have names without hyphens. */
function listHeaders(headers: Api["document"]["components"]["headers"]): Record<string, string> {
  const NAMES: Readonly<Record<string, string>> = {
    RequestId: "X-Request-Id",
    RateLimitPolicy: "RateLimit-Policy",
    WWWAuthenticate: "WWW-Authenticate",
  };
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== "FileCacheControl")
      .map(([name, { description }]) => [NAMES[name] ?? name.replaceAll(/([a-z])([A-Z])/g, "$1-$2"), description]),
  );
}

const renderLead = (text: string): Html => html`<div class="lead">${renderMarkdown(text.split("\n\n")[0] ?? "")}</div>`;

/** Returns the rules for all operations: paragraphs of the description that begin with a bold title. */
function parseRules(text: string): { id: string; title: string; text: string }[] {
  const found = text.matchAll(/^\*\*([^*]+)\.\*\* (.+)$/gm);
  return Array.from(found, ([, title = "", rule = ""]) => ({ id: title.toLowerCase(), title, text: rule }));
}

export const makeStartEntry = ({ document }: Api): Entry => ({
  path: "/docs",
  title: "Overview",
  parts: [
    { id: "begin", title: "Begin" },
    { id: "guides", title: "Guides" },
    { id: "operations", title: "All operations" },
    ...parseRules(document.info.description),
    { id: "headers", title: "Headers of responses" },
  ],
});

/** The `type` of an error response links to its code on this page. */
export function renderErrorsPage(): Page {
  const main = html`<h1>Errors</h1>
    <p class="lead">
      A refusal is JSON: <code>{type, title, status, code, detail, requestId, errors?}</code>. Switch on
      <code>code</code>, which stays; <code>detail</code> is for people, and <code>errors</code> names each wrong field
      as <code>{path, message}</code>. <code>type</code> links to the code on this page.
    </p>
    ${Object.entries(ERRORS).map(
      ([each, { status, title, help }]) =>
        html`<section class="refusal" id="${each}">
          <h2>
            <a href="#${each}"><code>${each}</code></a> <span>${status}</span>
          </h2>
          <p><strong>${title}.</strong> ${renderInline(help)}</p>
        </section> `,
    )}`;
  return {
    path: "/docs/errors",
    title: "Errors",
    description: "Every code of an error, and what to do about it.",
    main,
  };
}

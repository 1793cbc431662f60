import { html } from "hono/html";
import { ERRORS, isErrorCode } from "../../src/domain/errors.ts";
import { listErrorCodes, getSchemaName, findSuccess, type Operation, type Parameter } from "./document.ts";
import { toCall, writeExample, LANGUAGES, type Language } from "./examples.ts";
import { renderInline, renderMarkdown, type Html } from "./markdown.ts";
import { describeKind, renderMembers, renderParameters, type Context } from "./members.ts";
import { renderCode } from "./page.ts";

/** Errors that any operation may have. Pages only link to them. */
const COMMON = new Set([
  "invalid_request",
  "invalid_json",
  "invalid_cursor",
  "credentials_missing",
  "credentials_invalid",
  "scope_missing",
  "operator_required",
  "organization_suspended",
  "rate_limited",
  "too_many_failed_attempts",
  "body_too_large",
  "unsupported_media_type",
  "idempotency_in_progress",
  "idempotency_key_reused",
  "internal",
  "not_ready",
]);

/** Renders an operation. Its id is the anchor. */
export function renderOperation(context: Context, operation: Operation): Html {
  const { id, method, path, summary, description } = operation;
  return html`<section class="operation" id="${id}">
    <h2><a href="#${id}">${summary}</a></h2>
    <p class="route"><b class="method ${method.toLowerCase()}">${method}</b> <code>${renderBreakable(path)}</code></p>
    <div class="halves">
      <div class="text">
        ${renderMarkdown(withoutAccess(description))}
        <p class="access">${describeAccess(operation)}</p>
        ${renderRequest(context, operation)} ${renderAnswer(context, operation)} ${renderErrors(operation)}
      </div>
      ${renderExamples(operation)}
    </div>
  </section> `;
}

export const renderOperationList = (operations: readonly Operation[], page = ""): Html =>
  html`<ul class="routes">
    ${operations.map(
      ({ id, method, path, summary }) =>
        html`<li>
          <a href="${page}#${id}"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></a>
          <span>${summary}</span>
        </li> `,
    )}
  </ul>`;

/** Allows line breaks after the slashes of a path. */
const renderBreakable = (path: string): Html =>
  html`${path.split("/").map((part, index) => (index === 0 ? part : html`/<wbr />${part}`))}`;

/** Removes the last paragraph if it says what {@link describeAccess} does. */
const withoutAccess = (text: string): string => text.replace(/(?:^|\n\n)Needs [^\n]+$/, "");

function describeAccess({ scope, open }: Operation): Html {
  if (scope === "operator") return html`Needs an <a href="/docs#credentials">operator access token</a>.`;
  if (scope === null)
    return html`${open ? "Needs no credentials." : html`Needs <a href="/docs#credentials">credentials</a> with any scopes.`}`;
  const scoped = html`the scope <code>${scope}</code>`;
  return open
    ? html`Needs no credentials; with an <a href="/docs#credentials">API key</a>, ${scoped}.`
    : html`Needs ${scoped}.`;
}

function renderRequest(context: Context, { parameters, body }: Operation): Html {
  const of = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  const part = (title: string, list: readonly Parameter[]) =>
    list.length === 0
      ? ""
      : html`<h3>${title}</h3>
          ${renderParameters(context, list)}`;
  const headers = of("header");
  return html`${part("Path", of("path"))}${part("Query", of("query"))}${
    body === null
      ? ""
      : html`<h3>Body</h3>
          ${renderMembers(context, body, "request")}`
  }${
    headers.length === 0
      ? ""
      : html`<details class="headers">
          <summary>
            Headers: ${headers.map(({ name }, index) => html`${index > 0 ? ", " : ""}<code>${name}</code>`)}
          </summary>
          ${renderParameters(context, headers)}
        </details>`
  }`;
}

function renderAnswer(context: Context, operation: Operation): Html {
  const success = findSuccess(operation);
  if (success === null) return html``;
  const { status, schema, response } = success;
  const { api, homes } = context;
  const one = schema?.items ?? schema;
  const name = one && getSchemaName(one);
  const isDescribed = name && homes.has(name);
  const others = Object.keys(response.content ?? {}).filter((type) => type !== "application/json");
  const headers = Object.keys(response.headers ?? {}).filter((each) => each !== "X-Request-Id");
  return html`<h3>Response</h3>
    <p>
      <b class="status">${status}</b> ${schema ? html`${describeKind(context, schema)}.` : ""}${
        others.length > 0
          ? html` ${schema ? "Or" : "As"}
            ${others.map((type, index) => html`${index > 0 ? ", " : ""}<code>${type}</code>`)}.`
          : ""
      }${
        headers.length > 0
          ? html` With
            ${headers.map((each, index) => html`${index > 0 ? ", " : ""}<a href="/docs#header-${each}"><code>${each}</code></a>`)}.`
          : ""
      }
    </p>
    ${schema && one && !isDescribed ? renderMembers({ api, homes }, one, "response") : ""}`;
}

function renderErrors(operation: Operation): Html {
  const codes = [...new Set(operation.responses.flatMap(listErrorCodes))].filter(isErrorCode);
  const own = codes.filter((each) => !COMMON.has(each));
  const common = codes.filter((each) => COMMON.has(each));
  if (codes.length === 0) return html``;
  return html`<h3>Errors</h3>
    ${
      own.length === 0
        ? ""
        : html`<dl class="errors">
            ${own.map(
              (each) =>
                html`<dt>
                    <a href="/docs/errors#${each}"><code>${each}</code></a> <span>${ERRORS[each].status}</span>
                  </dt>
                  <dd>${renderInline(ERRORS[each].help)}</dd> `,
            )}
          </dl>`
    }
    <details>
      <summary>${own.length === 0 ? "" : "And "}${common.length} that are common to many operations</summary>
      <p>${common.map((each) => html`<a href="/docs/errors#${each}"><code>${each}</code></a> `)}</p>
    </details>`;
}

function renderExamples(operation: Operation): Html {
  const { target, body, sendsFile, caller } = toCall(operation);
  const [, words = ""] = target.split("?");
  const asked = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const isFile = sendsFile !== null || operation.id === "service.media";
  return html`<div class="examples">
    ${Object.entries(LANGUAGES).map(([language, name]) => renderExample(operation, language as Language, name))}
    ${isFile ? "" : html`<div class="try" data-method="${operation.method}" data-path="${operation.path}" data-caller="${caller}" data-words="${words}" data-query="${asked.join(" ")}" data-body="${body === null ? "" : JSON.stringify(body)}"></div>`}
  </div>`;
}

/** Replaces a missing example. */
const NONE: Readonly<Partial<Record<Language, string>>> = {
  cli: "The command line has no command for this.",
  typescript: "The client is for JSON; use fetch for this.",
};

function renderExample(operation: Operation, language: Language, name: string): Html {
  const text = writeExample(operation, language);
  const shown =
    text === null
      ? html`<p class="none">${NONE[language]}</p>`
      : renderCode(text, ` data-of="${operation.id}" data-in="${language}"`);
  return html`<figure data-language="${language}">
    <figcaption>${name}</figcaption>
    ${shown}
  </figure> `;
}

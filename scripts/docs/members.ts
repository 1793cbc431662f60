/** Describes the members of a schema in plain words, nested ones in `<details>`. */
import { html } from "hono/html";
import { getSchemaName, type Api, type Parameter, type Schema } from "./document.ts";
import { renderInline, type Html } from "./markdown.ts";

const DEEPEST = 4;

/** The URL of each schema that the reference describes under its own heading, by name. */
export type Homes = ReadonlyMap<string, string>;

export type Context = { readonly api: Api; readonly homes: Homes };

/** `of` is the direction of the data: only members of a request can be required. */
export function renderMembers(context: Context, schema: Schema, of: "request" | "response", depth = 0): Html {
  const { properties, required } = collectMembers(context.api, schema);
  const rows = Object.entries(properties).map(([name, member]) =>
    renderMember(context, { name, schema: member, required: of === "request" && required.includes(name) }, of, depth),
  );
  return rows.length === 0 ? html`` : html`<dl class="members">${rows}</dl>`;
}

export function renderParameters(context: Context, parameters: readonly Parameter[]): Html {
  return html`<dl class="members">
    ${parameters.map(({ name, schema, description, required = false }) =>
      renderMember(
        context,
        { name, schema: { ...schema, ...(description && { description }) }, required },
        "request",
        DEEPEST,
      ),
    )}
  </dl>`;
}

type Member = { readonly name: string; readonly schema: Schema; readonly required: boolean };

function renderMember(
  context: Context,
  { name, schema, required }: Member,
  of: "request" | "response",
  depth: number,
): Html {
  const { api } = context;
  const whole = { ...api.resolve(schema), ...schema };
  const marks = [
    ...(required ? [html`<strong class="required">required</strong>`] : []),
    ...(whole.readOnly === true ? [html`<span>read-only</span>`] : []),
    ...(whole.default === undefined ? [] : [html`<span>default <code>${JSON.stringify(whole.default)}</code></span>`]),
  ];
  return html`<dt>
      <code>${name}</code>
      <span class="kind">${describeKind(context, schema)}</span>${marks.map((mark) => html` · ${mark}`)}
    </dt>
    <dd>
      ${whole.description ? html`<p>${renderInline(whole.description)}</p>` : ""}${renderNested(context, schema, of, depth)}
    </dd> `;
}

/** Renders the members of a member, unless the reference describes them elsewhere. */
function renderNested(context: Context, schema: Schema, of: "request" | "response", depth: number): Html | "" {
  const { api, homes } = context;
  const name = getSchemaName(schema);
  if (depth >= DEEPEST || (name !== null && homes.has(name))) return "";
  const whole = api.resolve(schema);
  if (whole.items !== undefined) return renderNested(context, whole.items, of, depth);
  const choices = (whole.oneOf ?? whole.anyOf ?? []).filter(
    (each) => Object.keys(collectMembers(api, each).properties).length > 0,
  );
  if (choices.length > 0) {
    return html`<details>
      <summary>${choices.length} kinds</summary>
      ${choices.map((each) => {
        const kind = collectMembers(api, each).properties["kind"]?.enum?.[0];
        return html`<p class="choice"><code>${typeof kind === "string" ? `kind: ${kind}` : ""}</code></p>
          ${renderMembers(context, each, of, depth + 1)}`;
      })}
    </details>`;
  }
  const count = Object.keys(collectMembers(api, whole).properties).length;
  if (count === 0) return "";
  return html`<details>
    <summary>${count} ${count === 1 ? "member" : "members"}</summary>
    ${renderMembers(context, whole, of, depth + 1)}
  </details>`;
}

/** Returns all members of an object, including those of the schemas that it extends. */
function collectMembers(api: Api, schema: Schema): { properties: Record<string, Schema>; required: string[] } {
  const whole = api.resolve(schema);
  const parts = (whole.allOf ?? []).map((part) => collectMembers(api, part));
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), whole.properties) as Record<
      string,
      Schema
    >,
    required: [...parts.flatMap(({ required }) => required), ...(whole.required ?? [])],
  };
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  array: "list",
  null: "null",
};

/** Describes a type and its limits in words. */
export function describeKind(context: Context, schema: Schema): Html {
  const { api, homes } = context;
  const name = getSchemaName(schema);
  const home = name === null ? undefined : homes.get(name);
  if (home !== undefined) return html`<a href="${home}">${words(name ?? "")}</a>`;
  const whole = api.resolve(schema);
  if (whole.enum !== undefined) return html`${describeEnum(whole.enum)}`;
  if (whole.anyOf !== undefined)
    return html`${whole.anyOf.map((each, index) => html`${index > 0 ? " or " : ""}${describeKind(context, each)}`)}`;
  const types = [whole.type ?? "object"].flat();
  if (types.includes("array")) {
    return html`list${whole.items && describeList(context, whole.items)}${describeRange(whole.minItems, whole.maxItems, "entries")}`;
  }
  const { additionalProperties: values } = whole;
  if (typeof values === "object" && values.type !== undefined && whole.properties === undefined) {
    return html`object of ${describeKind(context, values)}`;
  }
  const text = types.map((type) => (type === "string" ? describeText(whole) : (KINDS[type] ?? type))).join(" or ");
  const length =
    whole.format === undefined
      ? describeRange(whole.minLength === 1 ? undefined : whole.minLength, whole.maxLength, "characters")
      : "";
  return html`${text}${length}${describeRange(whole.minimum, whole.maximum)}`;
}

const describeText = ({ format }: Schema): string =>
  ({ "date-time": "time", email: "mail address", uri: "URL", uuid: "identifier" })[format ?? ""] ?? "text";

function describeList(context: Context, items: Schema): Html {
  const { enum: values } = context.api.resolve(items);
  return values === undefined ? html` of ${describeKind(context, items)}` : html` of ${renderCodes(values)}`;
}

const describeEnum = (values: readonly unknown[]): Html =>
  values.length === 1 ? renderCodes(values) : html`one of ${renderCodes(values)}`;

const renderCodes = (values: readonly unknown[]): Html =>
  html`${values.map((value, index) => html`${index > 0 ? ", " : ""}<code>${String(value)}</code>`)}`;

const formatNumber = (value: number): string => value.toLocaleString("en");

function describeRange(least: number | undefined, most: number | undefined, unit = ""): string {
  const words = unit === "" ? "" : ` ${unit}`;
  if (least !== undefined && most !== undefined) return `, ${formatNumber(least)} to ${formatNumber(most)}${words}`;
  if (most !== undefined) return `, up to ${formatNumber(most)}${words}`;
  return least === undefined ? "" : `, at least ${formatNumber(least)}${words}`;
}

/** "WebhookSubscription" becomes "webhook subscription". */
export const words = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/\b(api|seo)\b/g, (word) => word.toUpperCase());

/** Makes an example from the examples of the members. */
export function makeSample(api: Api, schema: Schema, depth = 0): unknown {
  const whole = api.resolve(schema);
  const given = schema.example ?? whole.example ?? schema.examples?.[0] ?? whole.examples?.[0];
  if (given !== undefined) return given;
  if (depth > 5) return null;
  if (whole.enum !== undefined) return whole.enum[0];
  if (whole.items !== undefined) return [makeSample(api, whole.items, depth + 1)];
  const [choice] = whole.oneOf ?? whole.anyOf ?? [];
  if (choice !== undefined) return makeSample(api, choice, depth + 1);
  const { properties } = collectMembers(api, whole);
  const members = Object.entries(properties).map(
    ([name, member]) => [name, makeSample(api, member, depth + 1)] as const,
  );
  if (members.length > 0) return Object.fromEntries(members);
  const [type = "object"] = [whole.type ?? "object"].flat();
  return { string: "", integer: 0, number: 0, boolean: false, null: null, object: {} }[type] ?? null;
}

/** Completes arguments of prompts and resources: the `locale`, from the locales of the organization's blogs. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteRequestParams,
  type CompleteResult,
} from "@modelcontextprotocol/server";
import { allItems } from "../../lib/pages.ts";
import { registry } from "../../operations/registry.ts";
import type { Connection } from "./connection.ts";
import { isPrompt } from "./prompts.ts";
import { resourceTemplates } from "./resources.ts";

/** Maximum values in one completion; the protocol sets it. */
const MOST = 100;

/**
 * Returns the values that an argument may be completed to. Only `locale` has any, because the other arguments are
 * identifiers that nobody types. Throws a ProtocolError for a prompt or resource that does not exist.
 */
export async function complete(
  { run, allows }: Connection,
  { ref, argument: { name, value } }: Pick<CompleteRequestParams, "ref" | "argument">,
): Promise<CompleteResult> {
  if (!isKnown(ref)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown reference: ${nameOf(ref)}`);
  if (name !== "locale" || !allows(registry.listBlogs)) return { completion: { values: [], total: 0, hasMore: false } };
  const blogs = await allItems((cursor) => run(registry.listBlogs, () => ({ cursor })));
  const locales = [...new Set(blogs.flatMap((blog) => blog.locales))].sort();
  const found = locales.filter((tag) => tag.toLowerCase().startsWith(value.toLowerCase()));
  return { completion: { values: found.slice(0, MOST), total: found.length, hasMore: found.length > MOST } };
}

type Reference = CompleteRequestParams["ref"];

const nameOf = (ref: Reference): string => (ref.type === "ref/prompt" ? ref.name : ref.uri);

const isKnown = (ref: Reference): boolean =>
  ref.type === "ref/prompt" ? isPrompt(ref.name) : resourceTemplates.some(({ uriTemplate }) => uriTemplate === ref.uri);

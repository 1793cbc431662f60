/** Operations on a blog's own host names (contract 21.7). */
import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError, invalidField } from "../domain/errors.ts";
import {
  getAliasTarget,
  HOST_FAILURES,
  HOST_STATES,
  parseHost,
  isServiceHost,
  toProofName,
  type ServiceHosts,
} from "../domain/hosts.ts";
import { LIMITS } from "../domain/limits.ts";
import { newHostToken } from "../domain/secrets.ts";
import { checkTarget } from "../outbound/target.ts";
import { defineOperation, type SharedContext } from "./define.ts";
import { blogId, deleted, line, output } from "./fields.ts";

const EXAMPLE = "journal.example.com";

const siteHost = z
  .object({
    blogId: output.blogId,
    host: z.string().meta({ description: "In lower case, international names in Punycode.", example: EXAMPLE }),
    state: z.enum(HOST_STATES).meta({
      description:
        "`pending`: its record was not found yet, or is gone. `verified`: it shows the site. `failing`: it still shows the site, but the last check did not find its record.",
      example: "pending",
    }),
    records: z
      .array(
        z.object({
          type: z.enum(["TXT", "CNAME"]).meta({ example: "TXT" }),
          name: z.string().meta({ example: `_edgepress.${EXAMPLE}` }),
          value: z.string().meta({ example: "edgepress-verification=mJ3wPq0Zr8TtLkVb5XyNc2DfGh7SaQe1" }),
        }),
      )
      .meta({ description: "The DNS records to create: the proof, and the alias that leads readers here." }),
    verifiedTime: output.dateTime.nullable().meta({ description: "Since when it is verified.", format: "date-time" }),
    checkTime: output.dateTime
      .nullable()
      .meta({ description: "When its record was last checked; null if it never was.", format: "date-time" }),
    nextCheckTime: output.dateTime.nullable().meta({
      description: "When it is next checked automatically; null once it was not found for a week.",
      format: "date-time",
    }),
    failure: z
      .object({
        since: output.dateTime,
        reason: z.enum(HOST_FAILURES).meta({
          description: "`host_taken`: the record was found, but so was that of another blog, which has the host.",
          example: "record_missing",
        }),
        found: z.array(z.string()).meta({ description: "The texts that were found instead, or in addition." }),
      })
      .nullable()
      .meta({
        description: "Why the last check did not verify it; null if it did, or if there was none.",
        example: null,
      }),
    creationTime: output.dateTime,
  })
  .meta({ id: "SiteHost" });

export type SiteHostValue = z.infer<typeof siteHost>;

const host = line(300)
  .min(1, "must not be empty")
  .meta({ description: "A host name of the blog, such as `journal.example.com`.", example: EXAMPLE });

/** Returns a host as it is stored. Throws `invalid_request` if a blog may not have it. */
function requireAllowedHost(text: string, service: ServiceHosts): string {
  const name = parseHost(text);
  if (name === null)
    throw invalidField("host", "must be a host name such as journal.example.com, without a scheme or path");
  const verdict = checkTarget(`https://${name}`, { allowLoopback: false });
  if (!verdict.allowed) throw invalidField("host", verdict.reason);
  if (isServiceHost(name, service)) throw invalidField("host", "must not be a host of the service itself");
  return name;
}

const getServiceHosts = ({ service: { baseUrl, siteDomain } }: SharedContext): ServiceHosts => ({
  baseUrl: baseUrl(),
  siteDomain,
});

export const listHosts = defineOperation({
  name: "hosts.list",
  summary: "List the hosts of a blog",
  description: "Its own host names, oldest first, with the DNS records to create and what was found.",
  scope: "blogs:read",
  effect: "read",
  input: z.strictObject({ blogId }),
  output: z.array(siteHost),
  refuses: ["blog_forbidden", "not_ready"],
  sample: { command: "blogs hosts list --blog {blogId}" },
  async run(context, { blogId: id }) {
    return { value: await context.store.listHosts(id, getAliasTarget(getServiceHosts(context))) };
  },
});

export const addHost = defineOperation({
  name: "hosts.add",
  summary: "Add a host to a blog",
  description: `Create the two \`records\` of the response in its DNS. The site is shown there once the first of them was found. Adding a host does not take it from another blog. A blog can have at most ${LIMITS.hosts}.`,
  scope: "blogs:write",
  effect: "write",
  input: z.strictObject({ blogId, host }).meta({ id: "SiteHostInput" }),
  output: siteHost,
  refuses: ["blog_forbidden", "host_exists", "host_limit", "event_limit", "not_ready"],
  audit: "added the custom domain *",
  sample: {
    body: { host: "{host}" },
    command: "blogs hosts add {host} --blog {blogId}",
  },
  async run(context, input) {
    const service = getServiceHosts(context);
    const name = requireAllowedHost(input.host, service);
    const target = getAliasTarget(service);
    const { baseUrl } = service;
    const added = { blogId: input.blogId, host: name, token: newHostToken(), target, baseUrl };
    return { value: await context.store.addHost(added) };
  },
});

export const checkHost = defineOperation({
  name: "hosts.check",
  summary: "Check the DNS record of a host",
  description: `Checks it now. It is also checked automatically: within minutes at first, and daily once it is verified. An organization can check ${RATES.researches} times a minute.`,
  scope: "blogs:write",
  effect: "write",
  input: z.strictObject({ blogId, host }),
  output: siteHost,
  refuses: ["blog_forbidden", "not_found", "dns_unavailable", "not_ready"],
  audit: "checked the DNS record of the custom domain *",
  sample: { command: "blogs hosts check {host} --blog {blogId}" },
  async run(context, input) {
    const { readTxt } = await context.services();
    const service = getServiceHosts(context);
    const target = getAliasTarget(service);
    const row = await context.store.findHost(input.blogId, parseHost(input.host) ?? input.host);
    await context.limit("hostChecks", context.principal.organizationId);
    const answer = await readTxt(toProofName(row.host));
    if (answer.kind === "failed") throw new DomainError("dns_unavailable", answer.detail);
    return {
      value: await context.store.recordHostCheck({ row, found: answer.texts, target, baseUrl: service.baseUrl }),
    };
  },
});

export const removeHost = defineOperation({
  name: "hosts.remove",
  summary: "Remove a host from a blog",
  description: "Within a minute, the site is no longer shown there. You can then delete its DNS records.",
  scope: "blogs:write",
  effect: "delete",
  input: z.strictObject({ blogId, host }),
  output: deleted,
  refuses: ["blog_forbidden", "not_found", "event_limit", "not_ready"],
  audit: "removed the custom domain *",
  sample: { command: "blogs hosts remove {host} --blog {blogId} --yes" },
  async run({ store, service: { baseUrl } }, input) {
    const name = parseHost(input.host) ?? input.host;
    await store.removeHost({ blogId: input.blogId, host: name, baseUrl: baseUrl() });
    return { value: { _id: name } };
  },
});

/** What a newcomer reads after `npm start`. */
import path from "node:path";
import type { Delivery } from "./receiver.ts";
import { showpiece } from "./seed.ts";
import type { Local } from "./state.ts";

/** Three requests that work when pasted into a shell. */
function examples({ baseUrl, blogId, apiKey }: Local): { note: string; command: string }[] {
  const { slug } = showpiece().article;
  const article = JSON.stringify({ blogId, title: "Hello from the edge", content: "It works.", published: true });
  return [
    {
      note: "The published articles of the demo blog, without credentials",
      command: `curl "${baseUrl}/api/articles?blogId=${blogId}&fields=_id,slug,locale,title"`,
    },
    { note: "One of them by its slug", command: `curl "${baseUrl}/api/articles/${slug}?blogId=${blogId}"` },
    {
      note: "Create and publish an article: its event appears below",
      command: `curl -u "${apiKey}:" -H "Content-Type: application/json" -d '${article}' "${baseUrl}/api/articles"`,
    },
  ];
}

/** The whole banner. */
export function banner(local: Local, receiverUrl: string, folder: string): string {
  const { baseUrl, apiKey, readOnlyKey, operatorToken, email, password } = local;
  const requests = examples(local).map(({ note, command }) => `  # ${note}\n  ${command}\n`);
  return `
Edgepress is running.

  API             ${baseUrl}
  Console         ${baseUrl}/console
  Documentation   ${baseUrl}/docs
  OpenAPI         ${baseUrl}/openapi.json
  Webhooks go to  ${receiverUrl}

  API key         ${apiKey}
  Read-only key   ${readOnlyKey}
  Operator token  ${operatorToken}
  Sign-in         ${email}, password ${password}

Try it in another terminal:

${requests.join("\n")}
State and logs    ${shown(folder)} (addresses and credentials: local.json, requests: edgepress.log)
Stop              Ctrl-C

Webhook deliveries and mails:`;
}

/** One line about a delivery. */
export function deliveryLine({ event, subject, verified }: Delivery): string {
  return `  ${event.padEnd(15)}  ${verified ? "verified" : "NOT VERIFIED"}  ${subject}`;
}

/** A path as it is shortest from where the reader is. */
function shown(folder: string): string {
  const relative = path.relative(process.cwd(), folder);
  return relative === "" || relative.startsWith("..") ? folder : relative;
}

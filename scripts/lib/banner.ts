import path from "node:path";
import type { Delivery } from "./receiver.ts";
import { getShowpiece } from "./seed.ts";
import type { Local } from "./state.ts";

/** Returns commands that can be pasted into a shell. The last one, a generation, requires a model. */
function makeExamples({ baseUrl, blogId, apiKey, model }: Local): { note: string; command: string }[] {
  const { slug } = getShowpiece().article;
  const send = `curl -u "${apiKey}:" -H "Content-Type: application/json" -d`;
  const order = JSON.stringify({ blogId, topic: "The first ferry of the day", words: 300, published: false });
  const article = JSON.stringify({ blogId, title: "Hello from the edge", content: "It works.", published: true });
  return [
    {
      note: "The command-line client, signed in through the browser (docs/cli.md)",
      command: `npx edgepress login --server ${baseUrl} && npx edgepress articles list --blog ${getShowpiece().blog.vanityId}`,
    },
    {
      note: "The published articles of the demo blog, without credentials",
      command: `curl "${baseUrl}/api/articles?blogId=${blogId}&fields=_id,slug,locale,title"`,
    },
    { note: "One of them by its slug", command: `curl "${baseUrl}/api/articles/${slug}?blogId=${blogId}"` },
    {
      note: "Create and publish an article: its event appears below",
      command: `${send} '${article}' "${baseUrl}/api/articles"`,
    },
    {
      note: "Topic ideas from the demo feed, best first",
      command: `curl -u "${apiKey}:" "${baseUrl}/api/topics?blogId=${blogId}&limit=3"`,
    },
    ...(model === ""
      ? []
      : [
          {
            note: `Generate a draft with ${model}`,
            command: `${send} '${order}' -H "Accept: text/event-stream" -N "${baseUrl}/api/articles/generate"`,
          },
        ]),
  ];
}

/** Returns the text of `npm start` when the service is ready. `folder` is the state folder. */
export function makeBanner(local: Local, receiverUrl: string, folder: string): string {
  const { baseUrl, blogId, apiKey, readOnlyKey, operatorToken, email, password, model } = local;
  // Without the demo, there is no blog for the others.
  const examples = makeExamples(local).slice(0, blogId === "" ? 1 : undefined);
  const requests = examples.map(({ note, command }) => `  # ${note}\n  ${command}\n`);
  return `
Edgepress is running.

  The demo blog   ${baseUrl}/${getShowpiece().blog.vanityId}
  API             ${baseUrl}
  Console         ${baseUrl}/console
  MCP             ${baseUrl}/mcp (docs/mcp.md)
  Documentation   ${baseUrl}/docs
  OpenAPI         ${baseUrl}/openapi.json
  Webhooks go to  ${receiverUrl}
  Generation      ${model === "" ? "no model: set AI_BASE_URL and AI_MODEL, or start Ollama (docs/generation.md)" : model}

  API key         ${apiKey}
  Read-only key   ${readOnlyKey}
  Operator token  ${operatorToken}
  Sign-in         ${email}, password ${password}

Try it in another terminal:

${requests.join("\n")}
State and logs    ${toRelativePath(folder)} (addresses and credentials: local.json, requests: edgepress.log)
Stop              Ctrl-C

Webhook deliveries and mails:`;
}

/** Returns the text of `npx wrangler dev`, which says by itself when it is ready. */
export const makeDevBanner = ({ baseUrl, apiKey, email, password }: Local): string => `
Edgepress, with the demo: its state is .wrangler/state, apart from that of npm start.

  The demo blog   ${baseUrl}/${getShowpiece().blog.vanityId}
  Console         ${baseUrl}/console
  Sign-in         ${email}, password ${password}
  API             curl -u "${apiKey}:" ${baseUrl}/api/blogs
  Settings        .dev.vars, for local runs only
`;

export function formatDelivery({ event, subject, verified }: Delivery): string {
  return `  ${event.padEnd(15)}  ${verified ? "verified" : "NOT VERIFIED"}  ${subject}`;
}

/** Returns a path relative to the current folder, or `folder` itself if it is elsewhere. */
function toRelativePath(folder: string): string {
  const relative = path.relative(process.cwd(), folder);
  return relative === "" || relative.startsWith("..") ? folder : relative;
}

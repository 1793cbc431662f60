/** An oEmbed endpoint at `/oembed`. Most addresses have this title and a picture; the others are named for what they have. */
import type { Call } from "./server.ts";

/** A title as somebody writes it who wants to leave the brackets of its picture, or of HTML. */
export const TITLE = String.raw`Dawn](https://evil.example) *live* \ <img src=x onerror=alert(1)> & "more" [`;

const ANSWERS: Readonly<Record<string, (origin: string) => unknown>> = {
  "without-picture": () => ({ title: TITLE }),
  "without-title": (origin) => ({ thumbnail_url: `${origin}/pictures/plain.gif` }),
  "other-json": () => [null],
  "picture-is-a-page": (origin) => ({ title: TITLE, thumbnail_url: `${origin}/pictures/page.png` }),
  "picture-inside": () => ({ title: TITLE, thumbnail_url: "http://169.254.169.254/latest/meta-data" }),
  "picture-is-no-address": () => ({ title: TITLE, thumbnail_url: "javascript:alert(1)" }),
  "too-long": (origin) => ({ title: "x".repeat(70_000), thumbnail_url: `${origin}/pictures/plain.gif` }),
};

/** Serves such a request. Returns false for other paths. */
export function serveOembed({ url, response }: Call): boolean {
  if (url.pathname !== "/oembed") return false;
  const asked = url.searchParams.get("url") ?? "";
  const name = asked.split("/").at(-1) ?? "";
  if (name === "nothing-there") response.writeHead(404).end("Not found");
  else if (name === "not-json") response.end("<html>");
  else {
    const told = ANSWERS[name]?.(url.origin) ?? {
      title: ` ${TITLE}\n `,
      thumbnail_url: `${url.origin}/pictures/plain.gif`,
    };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(told));
  }
  return true;
}

/**
 * Shows an article to people without an account who have a preview link. The token is in the path, so the path must not
 * appear in a log, an error or a link on the page.
 */
import { Hono, type Context } from "hono";
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { secureHeaders } from "hono/secure-headers";
import { DomainError, ERRORS, problemBody, refusalHeaders } from "../../../domain/errors.ts";
import { ICON } from "../../../lib/icon.ts";
import type { Arrival } from "../../request/arrival.ts";
import { findBaseUrl } from "../../request/base-url.ts";
import { PREFLIGHT_HEADERS, READ_HEADERS } from "../../request/cross-origin.ts";
import { openPreview } from "../../request/previews.ts";
import { toUnexpectedError } from "../../request/unexpected.ts";
import { getTitle } from "../articles/found.ts";
import { Reading } from "../articles/reading.tsx";
import { rewordForPeople } from "../forms.tsx";
import { toHttpStatus } from "../status.ts";
import { Time, Utc } from "../time.tsx";

type PreviewContext = Context<{ Bindings: { readonly arrival: Arrival } }>;

const app = new Hono<{ Bindings: { readonly arrival: Arrival } }>();

app.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", "https:", "data:"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: "DENY",
    referrerPolicy: "no-referrer",
  }),
);

app.use(async (c, next) => {
  await next();
  // No cache, search engine or archive may keep a response.
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex, nofollow, noarchive");
  c.header("Vary", "Accept");
  // Any website may read them: the token is the permission.
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead) for (const [name, value] of Object.entries(READ_HEADERS)) c.header(name, value);
});

app.get("/previews/:token", async (c) => {
  const render = !acceptsJson(c);
  const { article, expirationTime, tags, authors, isChanged, origin } = await openPreview(c.env.arrival, c.req.raw, {
    token: c.req.param("token"),
    render,
  });
  if (!render) return c.json(article);
  return page(
    c,
    getTitle(article),
    <>
      <p class="about">
        <span>
          Preview of {isChanged ? "unpublished changes to " : ""}
          {article.published ? "a published article" : "a draft"}
        </span>
        <span>
          This link expires <Time at={expirationTime} />
          <Utc />
        </span>
        {!origin.reviewed && <span>written with the help of AI, not reviewed</span>}
        {authors.length > 0 && <span>by {authors.join(", ")}</span>}
        {tags.length > 0 && <span>tags: {tags.join(", ")}</span>}
      </p>
      <Reading article={article} origin={findBaseUrl(c.env.arrival)} />
    </>,
  );
});

const METHODS = ["GET", "HEAD", "OPTIONS"];
app.options("/previews/:token", (c) => c.body(null, 204, { Allow: METHODS.join(", "), ...PREFLIGHT_HEADERS }));
app.all("/previews/:token", () => {
  throw new DomainError("method_not_allowed", undefined, { allowedMethods: METHODS });
});

app.notFound((c) => failed(c, new DomainError("not_found")));
app.onError((error, c) =>
  failed(c, error instanceof DomainError ? error : toUnexpectedError(c.env.arrival.requestId, error)),
);

/** Returns the response to a request for /previews or a path below it. */
export const handle = (request: Request, arrival: Arrival): Response | Promise<Response> =>
  app.fetch(request, { arrival });

/** Whether the caller asks for JSON, and not for a page as browsers do. */
function acceptsJson(c: PreviewContext): boolean {
  const accepted = c.req.header("Accept") ?? "";
  return accepted.includes("application/json") && !accepted.includes("text/html");
}

function failed(c: PreviewContext, error: DomainError): Response | Promise<Response> {
  for (const [name, value] of Object.entries(refusalHeaders(error))) c.header(name, value);
  c.status(toHttpStatus(error));
  if (!acceptsJson(c)) return page(c, ERRORS[error.code].title, <p>{rewordForPeople(error).message}</p>);
  const { settings, origin, requestId } = c.env.arrival;
  return c.json(problemBody(error, requestId, findBaseUrl({ settings, origin }) ?? ""));
}

function page(c: PreviewContext, title: string, body: Child): Response | Promise<Response> {
  const frame = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Preview`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href="/console/console.css" />
      </head>
      <body class="reader">
        <main id="main">
          <h1 dir="auto">{title}</h1>
          {body}
        </main>
      </body>
    </html>
  );
  // JSX cannot express the doctype.
  return c.html(html`<!doctype html>${frame}`);
}

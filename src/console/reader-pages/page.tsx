/** The frame of pages for people without an account: previews of articles, and subscriptions to the mails of a blog. */
import { Hono, type Context } from "hono";
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { secureHeaders } from "hono/secure-headers";
import { problemBody, refusalHeaders, DomainError } from "../../errors.ts";
import { directionOf } from "../../lib/direction.ts";
import { ICON } from "../../lib/icon.ts";
import type { Arrival } from "../../request/arrival.ts";
import { MAY_READ, READABLE } from "../../request/cross-origin.ts";
import { findBaseUrl } from "../../request/base-url.ts";
import { unexpected } from "../../unexpected.ts";
import { statusOf } from "../status.ts";

export type ReaderEnv = {
  Bindings: { readonly arrival: Arrival };
  /** The locale in which the reader is spoken to, as soon as it is known. */
  Variables: { locale?: string | null };
};
export type ReaderContext = Context<ReaderEnv>;

/** Returns whether the caller asks for JSON, and not for a page as browsers do. */
export function acceptsJson(c: ReaderContext): boolean {
  const accepted = c.req.header("Accept") ?? "";
  return accepted.includes("application/json") && !accepted.includes("text/html");
}

type Policy = {
  /** The sources of images beside the service itself, as in a Content-Security-Policy. */
  readonly images: readonly string[];
  /** Where forms of the pages may be sent. */
  readonly forms: "'self'" | "'none'";
  /** Whether sites of others may send their requests here, and not only read. */
  readonly takesRequestsOfSites: boolean;
};

/**
 * Returns an app for such pages: with their headers, and with `failed` for what is not found and for errors. What it does
 * for each response counts for the routes that are added to it.
 */
export function readerApp(
  { images, forms, takesRequestsOfSites }: Policy,
  failed: (c: ReaderContext, error: DomainError) => Response | Promise<Response>,
): Hono<ReaderEnv> {
  const app = new Hono<ReaderEnv>();
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", ...images],
        formAction: [forms],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
      ...(takesRequestsOfSites && { crossOriginResourcePolicy: false }),
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
    // Pages of any site may read the responses to reads.
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    if (isRead) for (const [name, value] of Object.entries(READABLE)) c.header(name, value);
  });
  app.notFound((c) => failed(c, new DomainError("not_found")));
  app.onError((error, c) =>
    failed(c, error instanceof DomainError ? error : unexpected(c.env.arrival.requestId, error)),
  );
  return app;
}

/**
 * Answers OPTIONS on a path, with the headers `preflight`, and refuses what is neither that nor one of the path's `methods`.
 * Call it after the handlers of these.
 */
export function answerOtherMethods(
  app: Hono<ReaderEnv>,
  path: string,
  methods: readonly string[],
  preflight: Readonly<Record<string, string>> = MAY_READ,
): void {
  const allowedMethods = [...methods, "OPTIONS"];
  app.options(path, (c) => c.body(null, 204, { Allow: allowedMethods.join(", "), ...preflight }));
  app.all(path, () => {
    throw new DomainError("method_not_allowed", undefined, { allowedMethods });
  });
}

/** Returns the error as JSON; null, with its status and headers set, if the caller wants a page with its title. */
export function problem(c: ReaderContext, error: DomainError, isJson: boolean): Response | null {
  for (const [name, value] of Object.entries(refusalHeaders(error))) c.header(name, value);
  c.status(statusOf(error));
  if (!isJson) return null;
  const { settings, origin, requestId } = c.env.arrival;
  return c.json(problemBody(error, requestId, findBaseUrl({ settings, origin }) ?? ""));
}

/** Returns a page. `kind` is what its tab says behind the title, `lang` the language of its words: English unless said. */
export function readerPage(
  c: ReaderContext,
  { title, kind, lang = "en" }: { readonly title: string; readonly kind: string; readonly lang?: string },
  body: Child,
): Response | Promise<Response> {
  const frame = (
    <html lang={lang} dir={directionOf(lang)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${kind}`}</title>
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

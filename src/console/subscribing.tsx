/**
 * The pages on which readers subscribe to the mails of a blog, confirm that, and end it (contract 20.9, 20.10). They have no
 * account here. Tokens are part of paths, so no log, no error and no link of a page contains a path.
 */
import { Hono } from "hono";
import type { Child, FC } from "hono/jsx";
import { secureHeaders } from "hono/secure-headers";
import * as z from "zod";
import { SUBSCRIBING } from "../domain/subscriber-tokens.ts";
import { DomainError, ERRORS } from "../errors.ts";
import { email, locale } from "../operations/fields.ts";
import { validate } from "../operations/invoke.ts";
import type { Arrival } from "../request/arrival.ts";
import { heldBody } from "../request/memory.ts";
import { confirm, openBlog, openConfirmation, openLeaving, subscribe, unsubscribe } from "../request/subscribing.ts";
import { unexpected } from "../unexpected.ts";
import { forPeople } from "./forms.tsx";
import { acceptsJson, problem, readerPage, unkept, type ReaderContext, type ReaderEnv } from "./reader-pages.tsx";

const app = new Hono<ReaderEnv>();

const SUBSCRIBE = "/blogs/:blogId/subscribe";
const CONFIRM = `${SUBSCRIBE}/:token`;
const LEAVE = "/blogs/:blogId/unsubscribe/:token";

app.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", "data:"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    // Forms and scripts of a blog's own site send their requests here.
    crossOriginResourcePolicy: false,
    xFrameOptions: "DENY",
    referrerPolicy: "no-referrer",
  }),
);
app.use(unkept);

const input = z.strictObject({ email, locale: locale.optional() });

app.get(SUBSCRIBE, async (c) => {
  const { blogName } = await openBlog(c.env.arrival, c.req.raw, c.req.param("blogId"));
  return page(c, blogName, <SubscribeForm />);
});

app.post(SUBSCRIBE, async (c) => {
  const { arrival } = c.env;
  c.header("Access-Control-Allow-Origin", "*");
  const blog = await openBlog(arrival, c.req.raw, c.req.param("blogId"));
  const sent = await readBody(c);
  try {
    const { email: address, locale: tag } = validate(input, sent);
    await subscribe(arrival, c.req.raw, { blog, email: address, locale: tag });
  } catch (error) {
    if (wantsJson(c) || !(error instanceof DomainError) || error.code !== "invalid_request") throw error;
    c.status(400);
    return page(
      c,
      blog.blogName,
      <SubscribeForm sent={typeof sent["email"] === "string" ? sent["email"] : ""} isWrong />,
    );
  }
  if (wantsJson(c)) return c.json({ status: "pending" }, 202);
  return page(
    c,
    blog.blogName,
    <p>
      Look into your mail: you have a link to confirm this, which works for {SUBSCRIBING.hours} hours. If nothing comes,
      look among unwanted mail, or try again later.
    </p>,
  );
});

// The preflight of a browser, as a page of any site may send JSON. There are no cookies that it could use.
app.options(SUBSCRIBE, (c) =>
  c.body(null, 204, {
    Allow: "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "Content-Type",
    "Access-Control-Max-Age": "86400",
  }),
);

// A GET only shows the button: programs that look at the links of mails follow them, too.
app.get(CONFIRM, async (c) => {
  const { blogName, email: address } = await openConfirmation(c.env.arrival, c.req.raw, c.req.param("token"));
  return page(
    c,
    blogName,
    <>
      <p>
        Send the mails of this blog to <strong>{address}</strong>?
      </p>
      <Button>Confirm</Button>
    </>,
  );
});

app.post(CONFIRM, async (c) => {
  const { blogName, email: address } = await confirm(c.env.arrival, c.req.raw, c.req.param("token"));
  return page(
    c,
    blogName,
    <p>
      <strong>{address}</strong> is subscribed. Each mail has a link to end that.
    </p>,
  );
});

app.get(LEAVE, async (c) => {
  const { blogName, email: address, isOver } = await openLeaving(c.env.arrival, c.req.raw, c.req.param("token"));
  if (isOver) return page(c, blogName, <Left address={address} />);
  return page(
    c,
    blogName,
    <>
      <p>
        Send no more mails of this blog to <strong>{address}</strong>?
      </p>
      <Button>Unsubscribe</Button>
    </>,
  );
});

// Also what mail programs send with one click (RFC 8058). Its body says nothing more.
app.post(LEAVE, async (c) => {
  const { blogName, email: address } = await unsubscribe(c.env.arrival, c.req.raw, c.req.param("token"));
  return page(c, blogName, <Left address={address} />);
});

for (const path of [SUBSCRIBE, CONFIRM, LEAVE]) {
  app.all(path, () => {
    throw new DomainError("method_not_allowed", undefined, { allowedMethods: ["GET", "HEAD", "POST"] });
  });
}
app.notFound((c) => failed(c, new DomainError("not_found")));
app.onError((error, c) => failed(c, error instanceof DomainError ? error : unexpected(c.env.arrival.requestId, error)));

/** Returns the response to a request for one of these pages. */
export const handle = (request: Request, arrival: Arrival): Response | Promise<Response> =>
  app.fetch(request, { arrival });

const typeOf = (c: ReaderContext): string =>
  (c.req.header("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** Returns whether the caller sends JSON or asks for it, and not for a page as browsers do. */
const wantsJson = (c: ReaderContext): boolean => typeOf(c) === "application/json" || acceptsJson(c);

/** Returns the members of a JSON object or a form. Throws errors about the body's format and size. */
async function readBody(c: ReaderContext): Promise<Record<string, unknown>> {
  const type = typeOf(c);
  const isForm = type === "application/x-www-form-urlencoded";
  if (!isForm && type !== "application/json") throw new DomainError("unsupported_media_type");
  const bytes = await heldBody(c.req.raw, SUBSCRIBING.bytes, c.env.arrival.reserve);
  if (bytes === null) throw new DomainError("body_too_large");
  const text = new TextDecoder().decode(bytes);
  // A field of a form that was left empty counts as left out.
  if (isForm) return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
  const parsed = parsedJson(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new DomainError("invalid_json");
  return parsed as Record<string, unknown>;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("invalid_json");
  }
}

function failed(c: ReaderContext, error: DomainError): Response | Promise<Response> {
  return problem(c, error, wantsJson(c)) ?? page(c, ERRORS[error.code].title, <p>{forReaders(error)}</p>);
}

/** Says what is wrong without the words of an organization, which a reader knows nothing of. */
function forReaders(error: DomainError): string {
  if (error.code === "quota_exceeded" || error.code === "event_limit") {
    return "The blog cannot take more subscriptions at the moment. Your link stays good: try it again later.";
  }
  return forPeople(error).message;
}

const SubscribeForm: FC<{ sent?: string; isWrong?: boolean }> = ({ sent = "", isWrong = false }) => (
  <form method="post" class="stack">
    <p>Get the mails of this blog. You confirm it by a link that is sent to you, and end it whenever you like.</p>
    <div class="field">
      <label for="email">E-mail address</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="email"
        required
        value={sent}
        aria-invalid={isWrong ? "true" : undefined}
        aria-describedby={isWrong ? "wrong" : undefined}
      />
      {isWrong && (
        <p id="wrong" class="error" role="alert">
          Enter a whole address, such as ada@example.com.
        </p>
      )}
    </div>
    <div>
      <button type="submit">Subscribe</button>
    </div>
  </form>
);

/** A form with nothing but its button, which sends it to the page's own address. */
const Button: FC<{ children?: Child }> = ({ children }) => (
  <form method="post">
    <button type="submit">{children}</button>
  </form>
);

const Left: FC<{ address: string }> = ({ address }) => (
  <p>
    <strong>{address}</strong> gets no more mails of this blog.
  </p>
);

const page = (c: ReaderContext, title: string, body: Child) => readerPage(c, { title, kind: "Subscription" }, body);

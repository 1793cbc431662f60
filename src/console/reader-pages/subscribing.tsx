/**
 * The pages on which readers subscribe to the mails of a blog, confirm that, and end it (contract 20.9, 20.10), in the reader's
 * language. They have no account here. Tokens are part of paths, so no log, no error and no link of a page contains a path.
 */
import type { Child, FC } from "hono/jsx";
import * as z from "zod";
import { SUBSCRIBING } from "../../domain/subscriber-tokens.ts";
import { subscribingWords, type SubscribingWords } from "../../domain/subscribing-words.ts";
import { DomainError, ERRORS } from "../../errors.ts";
import { contentTypeOf, FORM_TYPE } from "../../lib/content-type.ts";
import { jsonOrNull } from "../../lib/json.ts";
import { filled } from "../../lib/words.ts";
import { email, locale } from "../../operations/fields.ts";
import { validate } from "../../operations/invoke.ts";
import type { Arrival } from "../../request/arrival.ts";
import { MAY_READ, READABLE } from "../../request/cross-origin.ts";
import { heldBody } from "../../request/memory.ts";
import {
  confirm,
  localeOfBlog,
  openBlog,
  openConfirmation,
  openLeaving,
  subscribe,
  unsubscribe,
} from "../../request/subscribing.ts";
import { forPeople } from "../forms.tsx";
import { answerOtherMethods, acceptsJson, problem, readerApp, readerPage, type ReaderContext } from "./page.tsx";

const SUBSCRIBE = "/blogs/:blogId/subscribe";
const CONFIRM = `${SUBSCRIBE}/:token`;
const LEAVE = "/blogs/:blogId/unsubscribe/:token";

// Forms and scripts of a blog's own site send their requests here.
const app = readerApp({ images: ["data:"], forms: "'self'", takesRequestsOfSites: true }, failed);

const input = z.strictObject({ email, locale: locale.optional() });

app.get(SUBSCRIBE, async (c) => {
  const blog = await openBlog(c.env.arrival, c.req.raw, c.req.param("blogId"));
  const { data: tag } = locale.safeParse(c.req.query("locale"));
  c.set("locale", tag ?? blog.locale);
  return page(c, blog.blogName, <SubscribeForm words={wordsFor(c).words} tag={tag} />);
});

app.post(SUBSCRIBE, async (c) => {
  const { arrival } = c.env;
  for (const [name, value] of Object.entries(READABLE)) c.header(name, value);
  const blog = await openBlog(arrival, c.req.raw, c.req.param("blogId"));
  c.set("locale", blog.locale);
  const sent = await readBody(c);
  const { data: tag } = locale.safeParse(sent["locale"]);
  c.set("locale", tag ?? blog.locale);
  const { words } = wordsFor(c);
  try {
    const { email: address } = validate(input, sent);
    await subscribe(arrival, c.req.raw, { blog, email: address, locale: tag });
  } catch (error) {
    // Another field than the address is for whoever has built the form.
    if (wantsJson(c) || !isAbout(error, "email")) throw error;
    c.status(400);
    const entered = typeof sent["email"] === "string" ? sent["email"] : "";
    return page(c, blog.blogName, <SubscribeForm words={words} sent={entered} tag={tag} isWrong />);
  }
  if (wantsJson(c)) return c.json({ status: "pending" }, 202);
  return page(c, blog.blogName, <p>{filled(words.sent, { hours: String(SUBSCRIBING.hours) })}</p>);
});

// A GET only shows the button: programs that look at the links of mails follow them, too.
app.get(CONFIRM, async (c) => {
  const { blogName, email: address } = await opened(
    c,
    openConfirmation(c.env.arrival, c.req.raw, c.req.param("token")),
  );
  const { words } = wordsFor(c);
  return page(c, blogName, <Question sentence={words.question} address={address} button={words.confirm} />);
});

app.post(CONFIRM, async (c) => {
  const asking = await opened(c, openConfirmation(c.env.arrival, c.req.raw, c.req.param("token")));
  await confirm(c.env.arrival, asking);
  return page(c, asking.blogName, <Sentence address={asking.email}>{wordsFor(c).words.done}</Sentence>);
});

app.get(LEAVE, async (c) => {
  const linked = await opened(c, openLeaving(c.env.arrival, c.req.raw, c.req.param("token")));
  const { blogName, email: address, isOver } = linked;
  const { words } = wordsFor(c);
  if (isOver) return page(c, blogName, <Sentence address={address}>{words.left}</Sentence>);
  return page(c, blogName, <Question sentence={words.leaving} address={address} button={words.leave} />);
});

// Also what mail programs send with one click (RFC 8058). Its body says nothing more.
app.post(LEAVE, async (c) => {
  const linked = await opened(c, openLeaving(c.env.arrival, c.req.raw, c.req.param("token")));
  await unsubscribe(c.env.arrival, linked);
  return page(c, linked.blogName, <Sentence address={linked.email}>{wordsFor(c).words.left}</Sentence>);
});

const METHODS = ["GET", "HEAD", "POST"];

// A page of any site may send JSON to subscribe. There are no cookies that it could use.
answerOtherMethods(app, SUBSCRIBE, METHODS, {
  ...MAY_READ,
  "Access-Control-Allow-Methods": METHODS.join(", "),
  "Access-Control-Allow-Headers": `Content-Type, ${MAY_READ["Access-Control-Allow-Headers"]}`,
});
answerOtherMethods(app, CONFIRM, METHODS);
answerOtherMethods(app, LEAVE, METHODS);

/** Returns the response to a request for one of these pages. */
export const handle = (request: Request, arrival: Arrival): Response | Promise<Response> =>
  app.fetch(request, { arrival });

/** Returns whether an error says that this field is invalid, and nothing of others. */
const isAbout = (error: unknown, field: string): boolean =>
  error instanceof DomainError &&
  error.code === "invalid_request" &&
  (error.details.errors ?? []).every(({ path }) => path === field);

const typeOf = (c: ReaderContext): string => contentTypeOf(c.req.raw.headers).type;

/** Returns whether the caller sends JSON or asks for it, and not for a page as browsers do. */
const wantsJson = (c: ReaderContext): boolean => typeOf(c) === "application/json" || acceptsJson(c);

/** Returns the members of a JSON object or a form. Throws errors about the body's format and size. */
async function readBody(c: ReaderContext): Promise<Record<string, unknown>> {
  const type = typeOf(c);
  const isForm = type === FORM_TYPE;
  if (!isForm && type !== "application/json") throw new DomainError("unsupported_media_type");
  const bytes = await heldBody(c.req.raw, SUBSCRIBING.bytes, c.env.arrival.reserveArriving);
  const text = new TextDecoder().decode(bytes);
  // A field of a form that was left empty counts as left out.
  if (isForm) return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
  const parsed = jsonOrNull(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new DomainError("invalid_json");
  return parsed as Record<string, unknown>;
}

/** Returns the words for the reader of this request, and the language that they are in. */
const wordsFor = (c: ReaderContext) => subscribingWords(c.get("locale") ?? "en");

/** Returns who a link is for. Pages of this request are in their language, or in the blog's if the link has ended. */
async function opened<Of extends { readonly locale: string }>(c: ReaderContext, opening: Promise<Of>): Promise<Of> {
  try {
    const found = await opening;
    c.set("locale", found.locale);
    return found;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found" && !wantsJson(c)) {
      c.set("locale", await localeOfBlog(c.env.arrival, c.req.param("blogId") ?? ""));
    }
    throw error;
  }
}

function failed(c: ReaderContext, error: DomainError): Response | Promise<Response> {
  const refused = problem(c, error, wantsJson(c));
  if (refused !== null) return refused;
  const { words } = wordsFor(c);
  const said = forReaders(c, error, words);
  if (said !== undefined) return page(c, words.failed, <p>{said}</p>);
  // What only somebody who builds a form gets to see has no translations.
  c.set("locale", "en");
  return page(c, ERRORS[error.code].title, <p>{forPeople(error).message}</p>);
}

/** Says what is wrong without the words of an organization, which a reader knows nothing of. */
function forReaders(c: ReaderContext, { code }: DomainError, words: SubscribingWords): string | undefined {
  if (code === "quota_exceeded" || code === "event_limit") return words.full;
  if (code === "not_found" && c.req.param("token") !== undefined) return words.gone;
  return code === "rate_limited" ? words.often : undefined;
}

type FormProps = {
  readonly words: SubscribingWords;
  readonly sent?: string;
  /** The locale that was asked for. */
  readonly tag?: string | undefined;
  readonly isWrong?: boolean;
};

const SubscribeForm: FC<FormProps> = ({ words, sent = "", tag, isWrong = false }) => (
  <form method="post" class="stack">
    <p>{words.about}</p>
    <div class="field">
      <label for="email">{words.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="email"
        dir="ltr"
        required
        value={sent}
        aria-invalid={isWrong ? "true" : undefined}
        aria-describedby={isWrong ? "wrong" : undefined}
      />
      {isWrong && (
        <p id="wrong" class="error" role="alert">
          {words.wrong}
        </p>
      )}
    </div>
    {tag !== undefined && <input type="hidden" name="locale" value={tag} />}
    <div>
      <button type="submit">{words.subscribe}</button>
    </div>
  </form>
);

/** A sentence about an address, which stands where the sentence has `{email}`. */
const Sentence: FC<{ address: string; children: string }> = ({ address, children }) => {
  const [before, after] = children.split("{email}");
  return (
    <p>
      {before}
      <strong dir="ltr">{address}</strong>
      {after}
    </p>
  );
};

/** A question, and a form with nothing but its button, which sends it to the page's own address. */
const Question: FC<{ sentence: string; address: string; button: string }> = ({ sentence, address, button }) => (
  <>
    <Sentence address={address}>{sentence}</Sentence>
    <form method="post">
      <button type="submit">{button}</button>
    </form>
  </>
);

function page(c: ReaderContext, title: string, body: Child): Response | Promise<Response> {
  const { words, lang } = wordsFor(c);
  return readerPage(c, { title, kind: words.kind, lang }, body);
}

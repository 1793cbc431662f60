/**
 * The pages on which readers subscribe to a blog, confirm it, and unsubscribe (contract 20.9, 20.10). Paths contain tokens,
 * so no log, error or link of a page may contain a path. Loaded on first use.
 */
import type { Context } from "hono";
import type { Child, FC } from "hono/jsx";
import * as z from "zod";
import { SUBSCRIBING } from "../../domain/subscriber-tokens.ts";
import { getSubscribingWords, type SubscribingWords } from "../../domain/subscribing-words.ts";
import { DomainError, ERRORS, makeBlogNotFoundError } from "../../domain/errors.ts";
import { parseContentType, FORM_TYPE } from "../../lib/content-type.ts";
import { parseJson } from "../../lib/json.ts";
import { fillPlaces } from "../../lib/words.ts";
import { email, locale } from "../../operations/fields.ts";
import { validate } from "../../operations/invoke.ts";
import { PREFLIGHT_HEADERS, READ_HEADERS } from "../request/cross-origin.ts";
import { readWholeBody } from "../request/body.ts";
import {
  confirm,
  readShownBlog,
  readConfirmation,
  readUnsubscription,
  type LinkName,
  findBlogByName,
  subscribe,
  unsubscribe,
} from "../request/subscribing.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";
import type { AppEnv } from "../rest/app-env.ts";
import { makeArrival } from "../rest/caller.ts";
import { answerOtherMethod } from "../rest/cross-origin.ts";
import { toProblemReply } from "../rest/problem.ts";
import { toJsonReply, type Reply } from "../rest/reply.ts";
import { renderLonePage } from "./lone-page.tsx";

/** A request. `blog` and `locale` decide the look and language of the page. They are set as soon as they are known. */
type Asked = {
  readonly c: Context<AppEnv>;
  readonly blogId: string;
  readonly token: string;
  blog: SiteBlog | null;
  locale: string;
};

const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

/** Handles requests for `/blogs/{blogId}/subscribe`, and for links of mails below it and `/blogs/{blogId}/unsubscribe`. */
export async function serveSubscribing(c: Context<AppEnv>): Promise<Reply> {
  const { blogId = "", token = "" } = c.req.param() as { blogId?: string; token?: string };
  const asked: Asked = { c, blogId, token, blog: null, locale: "en" };
  // Forms and scripts of a blog's front end send requests here. There are no cookies that they could misuse.
  const mayBeRead = token === "" ? READ_HEADERS : {};
  const reply = await route(asked).catch((error: unknown) => toErrorReply(asked, error));
  return { ...reply, headers: { ...mayBeRead, Vary: "Accept", "X-Robots-Tag": NO_INDEX, ...reply.headers } };
}

const NO_INDEX = "noindex, nofollow, noarchive";

function route(asked: Asked): Promise<Reply> {
  const { c, token } = asked;
  const isLeaving = c.req.path.split("/")[3] === "unsubscribe";
  const [get, post] = isLeaving
    ? [askToUnsubscribe, endSubscription]
    : token === ""
      ? [showForm, takeSubscription]
      : [askToConfirm, confirmSubscription];
  if (c.req.method === "GET" || c.req.method === "HEAD") return get(asked);
  return c.req.method === "POST" ? post(asked) : answerOptions(asked);
}

async function answerOptions({ c, token }: Asked): Promise<Reply> {
  const reply = answerOtherMethod(c.req.method, METHODS);
  if (token !== "") return reply;
  const headers = {
    ...reply.headers,
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": `Content-Type, ${PREFLIGHT_HEADERS["Access-Control-Allow-Headers"]}`,
  };
  return { ...reply, headers };
}

async function showForm(asked: Asked): Promise<Reply> {
  const { c, blogId } = asked;
  const blog = await readShownBlog(makeArrival(c), c.req.raw, blogId);
  if (blog.newsletter === "") throw makeBlogNotFoundError();
  const { data: tag } = locale.safeParse(c.req.query("locale"));
  setBlogAndLocale(asked, blog, tag);
  return renderPage(asked, <SubscribeForm words={getWords(asked)} blog={blog} tag={tag} />);
}

const input = z.strictObject({ email, locale: locale.optional() });

async function takeSubscription(asked: Asked): Promise<Reply> {
  const { c } = asked;
  const arrival = makeArrival(c);
  const blog = await readShownBlog(arrival, c.req.raw, asked.blogId);
  setBlogAndLocale(asked, blog);
  const sent = await readBody(c);
  const { data: tag } = locale.safeParse(sent["locale"]);
  setBlogAndLocale(asked, blog, tag);
  const words = getWords(asked);
  try {
    const { email: address } = validate(input, sent);
    await subscribe(arrival, c.req.raw, { blog, email: address, locale: tag });
  } catch (error) {
    // An error in any other field is a mistake of the form, not of the reader.
    if (wantsJson(c) || !isOnlyAbout(error, "email")) throw error;
    const entered = typeof sent["email"] === "string" ? sent["email"] : "";
    return renderPage(asked, <SubscribeForm words={words} blog={blog} sent={entered} tag={tag} isWrong />, {
      status: 400,
    });
  }
  if (wantsJson(c)) return toJsonReply(202, { status: "pending" });
  return renderPage(asked, <p>{fillPlaces(words.sent, { hours: String(SUBSCRIBING.hours) })}</p>);
}

// A GET only shows a button, because mail scanners follow links.
async function askToConfirm(asked: Asked): Promise<Reply> {
  const { blog, email: address, isDone } = await openLink(asked, readConfirmation);
  const words = getWords(asked);
  if (isDone) return renderPage(asked, <Sentence address={address}>{words.done}</Sentence>);
  return renderPage(
    asked,
    <>
      <Promised blog={blog} />
      <Question sentence={words.question} address={address} button={words.confirm} />
    </>,
  );
}

async function confirmSubscription(asked: Asked): Promise<Reply> {
  const asking = await openLink(asked, readConfirmation);
  await confirm(makeArrival(asked.c), asking);
  return renderPage(asked, <Sentence address={asking.email}>{getWords(asked).done}</Sentence>);
}

async function askToUnsubscribe(asked: Asked): Promise<Reply> {
  const { email: address, isOver } = await openLink(asked, readUnsubscription);
  const words = getWords(asked);
  if (isOver) return renderPage(asked, <Sentence address={address}>{words.left}</Sentence>);
  return renderPage(asked, <Question sentence={words.leaving} address={address} button={words.leave} />);
}

// Mail programs send this with one click, too (RFC 8058). The body does not matter.
async function endSubscription(asked: Asked): Promise<Reply> {
  const leaving = await openLink(asked, readUnsubscription);
  await unsubscribe(makeArrival(asked.c), leaving);
  return renderPage(asked, <Sentence address={leaving.email}>{getWords(asked).left}</Sentence>);
}

/** Sets the blog and the locale of the page: by default, the main locale of the blog. */
function setBlogAndLocale(asked: Asked, blog: SiteBlog | null, tag = blog?.locales[0] ?? "en"): void {
  asked.blog = blog;
  asked.locale = tag;
}

/** Opens a link. If it has expired, the page that says so has the look of the blog, too. */
async function openLink<Of extends { readonly blog: SiteBlog; readonly locale: string }>(
  asked: Asked,
  open: (arrival: ReturnType<typeof makeArrival>, request: Request, link: LinkName) => Promise<Of>,
): Promise<Of> {
  const arrival = makeArrival(asked.c);
  try {
    const found = await open(arrival, asked.c.req.raw, { blog: asked.blogId, token: asked.token });
    setBlogAndLocale(asked, found.blog, found.locale);
    return found;
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === "not_found";
    if (isGone && !wantsJson(asked.c)) setBlogAndLocale(asked, await findBlogByName(arrival, asked.blogId));
    throw error;
  }
}

const isOnlyAbout = (error: unknown, field: string): boolean =>
  error instanceof DomainError &&
  error.code === "invalid_request" &&
  (error.details.errors ?? []).every(({ path }) => path === field);

const getMediaType = (c: Context<AppEnv>): string => parseContentType(c.req.raw.headers).type;

/** Returns whether the caller sends or accepts JSON, and does not accept HTML as browsers do. */
function wantsJson(c: Context<AppEnv>): boolean {
  const accepted = c.req.header("Accept") ?? "";
  const asksForIt = accepted.includes("application/json") && !accepted.includes("text/html");
  return asksForIt || getMediaType(c) === "application/json";
}

/** Returns the fields of a JSON object or a form. Throws errors about the body's format and size. */
async function readBody(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const type = getMediaType(c);
  const isForm = type === FORM_TYPE;
  if (!isForm && type !== "application/json") throw new DomainError("unsupported_media_type");
  const bytes = await readWholeBody(c.req.raw, SUBSCRIBING.bytes);
  const text = new TextDecoder().decode(bytes);
  // Browsers send empty fields of forms: they count as left out.
  if (isForm) return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
  const parsed = parseJson(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new DomainError("invalid_json");
  return parsed as Record<string, unknown>;
}

/** Returns the reply to an error: a page, unless the caller wants JSON. */
async function toErrorReply(asked: Asked, error: unknown): Promise<Reply> {
  const { c, token } = asked;
  const { body, ...reply } = toProblemReply(c, error);
  if (wantsJson(c)) return { body, ...reply };
  const { "Content-Type": _, ...headers } = reply.headers;
  const words = getWords(asked);
  const said = error instanceof DomainError ? toReaderMessage(error, token, words) : undefined;
  if (said !== undefined) return renderPage(asked, <p>{said}</p>, { ...reply, headers, title: words.failed });
  // Only people who build a form see these errors, so they are not translated.
  asked.locale = "en";
  const { code, message, details } = error instanceof DomainError ? error : new DomainError("internal");
  const wrong = (details.errors ?? []).map((each) => `${each.path} ${each.message}`);
  return renderPage(asked, <p>{[message, ...wrong].join(" ")}</p>, { ...reply, headers, title: ERRORS[code].title });
}

/** Returns the error in words for readers, who do not know what a quota or an event is. */
function toReaderMessage({ code }: DomainError, token: string, words: SubscribingWords): string | undefined {
  if (code === "quota_exceeded" || code === "event_limit") return words.full;
  if (code === "not_found" && token !== "") return words.gone;
  return code === "rate_limited" ? words.often : undefined;
}

const getWords = ({ locale: tag }: Asked): SubscribingWords => getSubscribingWords(tag).words;

type Shown = { readonly title?: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

function renderPage(asked: Asked, main: Child, { title, status = 200, headers = {} }: Shown = {}): Promise<Reply> {
  const { words, lang } = getSubscribingWords(asked.locale);
  return renderLonePage(makeArrival(asked.c), {
    blog: asked.blog,
    lang,
    title: title ?? words.kind,
    status,
    headers,
    main,
  });
}

const Promised: FC<{ blog: SiteBlog }> = ({ blog: { newsletter } }) =>
  newsletter === "" ? null : <p dir="auto">{newsletter}</p>;

type FormProps = {
  readonly words: SubscribingWords;
  readonly blog: SiteBlog;
  readonly sent?: string;
  readonly tag?: string | undefined;
  readonly isWrong?: boolean;
};

const SubscribeForm: FC<FormProps> = ({ words, blog, sent = "", tag, isWrong = false }) => (
  <>
    <Promised blog={blog} />
    <p>{words.about}</p>
    <form method="post">
      <label for="email">{words.email}</label>
      <div class="q">
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
        <button>{words.subscribe}</button>
      </div>
      {isWrong && (
        <p id="wrong" role="alert">
          {words.wrong}
        </p>
      )}
      {tag !== undefined && <input type="hidden" name="locale" value={tag} />}
    </form>
  </>
);

/** A sentence with an address in place of `{email}`. */
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

/** A question with one button, which sends a POST to the URL of the page. */
const Question: FC<{ sentence: string; address: string; button: string }> = ({ sentence, address, button }) => (
  <>
    <Sentence address={address}>{sentence}</Sentence>
    <form method="post" class="q">
      <button>{button}</button>
    </form>
  </>
);

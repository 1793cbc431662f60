/** Tabs of a real browser that note whatever a page of the console may not do. */
import type { Browser, BrowserContext, ConsoleMessage, Disposable, Page, Request } from "playwright-core";
import { afterAll, afterEach, describe, expect, inject } from "vitest";
import { hasChromium, launchChromium } from "../../scripts/lib/browser.ts";

/** The service of all tests in a browser. */
export function service() {
  const known = inject("service");
  if (known === null) throw new Error("there is no browser");
  return known;
}

/** Tests that need a browser: skipped where there is none. */
export const describeInBrowser = describe.skipIf(!hasChromium());

/** How long a page may take, in milliseconds: for a busy machine. */
export const PATIENCE_MS = 45_000;

export const DESKTOP = { width: 1280, height: 900 };

type TabOptions = {
  /** Whether the browser runs scripts. */
  readonly scripts?: boolean;
  /** The origin of the service, where it is called by another name than its own. */
  readonly at?: string;
  /** Another origin that the tab may come to: an application's. */
  readonly elsewhere?: string;
  /** Whether the demo's owner is signed in already. */
  readonly signedIn?: boolean;
  /**
   * Whether the text of an article is shown in the rich editor. Otherwise as Markdown, in a text area, which is what
   * most tests fill in and read.
   */
  readonly rich?: boolean;
  /** Whether the tab stays open for the other tests of the file. */
  readonly kept?: boolean;
  /** Whether what is written is saved, and tried again, after a tenth of the usual pauses. */
  readonly hurried?: boolean;
  /** Whether scripts of tests run in pages whose policy allows none. */
  readonly bypassCSP?: boolean;
  /** What may fail in this tab, because the test makes it fail. */
  readonly mayFail?: RegExp;
};

/** A page of the service without scripts and styles. */
const BLANK = "/healthz";

let started: Promise<Browser> | undefined;

/** Returns the browser of all files that share this process, and starts it for the first. It ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  const browser = await (started ??= launchChromium());
  return browser.isConnected() ? browser : (started = launchChromium());
}

/**
 * A tab in somebody's browser, which others use after them: its process keeps what it has loaded and compiled, which takes
 * longer than most tests.
 */
type Place = {
  readonly kind: string;
  readonly context: BrowserContext;
  readonly page: Page;
  note: (problem: string) => void;
  /** Whom else its pages may ask. */
  elsewhere: string | undefined;
  hurried: Disposable | undefined;
};

/** Those that no test uses. */
const free: Place[] = [];

async function newPlace(kind: string, baseURL: string, options: TabOptions): Promise<Place> {
  const { scripts = true, bypassCSP = false } = options;
  const browser = await sharedBrowser();
  const context = await browser.newContext({ baseURL, javaScriptEnabled: scripts, bypassCSP, viewport: DESKTOP });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(BLANK);
  const place: Place = { kind, context, page, note: () => undefined, elsewhere: undefined, hurried: undefined };
  watch(place, baseURL);
  return place;
}

async function take(options: TabOptions): Promise<Place> {
  const { scripts = true, at = service().baseUrl, bypassCSP = false } = options;
  const kind = JSON.stringify([at, scripts, bypassCSP]);
  const found = free.findIndex((place) => place.kind === kind);
  return found === -1 ? newPlace(kind, at, options) : (free.splice(found, 1)[0] as Place);
}

/** Leaves nothing of a test in its place. */
async function giveBack(place: Place): Promise<void> {
  const { context, page } = place;
  place.note = () => undefined;
  if (page.isClosed()) return context.close();
  await place.hurried?.dispose();
  place.hurried = undefined;
  for (const event of ["dialog", "console", "request", "response"] as const) page.removeAllListeners(event);
  await Promise.all([context.setOffline(false), context.clearPermissions(), page.unrouteAll()]);
  const others = context.pages().filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  // What the test has sent may be answered only now, by a page that would come in between.
  await page.goto(BLANK).catch(() => page.goto(BLANK));
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await Promise.all([context.clearCookies(), page.emulateMedia({ media: null, colorScheme: null })]);
  await page.setViewportSize(DESKTOP);
  free.push(place);
}

/** Opens tabs for the tests of a file; after each of them, no page may have done what none may do. */
export function useBrowser() {
  const places: Place[] = [];
  const kept: Place[] = [];
  const problems: string[] = [];

  afterEach(async () => {
    await Promise.all(places.splice(0).map(giveBack));
    expect(problems.splice(0).join("\n")).toBe("");
  });

  afterAll(() => Promise.all(kept.map(giveBack)));

  return {
    /** A tab of somebody else's browser: it shares no cookies with others. It shows a page of the service without scripts. */
    async open(options: TabOptions = {}): Promise<Page> {
      const place = await take(options);
      const { context, page } = place;
      (options.kept ? kept : places).push(place);
      place.elsewhere = options.elsewhere;
      place.note = (problem) => void (options.mayFail?.test(problem) || problems.push(problem));
      if (options.signedIn) await context.addCookies(inject("session"));
      if (options.hurried) place.hurried = await context.addInitScript(hurry);
      if (!options.rich) await page.evaluate(chooseSource);
      return page;
    },
  };
}

/** Runs in each page: the pauses before what is written is saved, or tried again, are a tenth of theirs. */
function hurry(): void {
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, ms = 0) => wait(run, ms % 2000 === 0 ? ms / 10 : ms)) as typeof setTimeout;
}

/** Runs in a page: chooses the mode as a press of the editor's button "Markdown" does. */
const chooseSource = (): void => localStorage.setItem("edgepress-editor", "source");

function watch(place: Place, origin: string): void {
  const { context } = place;
  const note = (problem: string) => place.note(problem);
  context.on("request", (request) => {
    const isAllowed = [origin, place.elsewhere].some((each) => request.url().startsWith(`${each}/`));
    if (!isAllowed && !request.url().startsWith("data:")) note(`a request to another host: ${request.url()}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 500) note(`${response.status()} ${response.url()}`);
  });
  context.on("requestfailed", (request) => {
    if (!isReplaced(request)) note(`a request failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  context.on("weberror", (error) => note(`an exception: ${error.error().stack}`));
  // Violations of the content security policy are among them.
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !isRefusal(message) && !isFailure(message)) {
      note(`in the browser's console: ${message.text()} (${message.location().url})`);
    }
  });
}

/** A page that is left while it loads. */
const isReplaced = (request: Request): boolean => request.failure()?.errorText === "net::ERR_ABORTED";

/** What `response` has noted. */
const isFailure = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: the server responded with a status of 5\d\d/.test(message.text());

/** A refusal ("forbidden", "not found") is a failure to the browser, not to us: of a page, or of saving by itself. */
const isRefusal = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()) &&
  (message.location().url === message.page()?.url() || message.location().url.endsWith("/autosave"));

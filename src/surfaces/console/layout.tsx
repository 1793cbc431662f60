/** The layout of every page: the frame (frame.tsx), notice and content. */
import { html } from "hono/html";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import type { StatusCode } from "hono/utils/http-status";
import { ICON } from "../../lib/icon.ts";
import type { ConsoleContext } from "./env.ts";
import { Header, Places } from "./frame.tsx";
import { NOTICES } from "./notices.ts";
import { VisitContext, makeVisit, type Visit } from "./visit.ts";

/** The HTTP status of a page. Undefined means 200. */
export type Status = StatusCode | undefined;

/** Returns a response with a complete page. `title` is the title of the window and the page's first heading. */
export const page = (c: ConsoleContext, title: string, body: Child, status?: Status): Promise<Response> =>
  renderPageWithScript(c, { title, status, script: undefined }, body);

export async function renderPageWithScript(
  c: ConsoleContext,
  { title, status = 200, script }: { title: string; status: Status; script: "media" | undefined },
  body: Child,
): Promise<Response> {
  const frame = (
    <Frame visit={makeVisit(c)} title={title} script={script}>
      {body}
    </Frame>
  );
  c.status(status);
  // JSX cannot express the doctype.
  return c.html(html`<!doctype html>${frame}`);
}

/** Returns a redirect (303) to a page of the console. `done` names the notice that the page shows (notices.ts). */
export function goTo(c: ConsoleContext, path: string, done?: keyof typeof NOTICES): Response {
  const mark = done === undefined ? "" : `${path.includes("?") ? "&" : "?"}done=${done}`;
  return c.redirect(`${path}${mark}`, 303);
}

type FrameProps = PropsWithChildren<{ visit: Visit; title: string; script: string | undefined }>;

const Frame: FC<FrameProps> = ({ visit, title, script, children }) => (
  <VisitContext.Provider value={visit}>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Edgepress`}</title>
        <link rel="icon" href={ICON} />
        <link rel="preload" href="/console/inter-latin.woff2" as="font" type="font/woff2" crossorigin="" />
        <link rel="stylesheet" href="/console/console.css" />
        <script type="module" src="/console/console.js"></script>
        {script !== undefined && <script type="module" src={`/console/${script}.js`}></script>}
      </head>
      <body class={visit.active ? "at-home" : visit.person ? undefined : "guest"}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header visit={visit} />
        {visit.active && <Places visit={visit} />}
        <main id="main" tabindex={-1}>
          <Notice done={visit.done} />
          <h1 dir="auto">{title}</h1>
          {children}
        </main>
      </body>
    </html>
  </VisitContext.Provider>
);

const Notice: FC<{ done: string | null }> = ({ done }) =>
  done !== null && Object.hasOwn(NOTICES, done) ? (
    <p class="alert good" role="status">
      {NOTICES[done as keyof typeof NOTICES]}
    </p>
  ) : (
    <></>
  );

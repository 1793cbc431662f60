/** The layout of every page: navigation, notice and content. */
import { html } from "hono/html";
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import type { StatusCode } from "hono/utils/http-status";
import { ICON } from "../lib/icon.ts";
import type { Grant } from "../domain/principal.ts";
import type { ConsoleContext } from "./env.ts";
import { Form } from "./forms.tsx";
import { NOTICES } from "./notices.ts";
import { VisitContext, visitOf, type Visit } from "./visit.ts";

/** The HTTP status of a page. Undefined means 200. */
export type Status = StatusCode | undefined;

/** Returns a response with a complete page. `title` is the title of the window and the page's first heading. */
export async function page(c: ConsoleContext, title: string, body: Child, status: StatusCode = 200): Promise<Response> {
  const frame = (
    <Frame visit={visitOf(c)} title={title}>
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

/** The main navigation. A member sees the links that their role has the grants for. */
const PLACES: readonly { path: string; name: string; grant: Grant }[] = [
  { path: "/console", name: "Overview", grant: "articles:read" },
  { path: "/console/articles", name: "Articles", grant: "articles:read" },
  { path: "/console/calendar", name: "Calendar", grant: "articles:read" },
  { path: "/console/topics", name: "Ideas", grant: "topics:read" },
  { path: "/console/blogs", name: "Blogs", grant: "blogs:read" },
  { path: "/console/keys", name: "Keys", grant: "operator" },
  { path: "/console/webhooks", name: "Webhooks", grant: "operator" },
  { path: "/console/members", name: "Members", grant: "operator" },
  { path: "/console/audit", name: "Audit log", grant: "operator" },
  { path: "/console/settings", name: "Settings", grant: "operator" },
];

const Frame: FC<PropsWithChildren<{ visit: Visit; title: string }>> = ({ visit, title, children }) => (
  <VisitContext.Provider value={visit}>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Edgepress`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href="/console/console.css" />
        <script type="module" src="/console/console.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Header visit={visit} />
        <main id="main" tabindex={-1}>
          <h1>{title}</h1>
          <Notice done={visit.done} />
          {children}
        </main>
      </body>
    </html>
  </VisitContext.Provider>
);

const Header: FC<{ visit: Visit }> = ({ visit }) => (
  <header class="site">
    <div class="bar">
      <a class="brand" href="/console">
        Edgepress
      </a>
      {visit.active && (
        <a class="place" href="/console/organizations" title="Your organizations">
          {visit.active.name}
        </a>
      )}
      {visit.person && (
        <nav class="person" aria-label="You" data-person={visit.person.id}>
          {!visit.production && <a href="/console/mail">Mail</a>}
          <a href="/console/account" aria-current={visit.path === "/console/account" ? "page" : undefined}>
            {visit.person.name}
          </a>
          <Form action="/console/sign-out" submit="Sign out" tone="quiet" inline />
        </nav>
      )}
    </div>
    {visit.active && (
      <nav class="places" aria-label="Console">
        {PLACES.filter(({ grant }) => visit.grants.has(grant)).map(({ path, name }) => (
          <a href={path} aria-current={isHere(visit.path, path) ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
    )}
  </header>
);

const isHere = (path: string, place: string): boolean =>
  place === "/console" ? path === place : path === place || path.startsWith(`${place}/`);

const Notice: FC<{ done: string | null }> = ({ done }) =>
  done !== null && Object.hasOwn(NOTICES, done) ? (
    <p class="alert good" role="status">
      {NOTICES[done as keyof typeof NOTICES]}
    </p>
  ) : (
    <></>
  );

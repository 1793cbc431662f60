/**
 * Shows an article to whoever has a link to its preview, without an account. The token is part of the path, so no log, no
 * error and no link on the page contains the path.
 */
import type { Child } from "hono/jsx";
import { ERRORS, type DomainError } from "../../errors.ts";
import type { Arrival } from "../../request/arrival.ts";
import { findBaseUrl } from "../../request/base-url.ts";
import { openPreview } from "../../request/previews.ts";
import { forPeople } from "../forms.tsx";
import { answerOtherMethods, acceptsJson, problem, readerApp, readerPage, type ReaderContext } from "./page.tsx";
import { titleOf } from "../articles/found.ts";
import { Reading } from "../articles/reading.tsx";
import { Time, Utc } from "../time.tsx";

// Pages of sites may read them, too: what counts is that they have the token.
const app = readerApp({ images: ["https:", "data:"], forms: "'none'", takesRequestsOfSites: false }, failed);

app.get("/previews/:token", async (c) => {
  const render = !acceptsJson(c);
  const { article, expirationTime, tags, authors, isChanged } = await openPreview(c.env.arrival, c.req.raw, {
    token: c.req.param("token"),
    render,
  });
  if (!render) return c.json(article);
  return page(
    c,
    titleOf(article),
    <>
      <p class="about">
        <span>
          Preview of {isChanged ? "unpublished changes of " : ""}
          {article.published ? "a published article" : "a draft"}
        </span>
        <span>
          this link ends <Time at={expirationTime} />
          <Utc />
        </span>
        {authors.length > 0 && <span>by {authors.join(", ")}</span>}
        {tags.length > 0 && <span>tags: {tags.join(", ")}</span>}
      </p>
      <Reading article={article} origin={findBaseUrl(c.env.arrival)} />
    </>,
  );
});

answerOtherMethods(app, "/previews/:token", ["GET", "HEAD"]);

/** Returns the response to a request for /previews or a path below it. */
export const handle = (request: Request, arrival: Arrival): Response | Promise<Response> =>
  app.fetch(request, { arrival });

function failed(c: ReaderContext, error: DomainError): Response | Promise<Response> {
  return problem(c, error, acceptsJson(c)) ?? page(c, ERRORS[error.code].title, <p>{forPeople(error).message}</p>);
}

const page = (c: ReaderContext, title: string, body: Child) => readerPage(c, { title, kind: "Preview" }, body);

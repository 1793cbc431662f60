/** The console: HTML pages for people. The server renders them, and they work without JavaScript. */
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { secureHeaders } from "hono/secure-headers";
import type { Arrival } from "../request/arrival.ts";
import { getBaseUrl } from "../request/base-url.ts";
import { DomainError, ERRORS, refusalHeaders } from "../../domain/errors.ts";
import { toUnexpectedError } from "../request/unexpected.ts";
import { account } from "./account/account.tsx";
import { organizations } from "./account/organizations.tsx";
import { calendar } from "./calendar.tsx";
import { consent } from "./apps/consent.tsx";
import { approvals } from "./articles/approvals.tsx";
import { articles } from "./articles/articles.tsx";
import { audit } from "./audit/audit.tsx";
import { blogs } from "./blogs.tsx";
import { deletedBlogs } from "./deleted-blogs.tsx";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { events } from "./events.tsx";
import { rewordForPeople } from "./forms.tsx";
import { generation } from "./generation/generation.tsx";
import { generations } from "./generation/list.tsx";
import { hosts } from "./hosts.tsx";
import { keys } from "./keys/keys.tsx";
import { page } from "./layout.tsx";
import { imports } from "./imports.tsx";
import { media } from "./media/media.tsx";
import { members } from "./members.tsx";
import { movedSlugs } from "./moved-slugs.tsx";
import { organizationExport } from "./export.tsx";
import { overview } from "./overview/overview.tsx";
import { toRefusalJson } from "./refusal-json.ts";
import { settings } from "./settings.tsx";
import { site } from "./site.tsx";
import { styleGuide } from "./style-guide.tsx";
import { toHttpStatus } from "./status.ts";
import { requireOrganization, requirePerson } from "./session.ts";
import { invitation } from "./sign-in/invitation.tsx";
import { localMail } from "./sign-in/mail.tsx";
import { oidc } from "./sign-in/oidc.ts";
import { password } from "./sign-in/password.tsx";
import { signIn } from "./sign-in/sign-in.tsx";
import { signUp } from "./sign-in/sign-up.tsx";
import { webhooks } from "./subscriptions/subscriptions.tsx";
import { makeTermPages } from "./terms/terms.tsx";
import { topics } from "./topics/list.tsx";
import { refreshes } from "./topics/refreshes.tsx";
import { sources } from "./topics/sources.tsx";
import { undo } from "./undo.tsx";
import { usage } from "./usage.tsx";
import { contacts } from "./contacts.tsx";
import { redirects } from "./redirects.tsx";
import { search } from "./search/search.tsx";
import { transfer } from "./transfer.tsx";

const app = new Hono<ConsoleEnv>().basePath("/console");

app.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      // The preview of an article shows the same images that its readers will see.
      imgSrc: ["'self'", "https:", "data:"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: "DENY",
    // A stricter policy makes browsers send forms without their origin. The CSRF check would then refuse the console's
    // own forms, because it cannot distinguish them from those of other sites.
    referrerPolicy: "same-origin",
  }),
);
app.use(async (c, next) => {
  await next();
  c.header("Cache-Control", "private, no-store");
});
app.use(async (c, next) => {
  const { authSecret } = c.env.arrival.settings;
  if (authSecret === "") throw new DomainError("not_ready", NO_SECRET);
  // Throws `not_ready` without a valid BASE_URL. Some pages need it, so refuse all of them before people sign in.
  getBaseUrl(c.env.arrival);
  return next();
});
app.use(csrf());

app.route("/", signIn);
app.route("/sign-up", signUp);
app.route("/", password);
app.route("/invitations", invitation);
app.route("/", oidc);
app.route("/mail", localMail);

app.use(requirePerson);
app.route("/account", account);
app.route("/organizations", organizations);
app.route("/authorize", consent);

app.use(requireOrganization);
app.route("/", overview);
// Before /articles, because its route /:id would match, too.
app.route("/articles/generate", generation);
app.route("/approvals", approvals);
app.route("/articles", articles);
app.route("/media", media);
app.route("/calendar", calendar);
app.route("/generations", generations);
// `topics` is the last of these, because its route /:id matches any name.
app.route("/topics/sources", sources);
app.route("/topics", refreshes);
app.route("/topics", topics);
app.route("/blogs", makeTermPages("tag"));
app.route("/blogs", makeTermPages("author"));
app.route("/blogs", movedSlugs);
app.route("/blogs", redirects);
app.route("/blogs", site);
app.route("/blogs", styleGuide);
app.route("/blogs", hosts);
app.route("/blogs", deletedBlogs);
app.route("/blogs", blogs);
app.route("/keys", keys);
app.route("/webhooks", webhooks);
app.route("/events", events);
app.route("/members", members);
app.route("/audit", audit);
app.route("/undo", undo);
app.route("/contacts", contacts);
app.route("/imports", imports);
app.route("/transfer", transfer);
app.route("/search", search);
app.route("/settings/export", organizationExport);
app.route("/settings", settings);
app.route("/usage", usage);

app.notFound((c) => renderError(c, new DomainError("not_found", "This page does not exist.")));
app.onError((error, c) => renderError(c, error));

/** Returns the response to a request for /console or a path below it. */
export const handle = (request: Request, arrival: Arrival): Response | Promise<Response> =>
  app.fetch(request, { arrival });

const NO_SECRET =
  "Accounts are not set up yet. Give the Worker a secret of 32 or more random characters with `npx wrangler secret put AUTH_SECRET`.";

function renderError(c: ConsoleContext, error: Error): Response | Promise<Response> {
  const problem = rewordForPeople(toDomainError(c, error));
  const status = toHttpStatus(problem);
  for (const [name, value] of Object.entries(refusalHeaders(problem))) c.header(name, value);
  if (c.req.header("Accept") === "application/json") return c.json(toRefusalJson(problem), status);
  const isSignedOut = problem.code === "credentials_missing";
  const isSuspended = problem.code === "organization_suspended";
  return page(
    c,
    isSignedOut ? "You are signed out" : ERRORS[problem.code].title,
    <>
      <p>{problem.message}</p>
      <p>
        {isSignedOut ? (
          <a class="button" href="/console/sign-in" target="_blank">
            Sign in in another tab
          </a>
        ) : (
          <a href={isSuspended ? "/console/organizations" : "/console"}>
            {isSuspended ? "Your organizations" : "Back to the console"}
          </a>
        )}
      </p>
    </>,
    status,
  );
}

function toDomainError(c: ConsoleContext, error: Error): DomainError {
  if (error instanceof DomainError) return error;
  // Hono's csrf() throws an error with status 403 for a form from another site.
  if ("status" in error && error.status === 403) return new DomainError("origin_forbidden", CROSS_SITE);
  const { requestId } = c.env.arrival;
  const problem = toUnexpectedError(requestId, error);
  return problem.code === "internal" ? new DomainError("internal", `${FAILED} Request ID: ${requestId}`) : problem;
}

const FAILED =
  "Something went wrong in the service. Check whether your change was saved, even in part, before you try again.";

const CROSS_SITE = "The form was refused, because it was not sent from the console.";

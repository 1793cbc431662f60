import type { Child, FC } from "hono/jsx";
import type { Grant } from "../../domain/principal.ts";
import type { Blog } from "./blogs.tsx";

type FirstStepsProps = { readonly blogs: readonly Blog[]; readonly grants: (grant: Grant) => boolean };

/** The first steps in an organization without articles. It links only to pages that the member's role allows. */
export const FirstSteps: FC<FirstStepsProps> = ({ blogs: [first], grants }) => (
  <section class="steps" aria-labelledby="steps">
    <h2 id="steps">First steps</h2>
    <ol>
      <Step done={first !== undefined}>
        {grants("blogs:write") ? <a href="/console/blogs/new">Create a blog</a> : "An owner or an admin creates a blog"}
        : it has a name, an address and its languages.
      </Step>
      <Step>
        {grants("articles:write") && first ? (
          <a href={`/console/articles/new?blog=${first._id}`}>Write an article</a>
        ) : (
          "Then write an article"
        )}{" "}
        and publish it; readers get it at once.
      </Step>
      {grants("operator") && (
        <>
          <Step>
            <a href="/console/keys/new">Make an API key</a> for your website, so that it can preview drafts, or publish.
          </Step>
          <Step>
            <a href="/console/webhooks/new">Subscribe a webhook</a> to be notified of every change, and{" "}
            <a href="/console/members">invite others</a>.
          </Step>
        </>
      )}
    </ol>
  </section>
);

const Step: FC<{ done?: boolean; children: Child }> = ({ done = false, children }) => (
  <li class={done ? "done" : undefined}>
    {children} {done && <span class="badge good">done</span>}
  </li>
);

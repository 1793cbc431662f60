import type { Child, FC } from "hono/jsx";
import type { Grant } from "../../../domain/principal.ts";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import type { Blog } from "../articles/found.ts";

type Site = z.infer<typeof registry.getSite.output>;

/** Which of the first steps are done. What the member may not see is undefined, and no step. */
type Steps = {
  readonly blogs: readonly Blog[];
  readonly hasArticle: boolean;
  readonly hasKey: boolean | undefined;
  readonly hasWebhook: boolean | undefined;
};

/** Whether no step is left. The step of the site is optional. */
export const isDone = ({ blogs, hasArticle, hasKey, hasWebhook }: Steps): boolean =>
  blogs.length > 0 && hasArticle && hasKey !== false && hasWebhook !== false;

type FirstStepsProps = {
  readonly steps: Steps;
  /** The site of the first blog, if there is one. */
  readonly site: Site | null;
  readonly grants: (grant: Grant) => boolean;
  /** Part of the key by which the browser remembers that the checklist was hidden. */
  readonly organizationId: string;
};

/**
 * The first steps in an organization, each ticked once it is done. It links only to pages that the member's role allows.
 * browser/console.ts lets people hide it.
 */
export const FirstSteps: FC<FirstStepsProps> = ({ steps, site, grants, organizationId }) => {
  const [first] = steps.blogs;
  return (
    <section class="steps" aria-labelledby="steps" data-hideable={`steps-${organizationId}`}>
      <h2 id="steps">Get started</h2>
      <ol>
        <Step done={first !== undefined}>
          {grants("blogs:write") ? (
            <a href="/console/blogs/new">Create a blog</a>
          ) : (
            "An owner or an admin creates a blog"
          )}
          with a name, a URL name and its languages.
        </Step>
        <Step done={steps.hasArticle}>
          <Writing blog={first} grants={grants} />
        </Step>
        {site !== null && grants("blogs:write") && (
          <Step done={site.lastEditTime !== null}>
            <a href={`/console/blogs/${site.blogId}/site`}>Customize its site</a>. Readers already find it at{" "}
            <a href={site.url}>its URL</a>.
          </Step>
        )}
        {steps.hasKey !== undefined && (
          <Step done={steps.hasKey}>
            <a href="/console/keys/new">Create an API key</a> for your website, to preview drafts or to publish.
          </Step>
        )}
        {steps.hasWebhook !== undefined && (
          <Step done={steps.hasWebhook}>
            <a href="/console/webhooks/new">Add a webhook</a> to be notified of every change, and{" "}
            <a href="/console/members">invite members</a>.
          </Step>
        )}
      </ol>
      <button type="button" class="quiet" data-hide hidden>
        Hide
      </button>
    </section>
  );
};

const Writing: FC<Pick<FirstStepsProps, "grants"> & { blog: Blog | undefined }> = ({ blog, grants }) => (
  <>
    {grants("articles:draft") && blog ? (
      <a href={`/console/articles/new?blog=${blog._id}`}>Write an article</a>
    ) : (
      "Write an article"
    )}
    {grants("articles:write") ? (
      <>
        {" "}
        and publish it. Readers see it immediately. Or <a href="/console/imports">import existing articles</a>.
      </>
    ) : (
      ". A writer publishes it."
    )}
  </>
);

const Step: FC<{ done: boolean; children: Child }> = ({ done, children }) => (
  <li class={done ? "done" : undefined}>
    {children} {done && <span class="badge good">Done</span>}
  </li>
);

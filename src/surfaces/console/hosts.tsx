/** The page of a blog's custom domains: their DNS records, and how to add, check and remove them. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { HOST_LENGTH } from "../../domain/hosts.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { registry } from "../../operations/registry.ts";
import { findBlog } from "./blogs.tsx";
import { ConfirmDelete } from "./confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "./env.ts";
import { onSubmit, Form, newForm, TextField, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { Secret } from "./secret.tsx";
import { can, perform } from "./session.ts";
import { InUtc, Time } from "./time.tsx";

type SiteHost = z.infer<typeof registry.listHosts.output>[number];

export const hosts = new Hono<ConsoleEnv>();

const toHostsPath = (blogId: string): string => `/console/blogs/${blogId}/site/hosts`;
const toHostPath = (blogId: string, host: string): string => `${toHostsPath(blogId)}/${encodeURIComponent(host)}`;

hosts.get("/:id/site/hosts", (c) => show(c, c.req.param("id"), { state: newForm() }));

onSubmit(hosts, "/:id/site/hosts", {
  again: (c, state, status) => show(c, param(c, "id"), { state }, status),
  async work(c, form) {
    const blogId = param(c, "id");
    const input = { blogId, host: form.text("host").trim() };
    await perform(c, registry.addHost, input, form);
    return goTo(c, toHostsPath(blogId), "host-added");
  },
});

onSubmit(hosts, "/:id/site/hosts/:host/check", {
  again: (c, { problem }, status) => show(c, param(c, "id"), { state: newForm(), problem }, status),
  async work(c, form) {
    const [blogId, host] = [param(c, "id"), param(c, "host")];
    try {
      const { value } = await perform(c, registry.checkHost, { blogId, host }, form);
      return goTo(c, toHostsPath(blogId), value.failure === null ? "host-verified" : "host-checked");
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== "dns_unavailable") throw error;
      return show(c, blogId, { state: newForm(), problem: error }, 502);
    }
  },
});

hosts.get("/:id/site/hosts/:host/remove", (c) => {
  const { id, host } = c.req.param();
  return confirmRemoval(c, { blogId: id, host });
});

onSubmit(hosts, "/:id/site/hosts/:host/remove", {
  again: (c, state, status) => confirmRemoval(c, { blogId: param(c, "id"), host: param(c, "host") }, state, status),
  async work(c, form) {
    const blogId = param(c, "id");
    const host = param(c, "host");
    await perform(c, registry.removeHost, { blogId, host }, form);
    return goTo(c, toHostsPath(blogId), "host-removed");
  },
});

async function confirmRemoval(
  c: ConsoleContext,
  { blogId, host }: { readonly blogId: string; readonly host: string },
  state?: FormState,
  status?: Status,
): Promise<Response> {
  const { value } = await perform(c, registry.listHosts, { blogId });
  if (!value.some((each) => each.host === host))
    throw new DomainError("not_found", "The blog does not have this custom domain.");
  return page(
    c,
    `Remove ${host}?`,
    <ConfirmDelete
      action={`${toHostPath(blogId, host)}/remove`}
      submit="Remove domain"
      keep={{ path: toHostsPath(blogId), text: "Cancel" }}
      state={state}
    >
      <p>
        {host} stops showing the blog within a minute. To add it again, you need a new TXT record. The blog’s other URLs
        keep working.
      </p>
    </ConfirmDelete>,
    status,
  );
}

/** `state` belongs to the form for a new domain. `problem` is why a check was refused. */
async function show(
  c: ConsoleContext,
  blogId: string,
  { state, problem }: { readonly state: FormState; readonly problem?: FormState["problem"] },
  status?: Status,
): Promise<Response> {
  const [{ blog }, { value: found }] = await Promise.all([
    findBlog(c, blogId),
    perform(c, registry.listHosts, { blogId }),
  ]);
  const mayWrite = can(c, "blogs:write");
  return page(
    c,
    `Custom domains of “${blog.name}”`,
    <>
      <p class="tabs">
        <a href={`/console/blogs/${blogId}/site`}>Site</a>
      </p>
      <p>
        Show the site at your own domain, such as journal.example.com. Add the domain here, and create its DNS records.
        Once it is verified, enter it with https:// as the <a href={`/console/blogs/${blogId}/site`}>site URL</a>, so
        that feeds and search engines use it. <InUtc />
      </p>
      {problem && (
        <p class="alert bad" role="alert">
          {problem.message}
        </p>
      )}
      {found.map((each) => (
        <Host of={each} mayWrite={mayWrite} />
      ))}
      {found.length === 0 && <p class="empty">No custom domains yet.</p>}
      {mayWrite && found.length < LIMITS.hosts && <New blogId={blogId} state={state} />}
    </>,
    status,
  );
}

const New: FC<{ blogId: string; state: FormState }> = ({ blogId, state }) => (
  <section aria-labelledby="new">
    <h2 id="new">New custom domain</h2>
    <Form action={toHostsPath(blogId)} state={state} submit="Add domain" labels={{ host: "Domain" }}>
      <TextField
        state={state}
        name="host"
        label="Domain"
        required
        maxlength={HOST_LENGTH}
        hint="Without https:// or a path. Next, you create two DNS records for it."
      />
    </Form>
  </section>
);

const STATES = {
  pending: { is: "Waiting for DNS", look: "badge" },
  verified: { is: "Verified", look: "badge good" },
  failing: { is: "DNS record missing", look: "badge bad" },
} as const;

const Host: FC<{ of: SiteHost; mayWrite: boolean }> = ({ of, mayWrite }) => {
  const { blogId, host, state, records, failure } = of;
  const { is, look } = STATES[state];
  return (
    <section class="card stack" aria-labelledby={`host-${host}`}>
      <h2 id={`host-${host}`}>
        {state === "pending" ? host : <a href={`https://${host}`}>{host}</a>} <span class={look}>{is}</span>
      </h2>
      <Checked of={of} />
      {failure && <Failure of={failure} />}
      {mayWrite && (
        <details open={state !== "verified"}>
          <summary>DNS records</summary>
          <div class="stack">
            {records.map(({ type, name, value }) => (
              <>
                <Secret id={`${type}-name-${host}`} label={`${type} record name`} value={name} />
                <Secret id={`${type}-value-${host}`} label={`${type} record value`} value={value} />
              </>
            ))}
            <p class="hint">
              The TXT record proves that the domain is yours. Do not remove it. The CNAME record directs readers here. A
              root domain, such as example.com, needs an ALIAS record or CNAME flattening instead.
            </p>
          </div>
        </details>
      )}
      {mayWrite && (
        <div class="row">
          <Form action={`${toHostPath(blogId, host)}/check`} submit="Check now" tone="quiet" inline />
          <a href={`${toHostPath(blogId, host)}/remove`} aria-label={`Remove ${host}`}>
            Remove
          </a>
        </div>
      )}
    </section>
  );
};

const Checked: FC<{ of: SiteHost }> = ({ of: { checkTime, nextCheckTime } }) => (
  <p class="hint">
    Last checked: <Time at={checkTime} />.{" "}
    {nextCheckTime === null ? (
      "It is no longer checked automatically. Check it once its record exists."
    ) : (
      <>
        Next check: <Time at={nextCheckTime} />.
      </>
    )}
  </p>
);

const Failure: FC<{ of: NonNullable<SiteHost["failure"]> }> = ({ of: { since, reason, found } }) => (
  <div class="alert warn">
    <p>{describeFailure(reason, found.length > 0)}</p>
    {found.length > 0 && (
      <ul>
        {found.map((text) => (
          <li>
            <code>{text}</code>
          </li>
        ))}
      </ul>
    )}
    <p class="hint">
      Since <Time at={since} />.
    </p>
  </div>
);

function describeFailure(reason: NonNullable<SiteHost["failure"]>["reason"], hasFound: boolean): string {
  if (reason === "host_taken") {
    return "Your TXT record was found, but so was the record of another blog, which this domain shows. Remove that record. Found:";
  }
  return hasFound
    ? "The TXT record has a different value. Found:"
    : "The TXT record was not found. A new record can take up to an hour to appear.";
}

import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import type { TopicSourceKind } from "../../../domain/topic-source.ts";
import type { Blog } from "../articles/found.ts";
import { BlogFilter } from "../articles/shared.tsx";
import { Form, newForm, SelectField, TextField, type FormState } from "../forms.tsx";
import { KINDS, SourceName } from "./kinds.tsx";
import { LookButton } from "./refreshes.tsx";
import { getKind } from "./source-form.ts";

const PATH = "/console/topics/sources";

type PageProps = {
  readonly blogs: readonly Blog[];
  readonly blog: Blog;
  readonly version: string;
  readonly state: FormState;
  readonly mayLook: boolean;
};

export const SourcesPage: FC<PageProps> = ({ blogs, blog, version, state, mayLook }) => {
  const isLate = state.problem?.code === "precondition_failed";
  return (
    <>
      {isLate && (
        <p class="alert warn" role="alert">
          <strong>Nothing was changed.</strong> The blog was saved since you opened this page, perhaps because the form
          was sent twice. Its current sources are below.
        </p>
      )}
      <form class="filters" method="get" action={PATH}>
        <BlogFilter blogs={blogs} blog={blog} />
        <button type="submit" class="quiet">
          Show
        </button>
        <a href={`/console/topics?blog=${blog._id}`}>Topic ideas</a>
      </form>
      <Sources blog={blog} version={version} />
      {mayLook && blog.topicSources.length > 0 && (
        <p>
          <LookButton blogId={blog._id} />
        </p>
      )}
      <Addition blog={blog} version={version} state={isLate ? { ...state, problem: null } : state} />
      <Rhythm blog={blog} version={version} />
    </>
  );
};

const Version: FC<{ version: string }> = ({ version }) => <input type="hidden" name="version" value={version} />;

const Sources: FC<{ blog: Blog; version: string }> = ({ blog, version }) =>
  blog.topicSources.length === 0 ? (
    <p class="empty">No sources yet. Add a feed or forum that readers of {blog.name} might follow.</p>
  ) : (
    <ul class="rows">
      {blog.topicSources.map((source, index) => (
        <li>
          <SourceName source={source} />
          <Form action={`${PATH}/remove?blog=${blog._id}`} inline>
            <Version version={version} />
            <input type="hidden" name="index" value={String(index)} />
            <button type="submit" class="quiet">
              Remove<span class="unseen">: {source.name}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  );

const Addition: FC<{ blog: Blog; version: string; state: FormState }> = ({ blog, version, state }) => {
  const kind = getKind(state);
  const labels = Object.fromEntries(KINDS[kind].members.map(({ name, label }) => [name, label]));
  return (
    <section aria-labelledby="add">
      <h2 id="add">Add a source</h2>
      {blog.topicSources.length >= LIMITS.topicSources ? (
        <p>A blog can have up to {LIMITS.topicSources} sources. Remove one to add another.</p>
      ) : (
        <>
          <Kinds blog={blog} chosen={kind} />
          <Form action={`${PATH}?blog=${blog._id}`} state={state} labels={labels}>
            <Version version={version} />
            <input type="hidden" name="kind" value={kind} />
            {KINDS[kind].members.map(({ name, label, hint, required = false }) => (
              <TextField
                state={state}
                name={name}
                label={label}
                hint={hint}
                type={name === "url" ? "url" : "text"}
                required={required}
                maxlength={LIMITS.url}
              />
            ))}
            <TextField
              state={state}
              name="name"
              label="Name"
              maxlength={LIMITS.name}
              hint="Leave blank to use the source’s own name."
            />
            <p class="hint">The source is read once to test it, which can take a few seconds.</p>
            <button type="submit" data-busy="Testing the source…">
              {" "}
              Add source
            </button>
          </Form>
        </>
      )}
    </section>
  );
};

const Kinds: FC<{ blog: Blog; chosen: TopicSourceKind }> = ({ blog, chosen }) => (
  <nav class="tabs" aria-label="Kinds of sources">
    {Object.entries(KINDS).map(([kind, { label }]) => (
      <a href={`${PATH}?blog=${blog._id}&kind=${kind}#add`} aria-current={kind === chosen ? "true" : undefined}>
        {label}
      </a>
    ))}
  </nav>
);

const Rhythm: FC<{ blog: Blog; version: string }> = ({ blog, version }) => (
  <section aria-labelledby="rhythm">
    <h2 id="rhythm">Schedule</h2>
    <Form action={`${PATH}/rhythm?blog=${blog._id}`} submit="Save">
      <Version version={version} />
      <SelectField
        state={newForm({ topicRefresh: blog.topicRefresh })}
        name="topicRefresh"
        label="Refresh"
        choices={[
          { value: "manual", label: "Manually" },
          { value: "daily", label: "Daily" },
        ]}
      />
    </Form>
  </section>
);

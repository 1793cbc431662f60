/** The page that shows the design system: its values, and each component in its states, in both schemes. */
import type { Child, FC } from "hono/jsx";
import { DomainError } from "../../domain/errors.ts";
import type { ConsoleContext } from "./env.ts";
import { Fact } from "./parts.tsx";
import { CheckField, Form, newForm, refusedForm, SelectField, TextArea, TextField } from "./forms.tsx";
import { Initials } from "./frame.tsx";
import { Icon } from "./icon.tsx";
import { ICONS, type IconName } from "./icons.ts";
import { page } from "./layout.tsx";
import { Secret } from "./secret.tsx";
import { ACTIONS, Table } from "./table.tsx";

export const showDesign = (c: ConsoleContext) =>
  page(
    c,
    "Design",
    <>
      <link rel="stylesheet" href="/console/design.css" />
      <p>
        The building blocks of the console. The values are in <code>styles/palette.css</code>, the components in{" "}
        <code>styles/console/</code>. Hover over a component or focus it with the Tab key to see those states.
      </p>
      <Values />
      <div class="schemes">
        <Samples scheme="light" />
        <Samples scheme="dark" />
      </div>
    </>,
  );

const COLOURS =
  "surface raised fill text muted line edge accent on-accent accent-fill focus good good-fill warn warn-fill bad on-bad bad-fill info info-fill";
const SIZES = [1, 2, 3, 4, 5, 6];
const SPACES = [1, 2, 3, 4, 5, 6, 7];
const RADII = ["s", "m", "l", "full"];

const Values: FC = () => (
  <>
    <Group id="type" name="Type">
      {SIZES.toReversed().map((size) => (
        <p class={`size-${size}`}>Size {size}: words for readers at the edge</p>
      ))}
      <p>
        Long texts have a measure of about 70 characters. <strong>Strong</strong>, <code>code</code>,{" "}
        <a href="#type">a link</a>, <span class="hint">a hint</span>.
      </p>
    </Group>
    <Group id="space" name="Space and radii">
      <ul class="scale">
        {SPACES.map((space) => (
          <li>
            <span class={`space-${space}`}></span> {space}
          </li>
        ))}
        {RADII.map((radius) => (
          <li>
            <span class={`radius-${radius}`}></span> {radius}
          </li>
        ))}
      </ul>
    </Group>
    <Group id="icons" name="Icons">
      <ul class="scale">
        {(Object.keys(ICONS) as IconName[]).map((name) => (
          <li>
            <Icon name={name} /> {name}
          </li>
        ))}
      </ul>
    </Group>
  </>
);

const Group: FC<{ id: string; name: string; children: Child }> = ({ id, name, children }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{name}</h2>
    {children}
  </section>
);

type Scheme = "light" | "dark";

const Samples: FC<{ scheme: Scheme }> = ({ scheme }) => (
  <div class={`scheme ${scheme}`}>
    <Group id={scheme} name={scheme === "light" ? "Light" : "Dark"}>
      <ul class="scale colours">
        {COLOURS.split(" ").map((name) => (
          <li>
            <svg aria-hidden="true">
              <rect width="100%" height="100%" rx="6" fill={`var(--${name})`} />
            </svg>{" "}
            {name}
          </li>
        ))}
      </ul>
    </Group>
    <Buttons />
    <Fields scheme={scheme} />
    <Messages />
    <Lists scheme={scheme} />
    <Places scheme={scheme} />
  </div>
);

const Buttons: FC = () => (
  <>
    <h3>Buttons</h3>
    <div class="actions">
      <button type="button">Publish</button>
      <button type="button" class="quiet">
        Preview
      </button>
      <button type="button" class="danger">
        Delete
      </button>
      <button type="button" class="bare">
        Undo
      </button>
      <a class="button" href="#type">
        <Icon name="add" />
        New article
      </a>
    </div>
    <div class="actions">
      <button type="button" disabled>
        Disabled
      </button>
      <button type="button" class="quiet" disabled>
        Disabled
      </button>
      <button type="button" class="small">
        Small
      </button>
      <button type="button" class="quiet small">
        Small
      </button>
      <button type="button" class="icon-button" aria-label="More">
        <Icon name="more" />
      </button>
      <Initials of="Demo owner" />
    </div>
  </>
);

const CHOICES = [
  { value: "read", label: "Read", hint: "See the articles" },
  { value: "write", label: "Write", hint: "Create and change articles" },
];

const Fields: FC<{ scheme: Scheme }> = ({ scheme }) => {
  const [name, broken, text, role, scopes] = ["name", "slug", "text", "role", "scopes"].map(
    (each) => `${scheme}-${each}`,
  ) as [string, string, string, string, string];
  const state = newForm({ [name]: "Field Notes", [scopes]: ["read"], [text]: "Written at the edge." });
  const errors = [{ path: broken, message: "Use lowercase letters, digits and hyphens." }];
  const refused = refusedForm({ [broken]: "Not a slug" }, new DomainError("invalid_request", "Invalid.", { errors }));
  return (
    <>
      <h3>Fields</h3>
      <Form action="#">
        <TextField state={state} name={name} label="A field" hint="With a hint." />
        <TextField state={refused} name={broken} label="A field with an error" />
        <SelectField state={state} name={role} label="A select" choices={CHOICES} choose />
        <TextArea state={state} name={text} label="A text area" />
        <CheckField state={state} name={scopes} label="Checkboxes" choices={CHOICES} />
        <div class="field">
          <label for={`${scheme}-disabled`}>A disabled field</label>
          <input id={`${scheme}-disabled`} value="Not now" disabled />
        </div>
      </Form>
    </>
  );
};

const Messages: FC = () => (
  <>
    <h3>Messages and badges</h3>
    <p class="alert">
      Something to know. It has a link: <a href="#type">more</a>.
    </p>
    <p class="alert good">Saved.</p>
    <p class="alert warn">Somebody else has saved changes.</p>
    <p class="alert bad">The title is missing.</p>
    <p class="row">
      <span class="badge">Draft</span> <span class="badge good">Published</span>{" "}
      <span class="badge warn">Outdated</span> <span class="badge bad">Failed</span>{" "}
      <span class="badge info">Scheduled</span>
    </p>
    <p class="empty">No articles yet.</p>
    <progress max={100} value={40} aria-label="Progress"></progress>
    <meter min={0} max={100} high={80} optimum={0} value={90} aria-label="Almost used up">
      90 of 100
    </meter>
  </>
);

const ROWS = [
  { title: "Arriving by ferry", state: "Published", tone: "good", words: 812 },
  { title: "Keeping a walking notebook", state: "Draft", tone: "", words: 120 },
];

const Lists: FC<{ scheme: Scheme }> = ({ scheme }) => (
  <>
    <h3>Lists</h3>
    <Table
      label={`A table, ${scheme}`}
      rows={ROWS}
      columns={[
        { head: "Title", cell: ({ title }) => <a href="#type">{title}</a>, class: "title" },
        { head: "Status", cell: ({ state, tone }) => <span class={`badge ${tone}`}>{state}</span> },
        { head: "Words", cell: ({ words }) => words, class: "number" },
        {
          head: ACTIONS,
          cell: ({ title }) => (
            <a href="#type">
              Open<span class="unseen"> {title}</span>
            </a>
          ),
        },
      ]}
    />
    <nav class="pages" aria-label={`Pages, ${scheme}`}>
      <a class="button quiet small" href="#type">
        <Icon name="previous" />
        Newer
      </a>
      <a class="button quiet small" href="#type">
        Older
        <Icon name="next" />
      </a>
    </nav>
    <Rows />
  </>
);

const Rows: FC = () => (
  <>
    <ul class="rows">
      {ROWS.map(({ title, state, tone }) => (
        <li>
          <div>
            <a class="title" href="#type">
              {title}
            </a>
            <p class="hint">Field Notes · en</p>
          </div>
          <span class={`badge ${tone}`}>{state}</span>
        </li>
      ))}
    </ul>
    <ul class="cards">
      <li class="card">
        <strong>A card</strong>
        <p class="hint">With a hint.</p>
      </li>
    </ul>
  </>
);

const Places: FC<{ scheme: Scheme }> = ({ scheme }) => (
  <>
    <h3>Navigation</h3>
    <nav class="breadcrumb" aria-label={`Breadcrumb, ${scheme}`}>
      <a href="#type">Articles</a> / Arriving by ferry
    </nav>
    <nav class="tabs" aria-label={`Tabs, ${scheme}`}>
      <a href="#type" aria-current="page">
        All
      </a>
      <a href="#type">Drafts</a>
      <a href="#type">Published</a>
    </nav>
    <div class="menu">
      <a href="#type">
        <Icon name="person" />
        A menu item
      </a>
      <button type="button">
        <Icon name="leave" />
        Another one
      </button>
    </div>
    <dialog open aria-label={`A dialog, ${scheme}`}>
      <p>A dialog asks before something is lost.</p>
      <button type="button" class="danger">
        Delete
      </button>
    </dialog>
    <dl class="facts">
      <Fact name="A fact">and what it is</Fact>
    </dl>
    {/* Only once on the page, because its id is fixed. */}
    {scheme === "light" && <Secret label="A secret" value="epk_only-an-example" />}
  </>
);

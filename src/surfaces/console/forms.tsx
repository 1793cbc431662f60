/**
 * Forms and their fields. A refused form keeps what was entered, and shows each error at its field. Each has an
 * idempotency key, so that submitting it twice has the effect of once.
 */
import type { Hono } from "hono";
import { useContext, type Child, type FC, type PropsWithChildren } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { DomainError, getErrorKind, refusalHeaders, type FieldError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { Problem, rewordError, type Labels } from "./problem.tsx";
import { readForm } from "./read-form.ts";
import { toHttpStatus } from "./status.ts";
import type { FormValues, Submission } from "./submission.ts";
import { VisitContext } from "./visit.ts";

export type FormState = {
  readonly values: FormValues;
  readonly errors: readonly FieldError[];
  /** Why the last submission was refused. `errors` are its errors by field. */
  readonly problem: DomainError | null;
  readonly idempotencyKey: string;
};

/** Returns the state of a form that has not been submitted, with initial values and a new key. */
export const newForm = (values: FormValues = {}): FormState => ({
  values,
  errors: [],
  problem: null,
  idempotencyKey: newId(),
});

/** Returns the state of a refused form: the entered values, the errors, and a new key for the next submission. */
export const refusedForm = (values: FormValues, problem: DomainError): FormState => ({
  ...newForm(values),
  errors: problem.details.errors ?? [],
  problem: rewordForPeople(problem),
});

/**
 * Returns the refusal in words for people: if the table of errors has a sentence for its code, the sentence replaces
 * the message and the errors by field. A refusal that is `worded` already stays as it is.
 */
export function rewordForPeople(problem: DomainError): DomainError {
  const { sentence } = getErrorKind(problem.code);
  if (sentence === undefined || problem.details.worded) return problem;
  const { errors: _, ...details } = problem.details;
  return new DomainError(problem.code, sentence, details);
}

/**
 * Returns the response of `work`. If `work` throws a refusal with a status below 500, returns the form again, with the
 * entered values. Rethrows other errors.
 */
export async function attempt(
  submission: Submission,
  again: (state: FormState, status: ContentfulStatusCode) => Response | Promise<Response>,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || toHttpStatus(error) >= 500) throw error;
    const response = await again(refusedForm(submission.values, error), toHttpStatus(error));
    for (const [name, value] of Object.entries(refusalHeaders(error))) response.headers.set(name, value);
    return response;
  }
}

type Submitting = {
  /** Throws if the person may not send the form. The response is then the page of that error. */
  readonly first?: (c: ConsoleContext) => void;
  readonly again: (
    c: ConsoleContext,
    state: FormState,
    status: ContentfulStatusCode,
    form: Submission,
  ) => Response | Promise<Response>;
  readonly work: (c: ConsoleContext, form: Submission) => Response | Promise<Response>;
  /** The most bytes of the form, if not `LIMITS.formBytes`. */
  readonly mostBytes?: number;
};

/** Handles forms that are posted to `path`, as {@link attempt} does. */
export function onSubmit(pages: Hono<ConsoleEnv>, path: string, { first, again, work, mostBytes }: Submitting): void {
  pages.post(path, async (c) => {
    first?.(c);
    const form = await readForm(c, mostBytes);
    return attempt(
      form,
      (state, status) => again(c, state, status, form),
      async () => work(c, form),
    );
  });
}

type FormProps = PropsWithChildren<{
  readonly action: string;
  readonly state?: FormState | undefined;
  /** The text of the submit button. Without it, the children contain the buttons. */
  readonly submit?: string;
  /** Names the item for screen readers, where each item of a list has such a form. */
  readonly about?: string;
  readonly tone?: "danger" | "quiet";
  readonly inline?: boolean;
  readonly wide?: boolean;
  /** Sends a file. Only some paths accept files (read-form.ts). */
  readonly files?: boolean;
  /**
   * Makes the browser ask before the page is left with unsaved input: "unchanged" only after a change, "changed"
   * always, because the form already contains unsaved input.
   */
  readonly guard?: "unchanged" | "changed";
  /** Labels for the list of errors, where they differ from those of other forms (problem.tsx). */
  readonly labels?: Labels;
  /**
   * Leaves all checks to the service. For forms with fields that can be hidden: the browser does not send a form with
   * an invalid field, but cannot show a hidden one.
   */
  readonly novalidate?: boolean;
}>;

/**
 * A form with its idempotency key, its organization and its person in hidden fields. `requireOrganization` compares the
 * organization, so that the form cannot change another one after a switch in another tab. `requirePerson` compares the
 * person, so that the form is not sent in the name of somebody who has signed in since.
 */
export const Form: FC<FormProps> = ({ action, state, submit, tone, inline, wide, files, guard, labels, ...rest }) => {
  const { novalidate, about, children } = rest;
  const { active, person } = useContext(VisitContext);
  return (
    <form
      method="post"
      action={action}
      class={inline ? "inline" : wide ? "stack wide" : "stack"}
      enctype={files ? "multipart/form-data" : undefined}
      data-guard={guard}
      novalidate={novalidate}
    >
      {active && <input type="hidden" name="_organization" value={active.organizationId} />}
      {person && <input type="hidden" name="_person" value={person.id} />}
      <input type="hidden" name="_key" value={state?.idempotencyKey ?? newId()} />
      {state?.problem && <Problem problem={state.problem} labels={labels} />}
      {children}
      {submit && (
        <button type="submit" class={tone}>
          {submit}
          {about && <span class="unseen">: {about}</span>}
        </button>
      )}
    </form>
  );
};

type FieldProps = {
  readonly state: FormState;
  /** The name of the field, also in the operation's input and its errors. */
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
};

type InputProps = FieldProps & {
  readonly type?: "text" | "email" | "password" | "url" | "date" | "datetime-local";
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly maxlength?: number;
  readonly readonly?: boolean;
  /** For texts in any language: the browser detects the direction. */
  readonly dir?: "auto";
  /** The id of a datalist from which the browser completes. */
  readonly list?: string;
  /** The script replaces the value by the time zone of the browser. */
  readonly "data-zone"?: "browser" | undefined;
};

/** A single-line input with its label, hint and errors. Never shows the value of a password again. */
export const TextField: FC<InputProps> = ({ state, name, label, hint, type = "text", ...rest }) => (
  <Field state={state} name={name} label={label} hint={hint}>
    {(described) => (
      <input
        id={name}
        name={name}
        type={type}
        {...described}
        {...rest}
        value={type === "password" ? "" : getValue(state, name)}
      />
    )}
  </Field>
);

type TextAreaProps = FieldProps & {
  readonly rows?: number;
  readonly placeholder?: string;
  readonly maxlength?: number;
  readonly mono?: boolean;
  readonly dir?: "auto";
  /** The script makes it a rich editor, which searches for articles in the blog. */
  readonly "data-editor"?: boolean;
  readonly "data-blog"?: string | undefined;
};

export const TextArea: FC<TextAreaProps> = ({ state, name, label, hint, rows = 3, mono, ...rest }) => (
  <Field state={state} name={name} label={label} hint={hint}>
    {(described) => (
      <textarea id={name} name={name} rows={rows} class={mono ? "mono" : undefined} {...described} {...rest}>
        {/* HTML ignores a line break at the start of a textarea, so add one for it to ignore. */}
        {`\n${getValue(state, name)}`}
      </textarea>
    )}
  </Field>
);

export type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

/** Returns the options that choose one of several things by name, such as blogs. */
export const toChoices = (things: readonly { readonly _id: string; readonly name: string }[]): Choice[] =>
  things.map(({ _id, name }) => ({ value: _id, label: name }));

type SelectProps = FieldProps & {
  readonly choices: readonly Choice[];
  /** Puts an empty choice first, and requires another one. */
  readonly choose?: boolean;
};

export const SelectField: FC<SelectProps> = ({ choices, choose, ...props }) => (
  <Field {...props}>
    {(described) => (
      <select id={props.name} name={props.name} required={choose} {...described}>
        {choose && <option value="">Choose…</option>}
        {choices.map(({ value, label }) => (
          <option value={value} selected={value === getValue(props.state, props.name)}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export const CheckField: FC<FieldProps & { readonly choices: readonly Choice[] }> = ({ choices, ...props }) => {
  const { state, name, label, hint } = props;
  const chosen = new Set([state.values[name] ?? []].flat());
  const errors = listErrors(state, name);
  return (
    <fieldset class="field" aria-describedby={listDescriptionIds(name, hint, errors)}>
      <legend>{label}</legend>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {choices.map((choice) => (
        <label class="check">
          <input type="checkbox" name={name} value={choice.value} checked={chosen.has(choice.value)} />
          <span>
            {choice.label} {choice.hint && <small>{choice.hint}</small>}
          </span>
        </label>
      ))}
      <Errors name={name} errors={errors} />
    </fieldset>
  );
};

type Described = { readonly "aria-describedby"?: string | undefined; readonly "aria-invalid"?: "true" | undefined };

const Field: FC<FieldProps & { readonly children: (described: Described) => Child }> = ({
  state,
  name,
  label,
  hint,
  children,
}) => {
  const errors = listErrors(state, name);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children({
        "aria-describedby": listDescriptionIds(name, hint, errors),
        "aria-invalid": errors.length > 0 ? "true" : undefined,
      })}
      <Errors name={name} errors={errors} />
    </div>
  );
};

const Errors: FC<{ name: string; errors: readonly string[] }> = ({ name, errors }) =>
  errors.length === 0 ? (
    <></>
  ) : (
    <p class="error" id={`${name}-error`}>
      {errors.join("; ")}
    </p>
  );

const listDescriptionIds = (name: string, hint: Child, errors: readonly string[]): string | undefined =>
  [hint ? `${name}-hint` : "", errors.length > 0 ? `${name}-error` : ""].filter(Boolean).join(" ") || undefined;

/** Returns the distinct error messages of a field and of its parts, such as `locales.2` for `locales`. */
export function listErrors(state: FormState, name: string): string[] {
  const own = state.errors.filter(({ path }) => path === name || path.startsWith(`${name}.`));
  return [...new Set(own.map((error) => rewordError(error).message))];
}

/** Returns the first value of a field, or "" if it has none. */
export const getValue = (state: Pick<FormState, "values">, name: string): string =>
  [state.values[name] ?? ""].flat()[0] ?? "";

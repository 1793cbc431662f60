/** Forms: what was entered stays, what is wrong is said at its field, and a second click does nothing. */
import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { useContext } from "hono/jsx";
import { DomainError, ERRORS, kindOf, refusalHeaders, type FieldError } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import type { FormValues, Submission } from "./submission.ts";
import { VisitContext } from "./visit.ts";

/** A form as it is shown: with what was entered, and what was wrong with it. */
export type FormState = {
  readonly values: FormValues;
  readonly errors: readonly FieldError[];
  readonly problem: DomainError | null;
  /** Of the submission that this form will make. */
  readonly idempotencyKey: string;
};

/** A form that was not submitted yet. */
export const newForm = (values: FormValues = {}): FormState => ({
  values,
  errors: [],
  problem: null,
  idempotencyKey: newId(),
});

/** A form that was refused. */
export const refusedForm = (values: FormValues, problem: DomainError): FormState => ({
  ...newForm(values),
  errors: problem.details.errors ?? [],
  problem: forPeople(problem),
});

/** A refusal in words for people. */
export function forPeople(problem: DomainError): DomainError {
  const { sentence } = kindOf(problem.code);
  if (sentence === undefined) return problem;
  const { errors: _, ...details } = problem.details;
  return new DomainError(problem.code, sentence, details);
}

/**
 * Runs what a form asks for. A refusal shows the form again, with what was entered, by `again`; other
 * errors are thrown on.
 */
export async function attempt(
  submission: Submission,
  again: (state: FormState, status: RefusedStatus) => Response | Promise<Response>,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || ERRORS[error.code].status >= 500) throw error;
    const response = await again(refusedForm(submission.values, error), ERRORS[error.code].status as RefusedStatus);
    for (const [name, value] of Object.entries(refusalHeaders(error))) response.headers.set(name, value);
    return response;
  }
}

type RefusedStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 422 | 429;

type FormProps = PropsWithChildren<{
  readonly action: string;
  readonly state?: FormState;
  /** The text of its button; without it, the children bring the buttons. */
  readonly submit?: string;
  readonly tone?: "danger" | "quiet";
  readonly inline?: boolean;
  /** It takes the width of the page. */
  readonly wide?: boolean;
  /** Leaving the page asks first where something was entered, since the page came or before. */
  readonly guard?: "unchanged" | "changed";
}>;

/** A form. It says for which organization it is, so that a switch in another tab cannot misdirect it. */
export const Form: FC<FormProps> = ({ action, state, submit, tone, inline, wide, guard, children }) => {
  const { active } = useContext(VisitContext);
  return (
    <form method="post" action={action} class={inline ? "inline" : wide ? "stack wide" : "stack"} data-guard={guard}>
      {active && <input type="hidden" name="_organization" value={active.organizationId} />}
      <input type="hidden" name="_key" value={state?.idempotencyKey ?? newId()} />
      {state?.problem && <Problem problem={state.problem} />}
      {children}
      {submit && (
        <button type="submit" class={tone}>
          {submit}
        </button>
      )}
    </form>
  );
};

const Problem: FC<{ problem: DomainError }> = ({ problem }) => (
  <div class="alert bad" role="alert">
    <strong>{ERRORS[problem.code].title}.</strong> {problem.details.errors === undefined ? problem.message : ""}
    {problem.details.errors && (
      <ul>
        {problem.details.errors.map(({ path, message }) => (
          <li>{path === "" ? message : `${path}: ${message}`}</li>
        ))}
      </ul>
    )}
  </div>
);

type FieldProps = {
  readonly state: FormState;
  /** The member of the operation's input. */
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
};

type InputProps = FieldProps & {
  readonly type?: "text" | "email" | "password" | "url" | "date" | "datetime-local";
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly maxlength?: number;
  readonly readonly?: boolean;
};

/** One line of input with its label, hint and errors. */
export const TextField: FC<InputProps> = ({ state, name, label, hint, type = "text", ...rest }) => (
  <Field state={state} name={name} label={label} hint={hint}>
    {(described) => (
      <input
        id={name}
        name={name}
        type={type}
        {...described}
        {...rest}
        value={type === "password" ? "" : valueOf(state, name)}
      />
    )}
  </Field>
);

/** A text of several lines. */
export const TextArea: FC<FieldProps & { readonly rows?: number; readonly mono?: boolean }> = ({
  state,
  name,
  label,
  hint,
  rows = 3,
  mono,
}) => (
  <Field state={state} name={name} label={label} hint={hint}>
    {(described) => (
      <textarea id={name} name={name} rows={rows} class={mono ? "mono" : undefined} {...described}>
        {/* HTML drops the first line break of a textarea. */}
        {`\n${valueOf(state, name)}`}
      </textarea>
    )}
  </Field>
);

export type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

/** One of several. */
export const SelectField: FC<FieldProps & { readonly choices: readonly Choice[] }> = ({ choices, ...props }) => (
  <Field {...props}>
    {(described) => (
      <select id={props.name} name={props.name} {...described}>
        {choices.map(({ value, label }) => (
          <option value={value} selected={value === valueOf(props.state, props.name)}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** Any of several. */
export const CheckField: FC<FieldProps & { readonly choices: readonly Choice[] }> = ({ choices, ...props }) => {
  const { state, name, label, hint } = props;
  const chosen = new Set([state.values[name] ?? []].flat());
  const errors = errorsOf(state, name);
  return (
    <fieldset class="field" aria-describedby={describedBy(name, hint, errors)}>
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
  const errors = errorsOf(state, name);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children({
        "aria-describedby": describedBy(name, hint, errors),
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
      {errors.join(" ")}
    </p>
  );

const describedBy = (name: string, hint: Child, errors: readonly string[]): string | undefined =>
  [hint ? `${name}-hint` : "", errors.length > 0 ? `${name}-error` : ""].filter(Boolean).join(" ") || undefined;

/** What is wrong with a field or a part of it (`locales.2`). */
function errorsOf(state: FormState, name: string): string[] {
  const own = state.errors.filter(({ path }) => path === name || path.startsWith(`${name}.`));
  return [...new Set(own.map(({ message }) => message))];
}

/** What was entered in a field of one value. */
export const valueOf = (state: FormState, name: string): string => [state.values[name] ?? ""].flat()[0] ?? "";

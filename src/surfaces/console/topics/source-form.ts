/** The values and errors of the form that adds a source. */
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import type { TopicSourceKind } from "../../../domain/topic-source.ts";
import { getValue, type FormState } from "../forms.tsx";
import type { FormValues, Submission } from "../submission.ts";
import { isKind, KINDS } from "./kinds.tsx";

/** An unknown kind counts as "feed". */
export function getKind(state: FormState): TopicSourceKind {
  const kind = getValue(state, "kind");
  return isKind(kind) ? kind : "feed";
}

export function makeInitialValues(asked: string): FormValues {
  const kind = isKind(asked) ? asked : "feed";
  return { kind, ...Object.fromEntries(KINDS[kind].members.map(({ name, initial }) => [name, initial])) };
}

/** Returns the entered source, without validation: the operation validates its kind and fields. */
export function toSource(form: Submission): { readonly kind: string; readonly name: string } {
  const kind = form.text("kind");
  const names = isKind(kind) ? KINDS[kind].members.map(({ name }) => name) : [];
  const entered = Object.fromEntries(names.map((name) => [name, form.text(name).trim()]));
  const name = form.text("name").trim();
  return { kind, ...entered, ...(name !== "" && { name }) } as { kind: string; name: string };
}

/**
 * Returns the state with each error at its field. The operation's errors name the new source by its index in the list.
 */
export function explainErrors(state: FormState, index: number): FormState {
  const place = `topicSources.${index}`;
  const { members } = KINDS[getKind(state)];
  const main = (members.find(({ required }) => required) ?? members[0])?.name ?? "";
  const errors = state.errors.map(({ path, message }) => {
    if (path === place) return { path: main, message: message === "is a duplicate" ? TWICE : message };
    if (path === "topicSources") return { path: main, message: FULL };
    return { path: path.replace(`${place}.`, ""), message };
  });
  const { problem } = state;
  if (problem === null || errors.length === 0) return { ...state, errors };
  return { ...state, errors, problem: new DomainError(problem.code, problem.message, { errors }) };
}

const TWICE = "The blog already has this source.";
const FULL = `A blog can have up to ${LIMITS.topicSources} sources.`;

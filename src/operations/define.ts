/** An operation is what the service can do, as data and `run`; every surface offers the same ones. */
import type { z } from "zod";
import type { Anonymous, Grant, OrganizationPrincipal, Scope } from "../domain/principal.ts";
import type { Image, Models } from "../ai/model.ts";
import type { Step } from "../generation/brief.ts";
import type { TopicSource } from "../domain/topic-source.ts";
import type { Mail } from "../mail/mail.ts";
import type { TargetRules } from "../outbound/target.ts";
import type { GenerationQuota } from "../store/generation/generations.ts";
import type { OrganizationStore } from "../store/organization.ts";
import type { IfMatch } from "../store/core/preconditions.ts";
import type { PublishedStore } from "../store/articles/published.ts";
import type { Reading } from "../topics/item.ts";
import type { Research, ResearchBoard } from "../topics/research.ts";

/** What an operation answers. */
export type Result<T> = {
  readonly value: T;
  /** Changes whenever the value does; the ETag is made of it. */
  readonly version?: string | undefined;
  /** The write found nothing to change, and committed nothing: its answer is not stored for an Idempotency-Key yet. */
  readonly uncommitted?: true;
  /** The cursor of the next page, where more follow. */
  readonly next?: string | undefined;
  /** Set where everybody would get this answer: the tags by which caches may hold it. */
  readonly shared?: readonly string[] | undefined;
};

/** What reaches beyond the database, and may cost something; each part is loaded on its first use. */
export type Services = {
  readonly models: () => Promise<Models>;
  readonly quota: GenerationQuota;
  /** Stores a file of an organization. */
  readonly putFile: (name: { readonly id: string; readonly organizationId: string }, image: Image) => Promise<void>;
  /** Reads a source of topic ideas. */
  readonly readSource: (source: TopicSource) => Promise<Reading>;
  /** Counts a research against its caller's limit; throws `rate_limited`. */
  readonly limitResearch: (callerId: string) => Promise<void>;
  /** Counts an invitation against its organization's limit; throws `rate_limited`. */
  readonly limitInvitations: (organizationId: string) => Promise<void>;
  /** Reads sources of topic ideas now, and says what they come to; stores nothing. */
  readonly research: (sources: readonly TopicSource[], board: ResearchBoard) => Promise<Research>;
};

/** What a surface hands through to operations. */
export type SharedContext = {
  readonly published: PublishedStore;
  readonly targetRules: TargetRules;
  readonly now: Date;
  /** Where people reach the service, without a slash at the end. A function, as few operations need it. */
  readonly baseUrl: () => string;
  /** Sends a mail after the answer; best effort. */
  readonly sendMail: (mail: Mail) => void;
  /** Hands the sources of a refresh to the queue, after the answer; best effort. */
  readonly sendSources: (refreshId: string, count: number) => void;
  readonly ifMatch: IfMatch | undefined;
  /** Counts a search, or a comparison of structures, against its organization's limit; throws `rate_limited`. */
  readonly limitSearches: (organizationId: string) => Promise<void>;
  readonly limitComparisons: (organizationId: string) => Promise<void>;
  /** Tells a caller who listens how far the work is. */
  readonly tell: (step: Step) => void;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal | undefined;
};

type BaseContext = SharedContext & {
  /** Encrypts the stored form of an answer that shows a secret once. */
  readonly seal: (text: string) => Promise<string>;
};

/** The context of a caller of an organization. */
export type OrganizationContext = BaseContext & {
  readonly principal: OrganizationPrincipal;
  readonly store: OrganizationStore;
  /**
   * Opens what reaches beyond the database: for callers who are still authorized now that all of their input is
   * there, else it throws. To be asked for before anything else, as there may be no commit that would ask.
   */
  readonly services: () => Promise<Services>;
};

/** The context of an operation that anonymous callers may use too. */
export type AnyContext = OrganizationContext | (BaseContext & { readonly principal: Anonymous; readonly store: null });

type Definition<I extends z.ZodObject, O extends z.ZodType> = {
  /** `resource.verb`: the name in OpenAPI, in the audit log and in the registry. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly effect: "read" | "write" | "delete";
  readonly input: I;
  readonly output: O;
  /** The write heeds `If-Match`: what it changes has versions. */
  readonly versioned?: true;
  /** It may take minutes: a claim of its Idempotency-Key is renewed meanwhile, and a caller may follow its steps. */
  readonly lengthy?: true;
  /** The answer shows a secret once: it is stored for a replay in encrypted form only. */
  readonly showsSecret?: true;
};

/** For callers of an organization: with a scope, operators only, or (null) anyone with credentials. */
export type MemberOperation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Definition<I, O> & {
  readonly scope: Grant | null;
  readonly anonymous: false;
  run(context: OrganizationContext, input: z.infer<I>): Promise<Result<z.infer<O>>>;
};

/** For everybody. A caller with credentials needs the scope, if there is one. */
export type PublicOperation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Definition<I, O> & {
  readonly scope: Scope | null;
  readonly anonymous: true;
  run(context: AnyContext, input: z.infer<I>): Promise<Result<z.infer<O>>>;
};

export type Operation = MemberOperation | PublicOperation;

/** Defines an operation for callers of an organization. */
export function defineOperation<I extends z.ZodObject, O extends z.ZodType>(
  definition: Omit<MemberOperation<I, O>, "anonymous">,
): MemberOperation<I, O> {
  return { ...definition, anonymous: false };
}

/** Defines an operation that anonymous callers may use too. */
export function definePublicOperation<I extends z.ZodObject, O extends z.ZodType>(
  definition: Omit<PublicOperation<I, O>, "anonymous">,
): PublicOperation<I, O> {
  return { ...definition, anonymous: true };
}

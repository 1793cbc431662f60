/** Defines what an operation is: something that the service can do, as data and a function `run`. */
import type { RateName } from "../domain/rates.ts";
import type { z } from "zod";
import type { ErrorCode } from "../domain/errors.ts";
import type { Anonymous, Grant, OrganizationPrincipal, Scope } from "../domain/principal.ts";
import type { Image, Models, Usage } from "../ai/model.ts";
import type { ReadPicture } from "../background/media/read.ts";
import type { ImportName } from "../background/media/import-files.ts";
import type { SizeMessage } from "../background/media/size-queue.ts";
import type { ImportFile } from "../domain/imports.ts";
import type { UploadedFile } from "../domain/pictures.ts";
import type { Embed } from "../../packages/markdown/embeds.ts";
import type { Step } from "../ai/generation/brief.ts";
import type { Sample } from "../domain/sample.ts";
import type { TopicSource } from "../domain/topic-source.ts";
import type { IfMatch } from "../domain/preconditions.ts";
import type { Mail } from "../background/mail/mail.ts";
import type { TxtAnswer } from "../outbound/dns.ts";
import type { TargetRules } from "../outbound/target.ts";
import type { GenerationQuota } from "../store/generation/generations.ts";
import type { OrganizationStore } from "../store/organization.ts";
import type { MovedTo } from "../store/articles/moved.ts";
import type { DueArticle } from "../store/articles/system-due.ts";
import type { PublishedStore } from "../store/articles/published.ts";
import type { Reading } from "../background/topics/item.ts";
import type { Research, ResearchBoard } from "../background/topics/research.ts";

/** The result of an operation. */
export type Result<T> = {
  readonly value: T;
  /** A text that changes with each write to the value. The ETag is made of it. Undefined if there is none. */
  readonly version?: string | undefined;
  /** A text for what changes in the value without a new version. Part of the ETag; an `If-Match` ignores it. */
  readonly state?: string | undefined;
  /** The write had nothing to change, so there was no commit that stored the response for its Idempotency-Key. */
  readonly uncommitted?: true;
  /** The cursor of the next page. Undefined on the last page. */
  readonly next?: string | undefined;
  /** Where the article is, if it was found by a slug that it had before. */
  readonly movedTo?: MovedTo | undefined;
  /** The cache tags of a response that is the same for all anonymous callers. Undefined if it must not be shared. */
  readonly shared?: readonly string[] | undefined;
};

/** Services outside the database, some of which cost money. Each module is loaded on first use. */
export type Services = {
  readonly models: () => Promise<Models>;
  /** How many generations an organization may begin. */
  readonly quota: GenerationQuota;
  /** Returns what tokens of a model cost in millionths of a US dollar; null if the settings have no price. */
  readonly microdollarsOf: (model: string, usage: Usage) => number | null;
  /** Stores a file of an organization in R2. */
  readonly putFile: (
    name: { readonly id: string; readonly organizationId: string },
    image: { readonly bytes: Image["bytes"]; readonly mediaType: string },
  ) => Promise<void>;
  /** Stores the file of an import in R2 as it arrives, and returns its bytes. Throws `body_too_large`. */
  readonly putImport: (name: ImportName, file: ImportFile) => Promise<number>;
  /** Removes the file of an import from R2, and what was read of it. */
  readonly removeImport: (name: ImportName) => Promise<void>;
  /** Reads an uploaded picture, without what is not the picture. Throws an error about the file. */
  readonly readPicture: (file: UploadedFile) => Promise<ReadPicture>;
  /** Fetches a picture from an address. Throws `picture_unreachable` and `body_too_large`. */
  readonly fetchPicture: (url: string) => Promise<UploadedFile>;
  /** Asks a provider for the title and the picture of what it shows. Throws `picture_unreachable`. */
  readonly fetchEmbed: (embed: Embed) => Promise<{ readonly title: string; readonly picture: string }>;
  /** Reads a source of topic ideas. */
  readonly readSource: (source: TopicSource) => Promise<Reading>;
  /** Asks DNS for the TXT records of a name. */
  readonly readTxt: (name: string) => Promise<TxtAnswer>;
  /** Reads sources of topic ideas and returns the ideas in them. Stores nothing. */
  readonly research: (sources: readonly TopicSource[], board: ResearchBoard) => Promise<Research>;
};

/** What happens after the response. Failures are only logged, because a sweep does it later; but a mail is gone. */
export type Later = {
  readonly mail: Mail;
  /** The sources of a refresh are read. */
  readonly sources: { readonly refreshId: string; readonly count: number };
  /** A deletion that cannot be undone any more is done. */
  readonly deletion: DueArticle;
  /** The smaller files of an upload are made. */
  readonly sizes: SizeMessage;
  /** The next part of an import is done. */
  readonly import: { readonly importId: string };
  /** The edge is purged of what a write without an event asked for. */
  readonly purge: object;
};

/** What the service is, for all calls. */
export type Service = {
  /** Returns the public origin of the service, without a slash at the end. Throws `not_ready` if it is not configured. */
  readonly baseUrl: () => string;
  /** The domain below which each blog has a host; "" for none. */
  readonly siteDomain: string;
  readonly targetRules: TargetRules;
  /** Returns the address where a contact unsubscribes; null if the service does not know its own, or cannot sign. */
  readonly leavingLinkOf: (contact: { readonly _id: string; readonly blogId: string }) => Promise<string | null>;
};

/** The part of the context that does not depend on the kind of caller. */
export type SharedContext = {
  /** Reads published articles and blogs of all organizations. */
  readonly published: PublishedStore;
  readonly service: Service;
  /** The versions that the caller expects. Undefined if it sent no `If-Match`. */
  readonly ifMatch: IfMatch | undefined;
  /** Counts a call of `id`, an organization or a caller, against a limit. Throws `rate_limited`. */
  readonly limit: (name: RateName, id: string) => Promise<void>;
  readonly later: <Task extends keyof Later>(task: Task, message: Later[Task]) => void;
  readonly progress: {
    /** Reports a step of the work to the caller. Does nothing if the caller does not follow the steps. */
    readonly tell: (step: Step) => void;
    /** Aborted when the caller closes the connection. */
    readonly signal: AbortSignal | undefined;
  };
};

type BaseContext = SharedContext & {
  /** Encrypts a response that contains a secret, so that it can be stored. Returns base64. */
  readonly seal: (text: string) => Promise<string>;
};

/** The context of a caller of an organization. */
export type OrganizationContext = BaseContext & {
  readonly principal: OrganizationPrincipal;
  readonly store: OrganizationStore;
  /**
   * Returns the services. Throws if the caller is no longer authorized: the input has arrived by now, and a sender can
   * delay it. Call this before anything else, because there may be no commit that checks it.
   */
  readonly services: () => Promise<Services>;
};

/** The context of an operation that anonymous callers may run too. */
export type AnyContext = OrganizationContext | (BaseContext & { readonly principal: Anonymous; readonly store: null });

type Definition<I extends z.ZodObject, O extends z.ZodType> = {
  /** `resource.verb`: the name in OpenAPI and in the fingerprint of idempotent calls. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly effect: "read" | "write" | "delete";
  readonly input: I;
  readonly output: O;
  /** The write supports `If-Match`, because what it changes has versions. */
  readonly versioned?: true;
  /**
   * It may take minutes. The claim of its Idempotency-Key is renewed while it runs, and a caller may follow its steps.
   */
  readonly lengthy?: true;
  /**
   * It makes several writes, each in a transaction of its own. So no single one stores the response for the
   * Idempotency-Key; the result must be `uncommitted`, which stores it at the end.
   */
  readonly writesMany?: true;
  /** It searches texts, which costs far more than other reads: anonymous callers have a limit of their own. */
  readonly searches?: true;
  /** The errors of its own, besides those that all of its kind share (surfaces/rest/openapi/responses.ts). */
  readonly refuses?: readonly ErrorCode[];
  /** The response has an ETag. */
  readonly hasEtag?: true;
  /** Examples of request bodies. If left out, the document has one example that is made from those of all fields. */
  readonly bodies?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** An example response. Needed if the examples of the single fields do not fit together. */
  readonly answer?: object;
  /** What the examples of the reference send. */
  readonly sample?: Sample;
  /**
   * What the audit log says of it; `*` stands for the thing. For operations that are noted under other names than their own:
   * by these names.
   */
  readonly audit?: string | Readonly<Record<string, string>>;
  /** The response contains a secret. It is stored only in encrypted form, for replays of the Idempotency-Key. */
  readonly showsSecret?: true;
};

/** An operation for callers of an organization. `scope` is the grant that they need; null: any credentials will do. */
export type MemberOperation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Definition<I, O> & {
  readonly scope: Grant | null;
  readonly anonymous: false;
  run(context: OrganizationContext, input: z.infer<I>): Promise<Result<z.infer<O>>>;
};

/** An operation for everybody. Callers with credentials need the scope, if there is one. */
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

/** Defines an operation that anonymous callers may run too. */
export function definePublicOperation<I extends z.ZodObject, O extends z.ZodType>(
  definition: Omit<PublicOperation<I, O>, "anonymous">,
): PublicOperation<I, O> {
  return { ...definition, anonymous: true };
}

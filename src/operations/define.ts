/** An operation is something that the service can do, as data and a function `run`. */
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
import type { GenerationQuota } from "../store/generation/limits.ts";
import type { Meter } from "../meter.ts";
import type { OrganizationStore } from "../store/organization.ts";
import type { MovedTo } from "../store/articles/moved.ts";
import type { DueArticle } from "../store/articles/system-due.ts";
import type { PublishedStore } from "../store/articles/published.ts";
import type { SourceReading } from "../background/sources/read.ts";
import type { Reading } from "../background/topics/item.ts";
import type { Research, ResearchBoard } from "../background/topics/research.ts";

export type Result<T> = {
  readonly value: T;
  /** Changes with each write to the value. The ETag is made of it. */
  readonly version?: string | undefined;
  /** Covers what changes without a new version. Part of the ETag; `If-Match` ignores it. */
  readonly state?: string | undefined;
  /** There was nothing to write, so no commit has stored the response for the Idempotency-Key. */
  readonly uncommitted?: true;
  /** The cursor of the next page. */
  readonly next?: string | undefined;
  /** Set if an article was found by a previous slug. */
  readonly movedTo?: MovedTo | undefined;
  /** The cache tags of a response that is the same for all anonymous callers. Undefined: do not share it. */
  readonly shared?: readonly string[] | undefined;
};

/** Services outside of the database, some of which cost money. Each module is loaded on first use. */
export type Services = {
  readonly models: () => Promise<Models>;
  readonly quota: GenerationQuota;
  /** Counts in the ledger what an organization uses. */
  readonly count: Meter["count"];
  /** Returns the cost of tokens in millionths of a US dollar; null if the settings have no price. */
  readonly asMicrodollars: (model: string, usage: Usage) => number | null;
  readonly putFile: (
    name: { readonly id: string; readonly organizationId: string },
    image: { readonly bytes: Image["bytes"]; readonly mediaType: string },
  ) => Promise<void>;
  /** Streams the file of an import to R2 and returns its size. Throws `body_too_large`. */
  readonly putImport: (name: ImportName, file: ImportFile) => Promise<number>;
  /** Removes the file of an import, and what was read of it, from R2. */
  readonly removeImport: (name: ImportName) => Promise<void>;
  /** Reads an uploaded image and removes its metadata. Throws an error about the file. */
  readonly readPicture: (file: UploadedFile) => Promise<ReadPicture>;
  /** Throws `picture_unreachable` and `body_too_large`. */
  readonly fetchPicture: (url: string) => Promise<UploadedFile>;
  /** Asks a provider for the title and image of an embed. Throws `picture_unreachable`. */
  readonly fetchEmbed: (embed: Embed) => Promise<{ readonly title: string; readonly picture: string }>;
  readonly readSource: (source: TopicSource) => Promise<Reading>;
  /** Reads pages, feeds and texts that an article is written from. */
  readonly readSources: (urls: readonly string[]) => Promise<SourceReading[]>;
  /** Returns a page of the organization's files. Throws `invalid_cursor`. */
  readonly listFiles: (
    organizationId: string,
    cursor: string | undefined,
  ) => Promise<{ readonly value: Record<string, unknown>[]; readonly next: string | undefined }>;
  /** Returns a part of a file of the organization; null if there is none. */
  readonly readFile: (
    organizationId: string,
    key: string,
    from: number,
  ) => Promise<{ readonly etag: string; readonly base64: string; readonly next: number | null } | null>;
  readonly readTxt: (name: string) => Promise<TxtAnswer>;
  /** Returns the ideas in some sources. Stores nothing. */
  readonly research: (sources: readonly TopicSource[], board: ResearchBoard) => Promise<Research>;
};

/** Work after the response. Failures are only logged: except for mails, a sweep repeats the work. */
export type Later = {
  readonly mail: Mail;
  /** Reads the sources of a refresh. */
  readonly sources: { readonly refreshId: string; readonly count: number; readonly organizationId: string };
  /** Completes a deletion that can no longer be undone. */
  readonly deletion: DueArticle;
  /** Makes the smaller files of an upload. */
  readonly sizes: SizeMessage;
  /** Does the next part of an import. */
  readonly import: { readonly importId: string; readonly organizationId: string };
  /** Runs a generation for which nobody waits. */
  readonly generation: { readonly generationId: string; readonly organizationId: string };
  /** Purges the edge after a write without an event. */
  readonly purge: object;
};

export type Service = {
  /** Returns the public origin, without a slash at the end. Throws `not_ready` if it is not configured. */
  readonly baseUrl: () => string;
  /** The parent domain of the hosts of blogs; "" for none. */
  readonly siteDomain: string;
  /** How many days events are kept. */
  readonly keptEventDays: number;
  readonly targetRules: TargetRules;
  /** Returns a contact's unsubscribe URL; null if the service has no BASE_URL or AUTH_SECRET. */
  readonly getUnsubscribeUrl: (contact: { readonly _id: string; readonly blogId: string }) => Promise<string | null>;
};

export type SharedContext = {
  /** Published articles and blogs of all organizations. */
  readonly published: PublishedStore;
  readonly service: Service;
  /** Undefined if the caller sent no `If-Match`. */
  readonly ifMatch: IfMatch | undefined;
  /** Counts a call against the limit of `id`, an organization or a caller. Throws `rate_limited`. */
  readonly limit: (name: RateName, id: string) => Promise<void>;
  readonly later: <Task extends keyof Later>(task: Task, message: Later[Task]) => void;
  readonly progress: {
    /** Reports a step to the caller, if the caller follows them. */
    readonly tell: (step: Step) => void;
    /** Aborted when the caller closes the connection. */
    readonly signal: AbortSignal | undefined;
  };
};

type BaseContext = SharedContext & {
  /** Encrypts a response with a secret, so that it can be stored. Returns base64. */
  readonly seal: (text: string) => Promise<string>;
};

export type OrganizationContext = BaseContext & {
  readonly principal: OrganizationPrincipal;
  readonly store: OrganizationStore;
  /**
   * Returns the services. Throws if the caller is no longer authorized, because a slow sender can delay the input. Call
   * it first: there may be no commit that checks this.
   */
  readonly services: () => Promise<Services>;
};

export type AnyContext = OrganizationContext | (BaseContext & { readonly principal: Anonymous; readonly store: null });

type Effect = "read" | "write" | "delete";

type Definition<I extends z.ZodObject, O extends z.ZodType> = {
  /** `resource.verb`: the name in OpenAPI, and in the fingerprint of idempotent calls. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly effect: Effect;
  /** What a call does, if that is less than its effect: then it goes on at a ceiling. */
  readonly effectOf?: (input: Readonly<Record<string, unknown>>) => Effect;
  /** A further scope that a call needs, if it does more than the scope of the operation allows. */
  readonly scopeOf?: (input: Readonly<Record<string, unknown>>) => Scope | null;
  readonly input: I;
  readonly output: O;
  /** Supports `If-Match`. */
  readonly versioned?: true;
  /** May take minutes. The claim of its Idempotency-Key is renewed while it runs, and callers can follow its steps. */
  readonly lengthy?: true;
  /** A call that follows its steps, and has no Idempotency-Key, gets one, which its first step names. */
  readonly makesKey?: true;
  /**
   * Makes several writes, each in its own transaction, so none of them can store the response for the Idempotency-Key.
   * The result must be `uncommitted`; the response is then stored at the end.
   */
  readonly writesMany?: true;
  /** May wait for what has not happened yet. It ends when the caller closes the connection. */
  readonly waits?: true;
  /** Searches texts. Anonymous callers have a separate limit, because it costs more than other reads. */
  readonly searches?: true;
  /** Its own errors, besides those that all operations have (surfaces/rest/openapi/responses.ts). */
  readonly refuses?: readonly ErrorCode[];
  readonly hasEtag?: true;
  /** Examples of request bodies; by default one, made from the examples of all fields. */
  readonly bodies?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** An example response, if the examples of the fields do not fit together. */
  readonly answer?: object;
  readonly sample?: Sample;
  /** The text in the audit log; `*` stands for the thing. By action, if the operation is logged under other names. */
  readonly audit?: string | Readonly<Record<string, string>>;
  /** The response contains a secret and is stored only encrypted. */
  readonly showsSecret?: true;
};

/** `scope` is the grant that callers need; null: any credentials will do. */
export type MemberOperation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Definition<I, O> & {
  readonly scope: Grant | null;
  readonly anonymous: false;
  run(context: OrganizationContext, input: z.infer<I>): Promise<Result<z.infer<O>>>;
};

/** An operation that anonymous callers may run, too. Callers with credentials need the scope, if there is one. */
export type PublicOperation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Definition<I, O> & {
  readonly scope: Scope | null;
  readonly anonymous: true;
  run(context: AnyContext, input: z.infer<I>): Promise<Result<z.infer<O>>>;
};

export type Operation = MemberOperation | PublicOperation;

export function defineOperation<I extends z.ZodObject, O extends z.ZodType>(
  definition: Omit<MemberOperation<I, O>, "anonymous">,
): MemberOperation<I, O> {
  return { ...definition, anonymous: false };
}

export function definePublicOperation<I extends z.ZodObject, O extends z.ZodType>(
  definition: Omit<PublicOperation<I, O>, "anonymous">,
): PublicOperation<I, O> {
  return { ...definition, anonymous: true };
}

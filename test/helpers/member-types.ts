/** The type of each input field. */

export type MemberType = "string" | "boolean" | "integer" | "texts" | "objects";

/** By the tables of contract 4.1, 5.1 and 11.1. Written by hand, so that a schema that accepts more fails a test. */
const TYPES: Readonly<Record<string, MemberType>> = {
  _id: "string",
  accessTokenId: "string",
  action: "string",
  active: "boolean",
  apiKeyId: "string",
  deadLetterId: "string",
  articleId: "string",
  articleIds: "texts",
  blogId: "string",
  content: "string",
  coverImage: "boolean",
  coverUrl: "string",
  creationTime: "string",
  cursor: "string",
  deactivationTime: "string",
  description: "string",
  email: "string",
  events: "texts",
  expirationTime: "string",
  failureStreak: "integer",
  fields: "texts",
  idOrSlug: "string",
  inlineImages: "boolean",
  instructions: "string",
  invitationId: "string",
  keywords: "texts",
  lastEditTime: "string",
  limit: "integer",
  locale: "string",
  locales: "texts",
  memberId: "string",
  name: "string",
  organization: "string",
  overwrite: "boolean",
  published: "boolean",
  publishTime: "string",
  query: "string",
  sort: "string",
  refreshId: "string",
  revision: "string",
  role: "string",
  scopes: "texts",
  secret: "string",
  skip: "integer",
  slug: "string",
  sources: "objects",
  state: "string",
  status: "string",
  structure: "boolean",
  title: "string",
  tone: "string",
  topic: "string",
  topicId: "string",
  topicRefresh: "string",
  topicSources: "objects",
  url: "string",
  vanityId: "string",
  webhookSubscriptionId: "string",
  with: "string",
  words: "integer",
};

/** Returns the type of a field, which is the same in every input. Throws for an unknown field. */
export function typeOf(member: string): MemberType {
  const type = TYPES[member];
  if (type === undefined) throw new Error(`${member} is new: say in TYPES what type it has`);
  return type;
}

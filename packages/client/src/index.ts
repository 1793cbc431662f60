/** `@edgepress/client`: the typed client of Edgepress. */
export { createClient, type Client } from "./client.ts";
export type {
  ArticleField,
  ArticlesGetQuery,
  ArticlesListQuery,
  ArticlesSearchQuery,
  AuthorsListQuery,
  BlogsSearchQuery,
  ItemOf,
  ListRoute,
  Picked,
  TagsListQuery,
} from "./client.ts";
export { etagOf } from "./transport.ts";
export type {
  AnswerOf,
  ApiAnswer,
  ApiRequest,
  CallOptions,
  ClientOptions,
  InputOf,
  Query,
  Route,
  WriteOptions,
} from "./transport.ts";
export { EdgepressError, type ClientCode, type ErrorCode } from "./errors.ts";
export { memoryCache, type CachedResponse, type ResponseCache } from "./cache.ts";
export { verifyWebhook, type VerifyOptions } from "./webhooks.ts";
export type { List, Page } from "./lists.ts";
export type * from "./api.ts";

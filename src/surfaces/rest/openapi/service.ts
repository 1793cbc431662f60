/** The paths of the OpenAPI document that are not operations: health, the document itself, and files. */
import * as z from "zod";
import { MEDIA_TYPES } from "../../../domain/pictures.ts";
import {
  CACHING,
  describeHeaders,
  IF_NONE_MATCH,
  describeNotModified,
  describeRefusals,
  type Components,
  type PathConfig,
} from "./responses.ts";

const health = z
  .looseObject({
    status: z.literal("ok"),
    schema: z.string().meta({ description: "The latest migration of the database.", example: "0043_release_1" }),
  })
  .meta({ id: "Health" });

export function describeServicePaths(components: Components): PathConfig[] {
  const common = { method: "get" as const, tags: ["Service"], security: [{}] };
  return [
    {
      ...common,
      path: "/healthz",
      operationId: "service.health",
      summary: "Whether the service is ready",
      description: "Whether the database answers, with this schema, and what waits.",
      responses: {
        200: {
          description: "Ready.",
          headers: describeHeaders(CACHING),
          content: { "application/json": { schema: health } },
        },
        ...describeRefusals(["rate_limited", "internal", "not_ready"], components),
      },
    },
    {
      ...common,
      path: "/openapi.json",
      operationId: "service.openapi",
      summary: "This document",
      description: "OpenAPI 3.1.",
      responses: {
        200: {
          description: "The document.",
          headers: describeHeaders({ ...CACHING, ETag: "ETag" }),
          content: { "application/json": { schema: { type: "object" }, example: { openapi: "3.1.0" } } },
        },
        304: describeNotModified(components),
        ...describeRefusals(["internal"], components),
      },
    },
    { ...common, ...describeMediaPath(components) },
  ];
}

const file = z.string().meta({ format: "binary" });

/** The responses of /media/{id} have their own `Cache-Control` (contract 19.6). */
function describeMediaPath(components: Components) {
  const cached = { "Cache-Control": "FileCacheControl", ETag: "ETag" } as const;
  return {
    path: "/media/{id}",
    operationId: "service.media",
    summary: "The file of an image",
    description:
      "Everybody who knows the id gets the file, even while its article is a draft. The image of a generated article is deleted with it, unless a translation shows it.",
    request: {
      params: z.strictObject({
        id: z.string().meta({ description: "The id of the file.", example: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" }),
      }),
      query: z.strictObject({
        w: z.int().min(1).max(99_999).optional().meta({
          description:
            "For an upload: in at least this width, as WebP, if that is smaller. 320, 640, 960, 1280 or 1920.",
          example: 640,
        }),
        v: z.string().optional().meta({
          description:
            "For an upload: the version of the file, as in its `fileUrl`. Caches may then keep it for a year.",
          example: "9f86d081884c7d65",
        }),
      }),
      headers: z.object(IF_NONE_MATCH),
    },
    responses: {
      200: {
        description: "The file.",
        headers: describeHeaders(cached),
        content: Object.fromEntries(MEDIA_TYPES.map((type) => [type, { schema: file }])),
      },
      302: {
        description: "The organization of the image moved to another deployment, to which `Location` leads.",
        headers: describeHeaders({ Location: "Location" }),
      },
      304: { description: "Unchanged: `If-None-Match` names the file.", headers: describeHeaders(cached) },
      ...describeRefusals(["not_found", "rate_limited", "internal", "not_ready"], components),
    },
  };
}

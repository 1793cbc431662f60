/** Reads the Content-Type of requests and responses (RFC 9110, 8.3.1). */
import { parse } from "content-type";

/** Returns the media type, "" without one, and its parameters. Their names and the type are in lower case. */
export const contentTypeOf = (headers: Headers) => parse(headers.get("Content-Type") ?? "");

export const FORM_TYPE = "application/x-www-form-urlencoded";
/** A form that may hold files (RFC 7578). */
export const MULTIPART_TYPE = "multipart/form-data";

import { parse } from "content-type";

/** Returns the media type ("" if there is none) and its parameters, in lower case (RFC 9110, 8.3.1). */
export const parseContentType = (headers: Headers) => parse(headers.get("Content-Type") ?? "");

export const FORM_TYPE = "application/x-www-form-urlencoded";
export const MULTIPART_TYPE = "multipart/form-data";

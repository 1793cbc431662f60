import { v7, validate } from "uuid";

/** A new identifier: a UUIDv7 (RFC 9562), which sorts by its time of creation. */
export const newId = (): string => v7();

/** Whether a text has the shape of a UUID of any version. Slugs never do. */
export const isUuid = (text: string): boolean => UUID_SHAPE.test(text);

/** Whether a text is an identifier that this service could have issued. */
export const isId = (text: string): boolean => validate(text) && text === text.toLowerCase();

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

import type { z } from "zod";
import { DomainError } from "../../../domain/errors.ts";
import { wordFieldMessage } from "../../../operations/field-messages.ts";

/** Returns the value as parsed by the schema. Throws `invalid_request` with an error for each invalid field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value, { error: wordFieldMessage });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new DomainError("invalid_request", undefined, { errors });
}

import * as z from "zod";

/** What a model is told of a field, as JSON Schema, where that is less than what is accepted. */
export const TOLD = z.registry<{
  readonly type: string;
  readonly description?: string;
  readonly items?: object;
  readonly required?: readonly string[];
}>();

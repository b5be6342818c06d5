import type { TSchema } from 'typebox';

/** What the keys of one node type may be, in the words of the file. */
export interface NodeSchema {
  /** The word after `type =`. */
  readonly type: string;
  /** JSON Schema of the type's own keys in snake_case, without `id`, `type` and `retry`; `anyKeys`: none is declared. */
  readonly schema: TSchema;
  /** True: unknown keys are a warning, because files in circulation carry them. */
  readonly tolerant?: boolean;
}

import type { TSchema } from 'typebox';
import type { JsonObject } from '../types/json.ts';
import type { CheckedNode, NodeProblem } from '../types/node-problem.ts';

/** What the keys of one node type may be, in the words of the file. */
export interface NodeSchema<C = JsonObject> {
  /** The word after `type =`. */
  readonly type: string;
  /** JSON Schema of the type's own keys in snake_case, without `id`, `type` and `retry`; `anyKeys`: none is declared. */
  readonly schema: TSchema;
  /** True: unknown keys are a warning, because files in circulation carry them. */
  readonly tolerant?: boolean;
  /** What the schema cannot say of a node; its config has keys in camelCase, and fits the schema. */
  check?(config: C, node: CheckedNode): readonly NodeProblem[];
}

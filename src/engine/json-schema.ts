import type { NodeView } from '../plugin/node-type.ts';
import type { Json } from '../types/json.ts';
import { inspectJsonSchema } from '../schema/inspect-json-schema.ts';
import { linearPattern } from './linear-pattern.ts';

/**
 * Turns a JSON Schema into a function that lists a value's violations. Handed in by whoever compiles a plan, so that
 * a worker loads the validator only when a plan needs it.
 */
export type SchemaCompiler = NodeView['compileSchema'];

/** What keeps a JSON Schema from being enforced as it is written; []: nothing. Never throws. */
export function checkJsonSchema(schema: Json): readonly string[] {
  return inspectJsonSchema(schema, { pattern: linearPattern }).problems;
}

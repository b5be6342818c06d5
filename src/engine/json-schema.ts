import type { NodeView } from '../plugin/node-type.ts';

/**
 * Turns a JSON Schema into a function that lists a value's violations. Handed in by whoever compiles a plan, so that
 * a worker loads the validator only when a plan needs it.
 */
export type SchemaCompiler = NodeView['compileSchema'];

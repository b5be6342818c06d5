import { builtinNodeSchemas } from '../../src/engine/node-schemas.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';

/** The built-in node types. */
export const tinyRegistry = {
  nodeSchemas: builtinNodeSchemas,
  nodeTypeOf: (type: string) => builtinRegistry.nodes.get(type)?.nodeType,
};

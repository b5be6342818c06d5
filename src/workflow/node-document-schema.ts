import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import type { JsonObject } from '../types/json.ts';
import type { NodeSchema } from './node-schema.ts';
import { tableAt, textsAt } from './raw-data.ts';
import { text } from './schema-parts.ts';
import { retrySchema } from './workflow-schema.ts';

const id = text('Name of the node: edges, paths and expectations refer to it.');
const type = text('What the node does.');

/** What can be said of a node whose type is not known. */
export const untypedNodeSchema = Type.Object(
  { id, type, retry: Type.Optional(retrySchema) },
  { additionalProperties: true, description: 'A step of the workflow.' },
);

const composed = new WeakMap<NodeSchema, TSchema>();

/** The schema of a whole node: the keys every node has, and those of its type. Made once per type. */
export function nodeDocumentSchema(node: NodeSchema): TSchema {
  const hit = composed.get(node);
  if (hit !== undefined) return hit;
  const typeSchema = node.schema as JsonObject;
  const schema = {
    ...typeSchema,
    type: 'object',
    properties: {
      id,
      type: Type.Literal(node.type, { description: 'What the node does.' }),
      ...tableAt(typeSchema, 'properties'),
      retry: Type.Optional(retrySchema),
    },
    required: ['id', 'type', ...textsAt(typeSchema, 'required')],
    ...(node.tolerant === true ? { additionalProperties: true } : {}),
  };
  composed.set(node, schema);
  return schema;
}

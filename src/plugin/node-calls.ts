import type { WorkflowNode } from '../types/workflow.ts';
import type { NodeType, OutsideCall } from './node-type.ts';
import type { Port } from './request.ts';

/** Finds the node type that a word names; undefined: there is none. */
export type FindNodeType = (type: string) => NodeType | undefined;

const INSIDE: ReadonlySet<Port> = new Set(['model', 'children']);

/** The calls of the outside that a node makes; null: nobody knows them before it runs. */
export function nodeCalls({ type, config }: WorkflowNode, nodeTypeOf: FindNodeType): readonly OutsideCall[] | null {
  const nodeType = nodeTypeOf(type);
  if (nodeType === undefined) return null;
  if (nodeType.calls !== undefined) return nodeType.calls(config);
  return nodeType.needs(config).every((port) => INSIDE.has(port)) ? [] : null;
}

/** True: the node asks a model. */
export function asksModel({ type, config }: WorkflowNode, nodeTypeOf: FindNodeType): boolean {
  return nodeTypeOf(type)?.needs(config).includes('model') === true;
}

import { hintFor } from '../text/did-you-mean.ts';
import { isTable } from '../source/json-schema.ts';
import { snakeCase } from '../source/snake-case.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Json } from '../types/json.ts';
import type { Draft, DraftNode } from './draft.ts';
import type { NodeTypeOf } from './node-facts.ts';
import type { Report } from './report.ts';

/** Keys that are legal and mean nothing, and paths that lead nowhere. */
export function warnAboutNodes(draft: Draft, nodeTypeOf: NodeTypeOf, report: Report): void {
  const ids = draft.nodes.map((node) => node.id);
  const roots = new Set(['trigger', ...ids]);
  const typeOf = new Map(draft.nodes.map(({ id, type }) => [id, type]));
  for (const node of draft.nodes) {
    if (node.id === 'trigger') {
      report({
        code: 'reserved_node_id',
        severity: 'warning',
        message: 'A node named "trigger" hides the trigger from the nodes after it.',
        at: ['nodes', node.index, 'id'],
        hint: 'Give it another id.',
      });
    }
    if (node.retry !== null && nodeTypeOf(node.type)?.engineRun === true) {
      report({
        code: 'ignored_retry',
        severity: 'warning',
        message: `Node "${node.id}" (${node.type}) is never tried again; its retry is ignored.`,
        at: ['nodes', node.index, 'retry'],
        part: 'key',
        hint: 'Remove it; nodes inside a child workflow may have their own.',
      });
    }
    for (const { at, path } of contextPaths(node)) {
      const [root = '', key] = path.split('.', 2);
      if (roots.has(root)) {
        const type = typeOf.get(root);
        const keys = type === undefined ? undefined : nodeTypeOf(type)?.outputKeys;
        if (key === undefined || keys === undefined || keys.includes(key)) continue;
        report({
          code: 'unresolved_path',
          severity: 'warning',
          message: `Node "${node.id}" reads "${path}", but the output of "${root}" (${type}) never has "${key}".`,
          at,
          hint: () => hintFor(key, keys, 'keys'),
        });
        continue;
      }
      report({
        code: 'unresolved_path',
        severity: 'warning',
        message: `Node "${node.id}" reads "${path}", but there is no node "${root}".`,
        at,
        hint: () => hintFor(root, ['trigger', ...ids], 'nodes'),
      });
    }
  }
}

interface ContextPath {
  readonly at: Pointer;
  readonly path: string;
}

/** Every key that holds a context path: `expr`, and by convention whatever ends with `_from`. */
function contextPaths(node: DraftNode): readonly ContextPath[] {
  const found: ContextPath[] = [];
  const add = (at: Pointer, key: string, value: Json | undefined) => {
    if (typeof value === 'string') found.push({ at: [...at, key], path: value });
  };
  const at: Pointer = ['nodes', node.index];
  for (const [key, value] of Object.entries(node.config ?? {})) {
    if (key.endsWith('From')) add(at, snakeCase(key), value);
    else if (key === 'expr') add(at, key, value);
    else if (key === 'branches' && Array.isArray(value)) {
      value.forEach((branch: Json, position) => {
        if (isTable(branch)) add([...at, key, position], 'input_from', branch.inputFrom);
      });
    }
  }
  return found;
}

import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonArray } from '../../values/is-json.ts';
import { childRun, joinResults } from '../children.ts';
import { errorMove } from '../error-move.ts';
import { typeName } from '../label.ts';
import type { MapKeys } from '../../types/definitions/node-keys.ts';

const DEFAULT_CONCURRENT = 4;
const NOTHING_TO_RUN: Move = { kind: 'done', output: { results: [], ok: true } };

/** Runs a child workflow for each element of an array; the branch is `error` when any of them fails. */
export const map: NodeType<MapKeys> = {
  kind: 'node',
  type: 'map',
  summary: 'Runs a workflow for each element of an array.',
  capability: 'map',
  needs: () => ['children'],
  labels: () => ['error'],
  engineRun: true,
  children: ({ workflow, maxItems }) => [{ at: [], workflow, times: maxItems }],
  create: (config, { id }) => {
    const { itemsFrom, maxItems, maxConcurrent = DEFAULT_CONCURRENT } = config;
    return {
      reads: [{ from: 'path', path: itemsFrom }],
      begin: ([items]) => {
        const problem = itemsProblem(items, itemsFrom, maxItems);
        if (problem !== null) return errorMove('workflow', `map node \`${id}\`: ${problem}`);
        if (!isJsonArray(items) || items.length === 0) return NOTHING_TO_RUN;
        const runs = items.map((item) => childRun(config, item));
        const request = { port: 'children', runs, maxConcurrent: Math.max(1, maxConcurrent) } as const;
        return { kind: 'ask', request, state: null };
      },
      after: (_, reply) => joinResults(reply),
    };
  },
};

function itemsProblem(items: Json | undefined, path: string, maxItems: number): string | null {
  if (items === undefined) return `items_from \`${path}\` is not set in the execution context`;
  if (!isJsonArray(items)) return `items_from \`${path}\` resolved to ${withArticle(items)} — an array is required`;
  if (items.length <= maxItems) return null;
  return `${items.length} items exceed the declared max_items ${maxItems} — raise the bound or send fewer items`;
}

function withArticle(value: Json): string {
  switch (typeName(value)) {
    case 'null':
      return 'null';
    case 'bool':
      return 'a boolean';
    case 'object':
      return 'an object';
    case 'array':
      return 'an array';
    case 'number':
      return 'a number';
    case 'string':
      return 'a string';
  }
}

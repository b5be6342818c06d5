import { hintFor } from '../text/did-you-mean.ts';
import type { Draft } from './draft.ts';
import type { Report } from './report.ts';
import { groupBy } from '../values/group-by.ts';

/** Names that must be unique and names that must exist: nodes, start nodes, routes, triggers. */
export function checkNames(draft: Draft, report: Report): void {
  for (const [id, places] of repeated(draft.nodes, (node) => node.id)) {
    report({
      code: 'dup_node_id',
      message: `Node id "${id}" is used ${places.length} times.`,
      at: ['nodes', places[1]?.index ?? 0, 'id'],
      hint: 'Give each node an id of its own.',
    });
  }
  for (const [name, places] of repeated(draft.startNodes, (start) => start.name)) {
    report({
      code: 'dup_start_name',
      message: `Start node name "${name}" is used ${places.length} times.`,
      at: ['start_nodes', places[1]?.index ?? 0, 'name'],
      hint: 'Give each start node a name of its own.',
    });
  }
  const starts = draft.startNodes.map((start) => start.name);
  checkRoutes(draft, starts, report);
  for (const { index, startNode } of draft.triggers) {
    if (starts.includes(startNode)) continue;
    report({
      code: 'unknown_trigger_start_node',
      message: `This trigger runs start node "${startNode}", which is not declared.`,
      at: ['triggers', index, 'start_node'],
      hint: () => hintFor(startNode, starts, 'start nodes'),
    });
  }
  const ids = draft.nodes.map((node) => node.id);
  const idSet = new Set(ids);
  for (const { index, name, entryNode } of draft.startNodes) {
    if (entryNode === undefined || idSet.has(entryNode)) continue;
    report({
      code: 'unknown_start_entry_node',
      message: `Start node "${name}" begins at node "${entryNode}", which is not declared.`,
      at: ['start_nodes', index, 'entry_node'],
      hint: () => hintFor(entryNode, ids, 'nodes'),
    });
  }
}

function checkRoutes(draft: Draft, starts: readonly string[], report: Report): void {
  const seen = new Set<string>();
  for (const { index, method, path, startNode } of draft.routes) {
    const route = `${method.toUpperCase()} ${path}`;
    if (seen.has(route)) {
      report({
        code: 'dup_http_route',
        message: `HTTP route "${route}" is declared again.`,
        at: ['http_routes', index, 'path'],
        hint: 'Declare each method and path once.',
      });
    }
    seen.add(route);
    if (starts.includes(startNode)) continue;
    report({
      code: 'unknown_http_start_node',
      message: `HTTP route "${route}" runs start node "${startNode}", which is not declared.`,
      at: ['http_routes', index, 'start_node'],
      hint: () => hintFor(startNode, starts, 'start nodes'),
    });
  }
}

function repeated<T>(items: readonly T[], nameOf: (item: T) => string): readonly (readonly [string, readonly T[]])[] {
  return [...groupBy(items, nameOf)].filter(([, group]) => group.length > 1);
}

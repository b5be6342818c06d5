import type { Json, JsonObject } from '../types/json.ts';
import type { Draft, DraftEdge, DraftStart } from './draft.ts';
import { numberAt, tableAt, tablesAt, textAt } from './raw-data.ts';

/** A workflow's table as far as it can be read: parts that lack what they need are left out. */
export function readDraft(table: JsonObject, nodes: Draft['nodes']): Draft {
  const startNodes = readStarts(table);
  const edges = readEdges(table);
  const mcpServerTables = readServers(table);
  return {
    name: textAt(table, 'name') ?? '',
    startNodes,
    nodes,
    edges,
    routes: readRoutes(table),
    triggers: readTriggers(table),
    mcpServers: [...new Set(mcpServerTables.map(({ name }) => name))],
    mcpServerTables,
    backends: ['default', ...readBackends(table)],
    isComplete:
      startNodes.length === lengthOf(table.start_nodes) &&
      nodes.length === lengthOf(table.nodes) &&
      edges.length === lengthOf(table.edges),
  };
}

function readServers(table: JsonObject): Draft['mcpServerTables'] {
  return tablesAt(table, 'mcp_servers').flatMap(({ index, table: server }) => {
    const name = textAt(server, 'name');
    return name === undefined ? [] : [{ index, name, table: server }];
  });
}

function readBackends(table: JsonObject): readonly string[] {
  return tablesAt(tableAt(table, 'intelligence'), 'backends').flatMap(({ table: one }) => textAt(one, 'name') ?? []);
}

function readRoutes(table: JsonObject): Draft['routes'] {
  return tablesAt(table, 'http_routes').flatMap(({ index, table: route }) => {
    const method = textAt(route, 'method');
    const path = textAt(route, 'path');
    const startNode = textAt(route, 'start_node');
    if (method === undefined || path === undefined || startNode === undefined) return [];
    return [{ index, method, path, startNode }];
  });
}

function readTriggers(table: JsonObject): Draft['triggers'] {
  return tablesAt(table, 'triggers').flatMap(({ index, table: trigger }) => {
    const startNode = textAt(trigger, 'start_node');
    return startNode === undefined ? [] : [{ index, startNode }];
  });
}

function readStarts(table: JsonObject): readonly DraftStart[] {
  return tablesAt(table, 'start_nodes').flatMap(({ index, table: start }) => {
    const name = textAt(start, 'name');
    if (name === undefined) return [];
    const entryNode = textAt(start, 'entry_node');
    return [{ index, name, ...(entryNode !== undefined && { entryNode }) }];
  });
}

function readEdges(table: JsonObject): readonly DraftEdge[] {
  return tablesAt(table, 'edges').flatMap(({ index, table: edge }) => {
    const from = textAt(edge, 'from');
    const to = textAt(edge, 'to');
    if (from === undefined || to === undefined) return [];
    const when = textAt(edge, 'when');
    const maxIterations = numberAt(edge, 'max_iterations');
    return [
      { index, from, to, ...(when !== undefined && { when }), ...(maxIterations !== undefined && { maxIterations }) },
    ];
  });
}

function lengthOf(value: Json | undefined): number {
  if (value === undefined) return 0;
  return Array.isArray(value) ? value.length : Number.NaN;
}

import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { NO_ITEMS } from '../values/empty.ts';
import type { Draft, DraftEdge, DraftStart } from './draft.ts';
import { listAt, numberAt, tablesAt, textAt } from './raw-data.ts';

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
    mcpServers: mcpServerTables.length === 0 ? NO_ITEMS : [...new Set(mcpServerTables.map(({ name }) => name))],
    mcpServerTables,
    isComplete:
      startNodes.length === lengthOf(table.start_nodes) &&
      nodes.length === lengthOf(table.nodes) &&
      edges.length === lengthOf(table.edges),
  };
}

function readServers(table: JsonObject): Draft['mcpServerTables'] {
  if (table.mcp_servers === undefined) return NO_ITEMS;
  return tablesAt(table, 'mcp_servers').flatMap(({ index, table: server }) => {
    const name = textAt(server, 'name');
    return name === undefined ? [] : [{ index, name, table: server }];
  });
}

function readRoutes(table: JsonObject): Draft['routes'] {
  if (table.http_routes === undefined) return NO_ITEMS;
  return tablesAt(table, 'http_routes').flatMap(({ index, table: route }) => {
    const method = textAt(route, 'method');
    const path = textAt(route, 'path');
    const startNode = textAt(route, 'start_node');
    if (method === undefined || path === undefined || startNode === undefined) return [];
    return [{ index, method, path, startNode }];
  });
}

function readTriggers(table: JsonObject): Draft['triggers'] {
  if (table.triggers === undefined) return NO_ITEMS;
  return tablesAt(table, 'triggers').flatMap(({ index, table: trigger }) => {
    const startNode = textAt(trigger, 'start_node');
    return startNode === undefined ? [] : [{ index, startNode }];
  });
}

function readStarts(table: JsonObject): readonly DraftStart[] {
  const starts: DraftStart[] = [];
  const list = listAt(table, 'start_nodes');
  for (let index = 0; index < list.length; index++) {
    const start = list[index];
    if (!isTable(start)) continue;
    const name = textAt(start, 'name');
    if (name === undefined) continue;
    const entryNode = textAt(start, 'entry_node');
    starts.push(entryNode === undefined ? { index, name } : { index, name, entryNode });
  }
  return starts;
}

function readEdges(table: JsonObject): readonly DraftEdge[] {
  const edges: DraftEdge[] = [];
  const list = listAt(table, 'edges');
  for (let index = 0; index < list.length; index++) {
    const edge = list[index];
    if (!isTable(edge)) continue;
    const from = textAt(edge, 'from');
    const to = textAt(edge, 'to');
    if (from === undefined || to === undefined) continue;
    const when = textAt(edge, 'when');
    const maxIterations = numberAt(edge, 'max_iterations');
    if (maxIterations !== undefined)
      edges.push({ index, from, to, ...(when !== undefined && { when }), maxIterations });
    else edges.push(when === undefined ? { index, from, to } : { index, from, to, when });
  }
  return edges;
}

function lengthOf(value: Json | undefined): number {
  if (value === undefined) return 0;
  return Array.isArray(value) ? value.length : Number.NaN;
}

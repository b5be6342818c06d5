import type { Json, JsonObject } from '../types/json.ts';
import type { Draft, DraftEdge, DraftStart } from './draft.ts';
import { numberAt, tablesAt, textAt } from './raw-data.ts';

/** A workflow's table as far as it can be read: parts that lack what they need are left out. */
export function readDraft(table: JsonObject, nodes: Draft['nodes']): Draft {
  const startNodes = readStarts(table);
  const edges = readEdges(table);
  const servers = tablesAt(table, 'mcp_servers').flatMap(({ index, table: server }) => {
    const name = textAt(server, 'name');
    return name === undefined ? [] : [{ index, name, table: server }];
  });
  return {
    name: textAt(table, 'name') ?? '',
    startNodes,
    nodes,
    edges,
    routes: tablesAt(table, 'http_routes').flatMap(({ index, table: route }) => {
      const method = textAt(route, 'method');
      const path = textAt(route, 'path');
      const startNode = textAt(route, 'start_node');
      if (method === undefined || path === undefined || startNode === undefined) return [];
      return [{ index, method, path, startNode }];
    }),
    triggers: tablesAt(table, 'triggers').flatMap(({ index, table: trigger }) => {
      const startNode = textAt(trigger, 'start_node');
      return startNode === undefined ? [] : [{ index, startNode }];
    }),
    mcpServers: [...new Set(servers.map((server) => server.name))],
    mcpServerTables: servers,
    isComplete:
      startNodes.length === lengthOf(table.start_nodes) &&
      nodes.length === lengthOf(table.nodes) &&
      edges.length === lengthOf(table.edges),
  };
}

function readStarts(table: JsonObject): readonly DraftStart[] {
  const starts: DraftStart[] = [];
  for (const { index, table: start } of tablesAt(table, 'start_nodes')) {
    const name = textAt(start, 'name');
    if (name === undefined) continue;
    const entryNode = textAt(start, 'entry_node');
    starts.push(entryNode === undefined ? { index, name } : { index, name, entryNode });
  }
  return starts;
}

function readEdges(table: JsonObject): readonly DraftEdge[] {
  const edges: DraftEdge[] = [];
  for (const { index, table: edge } of tablesAt(table, 'edges')) {
    const from = textAt(edge, 'from');
    const to = textAt(edge, 'to');
    if (from === undefined || to === undefined) continue;
    const when = textAt(edge, 'when');
    const maxIterations = numberAt(edge, 'max_iterations');
    edges.push({
      index,
      from,
      to,
      ...(when === undefined ? {} : { when }),
      ...(maxIterations === undefined ? {} : { maxIterations }),
    });
  }
  return edges;
}

function lengthOf(value: Json | undefined): number {
  if (value === undefined) return 0;
  return Array.isArray(value) ? value.length : Number.NaN;
}

import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Approval, World, WorldFile } from '../types/scenarios/world.ts';
import { numberAt, tableAt, tablesAs, textAt, valueAt } from '../workflow/raw-data.ts';
import { mapValues } from './read-matches.ts';
import { readHttp, readMcp, readProcess } from './mocks/read-mocks.ts';

/** The world of a checked scenario, with every default filled in. */
export function readWorld(data: JsonObject): World {
  const world = tableAt(data, 'world');
  return {
    env: mapValues(tableAt(world, 'env'), (value) => (typeof value === 'string' ? value : '')),
    files: mapValues(tableAt(world, 'files'), readFile),
    http: tablesAs(world, 'http', readHttp),
    processes: tablesAs(world, 'processes', readProcess),
    mcp: tablesAs(world, 'mcp', readMcp),
    approvals: mapValues(tableAt(world, 'approvals'), readApproval),
  };
}

function readFile(value: Json): WorldFile {
  if (!isTable(value)) return { kind: 'file', content: typeof value === 'string' ? value : '' };
  const link = textAt(value, 'link');
  if (link !== undefined) return { kind: 'link', target: link };
  if (valueAt(value, 'dir') === true) return { kind: 'dir' };
  return { kind: 'file', content: textAt(value, 'content') ?? '' };
}

function readApproval(value: Json): Approval {
  const table = isTable(value) ? value : { decision: value };
  return {
    decision: textAt(table, 'decision') === 'pause' ? 'pause' : 'resume',
    afterMs: numberAt(table, 'after_ms') ?? 0,
  };
}

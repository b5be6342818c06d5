import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type {
  Approval,
  MockHttp,
  MockMcpServer,
  MockMcpTool,
  MockProcess,
  World,
  WorldFile,
} from '../types/scenario.ts';
import { jsonText } from '../values/json-text.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';

/** The world of a checked scenario, with every default filled in. */
export function readWorld(data: JsonObject): World {
  const world = tableAt(data, 'world');
  return {
    env: mapValues(tableAt(world, 'env'), (value) => (typeof value === 'string' ? value : '')),
    files: mapValues(tableAt(world, 'files'), readFile),
    http: tablesAt(world, 'http').map(({ table }) => readHttp(table)),
    processes: tablesAt(world, 'processes').map(({ table }) => readProcess(table)),
    mcp: tablesAt(world, 'mcp').map(({ table }) => readMcp(table)),
    approvals: mapValues(tableAt(world, 'approvals'), readApproval),
  };
}

/** The same keys with other values; keys are data of the author, never a prototype's. */
export function mapValues<T>(table: JsonObject, read: (value: Json) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, read(value)]));
}

function readFile(value: Json): WorldFile {
  if (!isTable(value)) return { kind: 'file', content: typeof value === 'string' ? value : '' };
  const link = textAt(value, 'link');
  if (link !== undefined) return { kind: 'link', target: link };
  if (valueAt(value, 'dir') === true) return { kind: 'dir' };
  return { kind: 'file', content: textAt(value, 'content') ?? '' };
}

function readHttp(mock: JsonObject): MockHttp {
  const body = valueAt(mock, 'body') ?? '';
  return {
    method: (textAt(mock, 'method') ?? '*').toUpperCase(),
    url: textAt(mock, 'url') ?? '',
    status: numberAt(mock, 'status') ?? 200,
    headers: mapValues(tableAt(mock, 'headers'), String),
    body: typeof body === 'string' ? body : jsonText(body),
    delayMs: numberAt(mock, 'delay_ms') ?? 0,
  };
}

function readProcess(mock: JsonObject): MockProcess {
  return {
    command: textAt(mock, 'command') ?? '',
    ...(valueAt(mock, 'args') === undefined ? {} : { args: textsAt(mock, 'args') }),
    exitCode: numberAt(mock, 'exit_code') ?? 0,
    stdout: textAt(mock, 'stdout') ?? '',
    stderr: textAt(mock, 'stderr') ?? '',
    delayMs: numberAt(mock, 'delay_ms') ?? 0,
  };
}

function readMcp(mock: JsonObject): MockMcpServer {
  return {
    name: textAt(mock, 'name') ?? '',
    tools: mapValues(tableAt(mock, 'tools'), (tool) => readTool(isTable(tool) ? tool : {})),
    resources: tableAt(mock, 'resources'),
  };
}

function readTool(tool: JsonObject): MockMcpTool {
  return {
    content: valueAt(tool, 'content') ?? null,
    structured: valueAt(tool, 'structured') ?? null,
    isError: valueAt(tool, 'is_error') === true,
    delayMs: numberAt(tool, 'delay_ms') ?? 0,
  };
}

function readApproval(value: Json): Approval {
  const table = isTable(value) ? value : { decision: value };
  return {
    decision: textAt(table, 'decision') === 'pause' ? 'pause' : 'resume',
    afterMs: numberAt(table, 'after_ms') ?? 0,
  };
}

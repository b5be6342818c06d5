import { basename, join } from 'node:path';
import { checkSchema } from '../source/check-schema.ts';
import { isTable } from '../source/json-schema.ts';
import { Type } from '../source/schema-type.ts';
import { readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { LoadedScenario, WorkflowSubject } from '../types/scenario.ts';
import { listAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import { count, flag, mapOf, oneOf, strictTable, text, texts } from '../workflow/schema-parts.ts';
import { type DocumentOptions, loadScenarioDocument } from './load-scenario.ts';
import type { RegistryView } from './registry-view.ts';

// A fixture of agentd is a folder: `workflow.toml`, and `fixture.toml` with what the workflow is given and must do.

const maybe = Type.Optional;

const fixtureSchema = strictTable(
  {
    start: text('Name of the start node.'),
    trigger: maybe(
      strictTable(
        {
          kind: maybe(oneOf(['manual', 'http', 'event'], 'What `trigger.kind` says; default `manual`.')),
          payload: maybe(Type.Unknown({ description: 'The input of the run; left out: an empty table.' })),
        },
        'What starts the run.',
      ),
    ),
    mocks: maybe(
      strictTable(
        {
          intel: maybe(texts('Answers of the model, in the order in which they are asked for.')),
          mcp_tools: maybe(
            mapOf(
              Type.Array(
                strictTable(
                  {
                    content: maybe(Type.Array(Type.Unknown(), { description: "The tool's content." })),
                    isError: maybe(flag('The tool says that it failed.')),
                    structuredContent: maybe(Type.Unknown({ description: "The tool's structured content." })),
                  },
                  'What a call of the tool gives.',
                ),
              ),
              'Results by tool, in the order of calls.',
            ),
          ),
          mcp_resources: maybe(
            mapOf(
              Type.Array(
                strictTable(
                  { contents: Type.Array(Type.Unknown(), { description: 'The contents.' }) },
                  'What a read gives.',
                ),
              ),
              'Contents by resource URI, in the order of reads.',
            ),
          ),
        },
        'What answers instead of models and MCP servers.',
      ),
    ),
    expected: maybe(
      strictTable(
        {
          status: maybe(text('How the run must end.')),
          last_node: maybe(text('The last node entered.')),
          reason_contains: maybe(text('Text that the reason must contain.')),
          path: maybe(texts('Nodes in visit order: the run must begin with them.')),
          path_exact: maybe(flag('The run must visit exactly `path`.')),
        },
        'What must hold after the run.',
      ),
    ),
    timeout_secs: maybe(count('Limit of the run in seconds; default 30.')),
    dry_run: maybe(flag('Ask and do nothing.')),
  },
  'A fixture of agentd.',
);

/** Loads `fixture.toml` and the `workflow.toml` beside it as one scenario, named by their folder. Throws nothing. */
export function loadFixture(
  document: SourceDocument,
  registry: RegistryView,
  options: DocumentOptions,
): LoadedScenario<WorkflowSubject> {
  const { source, data } = document;
  const name = basename(options.folder);
  const failed = (issues: readonly Issue[]): LoadedScenario<WorkflowSubject> => {
    return { ok: false, file: source.name, name, capabilities: [], trials: 1, issues };
  };
  const read = readSource(join(options.folder, 'workflow.toml'), options);
  const parsed = read.ok ? parseToml(read.source) : read;
  const issues = checkSchema(document, [], fixtureSchema);
  if (issues.length > 0 || !parsed.ok) return failed([...issues, ...(parsed.ok ? [] : parsed.issues)]);
  const workflow = openWorkflow(parsed.document);
  const scenario = { ...document, ...withPlaces(document), data: { name, ...scenarioData(data, serversOf(workflow)) } };
  return loadScenarioDocument(scenario, registry, { ...options, workflow });
}

/** What the fixture says, in the words of a scenario. */
function scenarioData(data: JsonObject, servers: readonly string[]): JsonObject {
  const mocks = tableAt(data, 'mocks');
  const trigger = tableAt(data, 'trigger');
  const copied = ['timeout_secs', 'dry_run', 'expected'].flatMap((key) => {
    const value = valueAt(data, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    ...Object.fromEntries(copied),
    workflow: { path: 'workflow.toml' },
    trigger: { ...trigger, start: textAt(data, 'start') ?? '', payload: valueAt(trigger, 'payload') ?? {} },
    intel: { turns: textsAt(mocks, 'intel').map((content) => ({ content })) },
    ...(hasMcp(data) && { world: { mcp: servers.map((name) => mcpMock(name, mocks)) } }),
  };
}

function hasMcp(data: JsonObject): boolean {
  const mocks = tableAt(data, 'mocks');
  return valueAt(mocks, 'mcp_tools') !== undefined || valueAt(mocks, 'mcp_resources') !== undefined;
}

/** Each call gets the next result; after the last one the server is gone. */
function mcpMock(name: string, mocks: JsonObject): JsonObject {
  const tools = Object.entries(tableAt(mocks, 'mcp_tools')).map(([tool, results]): [string, Json] => {
    const replies = tablesAt({ results }, 'results').map(({ table }) => ({
      content: valueAt(table, 'content') ?? [],
      is_error: valueAt(table, 'isError') === true,
      ...(valueAt(table, 'structuredContent') !== undefined && { structured: table.structuredContent ?? null }),
    }));
    return [tool, replies.length === 0 ? { error: 'down' } : { replies, after_last: 'error' }];
  });
  const reads = Object.entries(tableAt(mocks, 'mcp_resources')).map(([uri, results]) => {
    const replies = tablesAt({ results }, 'results').map(({ table }) => ({
      contents: valueAt(table, 'contents') ?? [],
    }));
    return replies.length === 0 ? { uri, error: 'down' } : { uri, replies, after_last: 'error' };
  });
  return { name, tools: Object.fromEntries(tools), reads };
}

/** The workflow as fixtures run it: nothing is forbidden, and where it declares no MCP server there is one, `default`. */
function openWorkflow(document: SourceDocument): SourceDocument {
  const { data } = document;
  const list = listAt(data, 'workflows');
  const [only] = list;
  if (!isTable(only)) return { ...document, data: openTable(data) };
  return { ...document, data: { ...data, workflows: [openTable(only), ...list.slice(1)] } };
}

function openTable({ policy: _, ...table }: JsonObject): JsonObject {
  const servers = tablesAt(table, 'mcp_servers').map(
    ({ table: { allow_tools: _tools, allow_resources: _uris, ...rest } }) => rest,
  );
  return { ...table, mcp_servers: servers.length > 0 ? servers : [{ name: 'default', command: ['fixture'] }] };
}

function serversOf({ data }: SourceDocument): readonly string[] {
  const table = tablesAt(data, 'workflows')[0]?.table ?? data;
  return tablesAt(table, 'mcp_servers').flatMap((server) => textAt(server.table, 'name') ?? []);
}

/** Places of a scenario's parts in the fixture. */
function withPlaces(document: SourceDocument): Pick<SourceDocument, 'locate' | 'range'> {
  return {
    locate: (pointer, part) => document.locate(placeOf(pointer), part),
    range: (pointer, part) => document.range(placeOf(pointer), part),
  };
}

function placeOf(pointer: Pointer): Pointer {
  const [first, second, third, fourth, ...rest] = pointer;
  if (first === 'trigger' && second === 'start') return ['start'];
  if (first === 'intel') return ['mocks', 'intel', ...(third === undefined ? [] : [third])];
  if (first !== 'world') return pointer;
  if (fourth === 'tools') return ['mocks', 'mcp_tools', ...rest.slice(0, 1)];
  return fourth === 'reads' ? ['mocks', 'mcp_resources'] : ['mocks'];
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSuite, runSuite, traceTrial } from '../../src/index.ts';
import { workflowIn } from '../support/as-workflow.ts';
import { sampled } from '../support/sampled.ts';

/** Folders with a workflow and a fixture each. */
function fixtures(folders: Readonly<Record<string, readonly [workflow: string, fixture: string]>>): string {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-fixtures-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, [workflow, fixture]] of Object.entries(folders)) {
    mkdirSync(path.join(cwd, name));
    writeFileSync(path.join(cwd, name, 'workflow.toml'), workflow);
    writeFileSync(path.join(cwd, name, 'fixture.toml'), fixture);
  }
  return cwd;
}

const ROUTES = `name = "routes"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }, { name = "late", source = "event", entry_node = "done" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "{{kind}}", output_schema = "inline" },
  { id = "route", type = "switch", expr = "ask.parsed.way" },
  { id = "done", type = "terminate" },
]
edges = [{ from = "ask", to = "route" }, { from = "route", to = "done", when = "left" }]
`;

const TOOLS = `name = "tools"
start_nodes = [{ name = "main", source = "manual", entry_node = "first" }]
nodes = [
  { id = "first", type = "call_mcp_tool", tool = "find" },
  { id = "second", type = "call_mcp_tool", tool = "find" },
  { id = "read", type = "read_mcp_resource", resource_from = "trigger.uri" },
  { id = "save", type = "write_file", path_from = "trigger.out", content_from = "first" },
]
edges = [{ from = "first", to = "second" }, { from = "second", when = "error", to = "read" }, { from = "read", to = "save" }]
[policy.fs]
write = []
`;

const MOCKS = `start = "main"
[trigger]
payload = { uri = "note:1", out = "/tmp/out" }
[[mocks.mcp_tools.find]]
content = [{ type = "text", text = "one" }]
structuredContent = { n = 1 }
[[mocks.mcp_tools.find]]
content = [{ type = "text", text = "gone" }]
isError = true
[mocks.mcp_resources]
"note:1" = [{ contents = [{ uri = "note:1", text = "hi" }] }]
[expected]
status = "completed"
path = ["first", "second", "read", "save"]
path_exact = true
`;

test('a folder of agentd fixtures runs as a suite: each is a scenario with the name of its folder', async () => {
  const cwd = fixtures({
    'routes-left': [ROUTES, 'start = "main"\n[mocks]\nintel = [\'{"way": "left"}\']\n[expected]\nlast_node = "done"\n'],
    'starts-late': [
      ROUTES,
      'start = "late"\n[trigger]\nkind = "event"\n[mocks]\nintel = ["unused"]\n[expected]\npath = ["done"]\n',
    ],
    tools: [TOOLS, MOCKS],
    'tools-of-a-server': [
      `${TOOLS}[[mcp_servers]]\nname = "shop"\ncommand = ["shop"]\nallow_tools = ["other"]\n`,
      MOCKS,
    ],
    wrapped: [
      `[[workflows]]\n${ROUTES}`,
      'start = "main"\n[mocks]\nintel = [\'{"way": "left"}\']\n[expected]\nstatus = "completed"\n',
    ],
    dry: [
      TOOLS,
      'start = "main"\ndry_run = true\n[trigger]\npayload = { uri = "note:1", out = "/tmp/out" }\n[expected]\npath = ["first", "second"]\n',
    ],
  });
  const report = await runSuite({ cwd, workers: 0 });
  expect(report.scenarios.map(sampled).map(({ name, file, verdict, checks }) => [name, file, verdict, checks])).toEqual(
    ['dry', 'routes-left', 'starts-late', 'tools', 'tools-of-a-server', 'wrapped'].map((name) => [
      name,
      `${name}/fixture.toml`,
      'passed',
      [],
    ]),
  );
  const { trace } = await traceTrial({ cwd, file: 'tools/fixture.toml', trial: 0 });
  expect(trace?.events).toContainEqual(
    expect.objectContaining({
      kind: 'output',
      node: 'first',
      output: {
        tool: 'find',
        server: 'default',
        content: [{ type: 'text', text: 'one' }],
        is_error: false,
        structured: { n: 1 },
      },
    }),
  );
});

test('the payload of a fixture is an empty table where it says none, and results that are used up are an error', async () => {
  const cwd = fixtures({
    empty: [
      ROUTES.replace('{{kind}}', '{{}}'),
      'start = "main"\n[mocks]\nintel = [\'{"way": "left"}\']\n[expected]\nstatus = "completed"\n',
    ],
    spent: [
      'name = "calls"\nstart_nodes = [{ name = "main", source = "manual", entry_node = "a" }]\nnodes = [{ id = "a", type = "call_mcp_tool", tool = "find" }, { id = "b", type = "call_mcp_tool", tool = "find" }]\nedges = [{ from = "a", to = "b" }]\n',
      'start = "main"\n[mocks.mcp_tools]\nfind = [{ content = [] }]\n[expected]\nstatus = "errored"\nlast_node = "b"\n',
    ],
  });
  const report = await runSuite({ cwd, workers: 0 });
  expect(report.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['empty', 'passed'],
    ['spent', 'passed'],
  ]);
  const { scenario } = await traceTrial({ cwd, file: 'empty/fixture.toml', trial: 0 });
  expect(workflowIn(scenario).trigger).toEqual({ kind: 'manual', start: 'main', payload: {} });
});

test('what is wrong with a fixture is told at its place', async () => {
  const cwd = fixtures({
    keys: [ROUTES, 'strat = "main"\n[mocks]\nintl = []\n'],
    start: [ROUTES, 'start = "mian"\n[mocks]\nintel = ["{}"]\n[expected]\nlast_node = "doen"\n'],
    workflow: ['name = "x"\nnodes = [{ id = "a", type = "merg" }]\n', 'start = "main"\n'],
  });
  const { issues } = await loadSuite({ cwd });
  const errors = issues.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code, at }) => `${code} ${at?.file}:${at?.line}`)).toEqual([
    'unknown_key keys/fixture.toml:1',
    'unknown_key keys/fixture.toml:3',
    'unknown_start_node start/fixture.toml:1',
    'unknown_node start/fixture.toml:5',
    'unknown_node_type workflow/workflow.toml:2',
  ]);
});

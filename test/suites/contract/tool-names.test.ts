import { expect, test } from 'vitest';
import { issuesOf } from './contracts-in.ts';

const NODES = `
[workflow]
inline = '''
name = "worker"
mcp_servers = [{ name = "web", command = ["web"] }]
start_nodes = [{ name = "main", source = "manual", entry_node = "where" }]
nodes = [
  { id = "where", type = "template_render", template = "https://shop.example/" },
  { id = "load", type = "http_request", method = "GET", url_from = "where.rendered" },
  { id = "count", type = "shell_run", command = "/usr/bin/wc" },
  { id = "look", type = "call_mcp_tool", tool = "web_search" },
]
edges = [
  { from = "where", to = "load" },
  { from = "load", to = "count" },
  { from = "count", to = "look" },
  { from = "load", to = "count", when = "error" },
  { from = "count", to = "look", when = "error" },
]
'''

[[world.http]]
method = "GET"
url = "https://shop.example/"
body = "ok"

[[world.processes]]
command = "/usr/bin/wc"
stdout = "1"

[[world.mcp]]
name = "web"
tools = { web_search = { content = "nothing" } }
`;

const WITH = (fault: string, rule = 'type = "completes"'): string => `
[contract]
name = "Tools"
[[contract.invariants]]
id = "rule"
${rule}
[[contract.chaos_matrix]]
name = "broken"
tool_faults = [{ ${fault}, mode = "error" }]
${NODES}`;

const warnings = async (text: string): Promise<readonly string[]> =>
  (await issuesOf(text)).filter((issue) => !issue.startsWith('unroutable_label'));

test.each([
  'load',
  'http_request',
  'shop.example',
  'other.example:8080',
  '*',
  'lo?d',
  'count',
  'shell_run',
  'wc',
  '/usr/bin/wc',
])('a fault of "%s" names calls of the workflow, or may', async (tool) => {
  expect(await warnings(WITH(`tool = "${tool}"`))).toEqual([]);
});

test.each(['look', 'call_mcp_tool', 'web_search', 'web/web_search', 'web_*'])(
  'a fault of the MCP tool "%s" names calls of the workflow',
  async (tool) => {
    expect(await warnings(WITH(`tool = "${tool}"`))).toEqual([]);
  },
);

test('a name that no call of the workflow bears is a warning with the name that is meant', async () => {
  expect(await warnings(WITH('tool = "laod"'))).toEqual([
    'unknown_tool 9:25-31 No call of the workflow goes by the name "laod". [Did you mean "load"?]',
  ]);
});

test('a node that calls no tool is no tool', async () => {
  const [warning] = await warnings(WITH('tool = "where"'));
  expect(warning).toContain('No call of the workflow goes by the name "where".');
});

test('an address decides instead of a name', async () => {
  expect(await warnings(WITH('tool = "laod", match_url = "https://shop.example/*"'))).toEqual([]);
});

test('a rule about a tool that nothing calls is a warning, too', async () => {
  const rule = 'type = "tool_not_called"\ntool = "pay"';
  expect(await warnings(WITH('tool = "load"', rule))).toEqual([
    expect.stringContaining('No call of the workflow goes by the name "pay".'),
  ]);
});

const AGENT = (more: string, fault: string): string => `
golden_prompts = ["Hello?"]
[agent]
endpoint = "http://127.0.0.1:8000/ask"
${more}
[contract]
name = "Agent"
[[contract.invariants]]
id = "answers"
type = "completes"
[[contract.chaos_matrix]]
name = "broken"
tool_faults = [{ tool = "${fault}", mode = "error" }]
`;

test.each([
  ['', 'quotes', true],
  ['proxy_port = 0', 'quotes', false],
  ['', '*', false],
  ['', '127.0.0.1', false],
])('with %j the calls of an agent that a fault of "%s" strikes are out of sight: %s', async (more, tool, isWarning) => {
  expect((await warnings(AGENT(more, tool))).length > 0).toBe(isWarning);
});

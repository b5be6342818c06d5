import { describe, expect, test } from 'vitest';
import { parseText, placed } from './check-text.ts';

const START = '[[start_nodes]]\nname = "main"\nsource = "http"\nentry_node = "a"\n';

describe('a workflow document', () => {
  test('becomes plain data in camelCase, with user-chosen keys untouched', () => {
    const { workflow, issues } = parseText(`name = "w"
description = "d"
${START}
[[nodes]]
id = "a"
type = "http_request"
method = "post"
url_from = "trigger.url"
headers = { "X-My_Header" = "1" }
retry = { max_attempts = 0, jitter = 3, on = "transient" }
[[nodes]]
id = "b"
type = "terminate"
value = 1
[[edges]]
from = "a"
to = "b"
[[edges]]
from = "a"
to = "a"
when = "error"
max_iterations = 3
[policy.env]
read_keys = ["A"]
[budget]
max_llm_tokens = 5
[[intelligence.backends]]
name = "claude"
provider = "anthropic"
api_key_env = "CLAUDE_KEY"
[[mcp_servers]]
name = "files"
command = ["x"]
env = { some_key = "v" }
[[mcp_servers]]
name = "shop"
url = "https://tools.example/mcp"
headers = { X_Key = "v" }
`);
    expect(placed(issues)).toEqual(['?unknown_key 18:1']);
    expect(workflow).toEqual({
      name: 'w',
      description: 'd',
      startNodes: [{ name: 'main', source: 'http', entryNode: 'a' }],
      nodes: [
        {
          id: 'a',
          type: 'http_request',
          retry: { maxAttempts: 1, backoffMs: 100, on: 'transient', jitter: 0.5 },
          config: { method: 'post', urlFrom: 'trigger.url', headers: { 'X-My_Header': '1' } },
        },
        { id: 'b', type: 'terminate', config: {} },
      ],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'a', when: 'error', maxIterations: 3 },
      ],
      policy: {
        fs: { read: [], write: [], delete: [], list: [] },
        env: { readKeys: ['A'] },
        http: { urls: [], methods: [] },
        shell: { commands: [] },
        mcp: { servers: [], tools: [], resources: [] },
      },
      mcpServers: [
        { name: 'files', command: ['x'], allowTools: [], allowResources: [], env: { some_key: 'v' } },
        {
          name: 'shop',
          command: [],
          url: 'https://tools.example/mcp',
          headers: { X_Key: 'v' },
          allowTools: [],
          allowResources: [],
          env: {},
        },
      ],
      budget: { maxLlmTokens: 5 },
      backends: [{ name: 'claude', provider: 'anthropic', apiKeyEnv: 'CLAUDE_KEY' }],
      triggers: [],
      httpRoutes: [],
    });
  });

  test('may be the only entry of [[workflows]]; other keys are ignored with a warning', () => {
    const { workflow, issues } = parseText('version = 1\n[[workflows]]\nname = "w"\n');
    expect(workflow?.name).toBe('w');
    expect(placed(issues)).toEqual(['?ignored_key 1:1']);
  });

  test('points into the wrapped entry', () => {
    expect(placed(parseText('[[workflows]]\nname = "w"\nnmae = "x"\n').issues)).toEqual(['unknown_key 3:1']);
  });

  test.each([
    ['none', 'workflows = []', ['workflow_count 1:1']],
    ['two', '[[workflows]]\nname = "a"\n[[workflows]]\nname = "b"\n', ['workflow_count 3:3']],
    ['a table', '[workflows]\nname = "a"\n', ['workflow_count 1:2']],
  ])('must be alone in its wrapping: %s', (_name, text, issues) => {
    expect(placed(parseText(text).issues)).toEqual(issues);
  });

  test('reports every unknown key, wrong type and missing key of all blocks at once', () => {
    const { issues } = parseText(`name = 1
colour = "red"
[[start_nodes]]
name = "main"
source = "phone"
[[nodes]]
id = "a"
type = "read_flie"
[[nodes]]
id = "b"
type = "read_file"
path = "x"
[[nodes]]
id = "c"
[[edges]]
from = "a"
[[triggers]]
type = "crom"
start_node = "main"
[[secrets]]
name = "s"
source = "env"
argv = ["x"]
[logging]
target = "printer"
[policy.fs]
red = ["x"]
`);
    expect(placed(issues)).toEqual([
      'wrong_type 1:8',
      'unknown_key 2:1',
      'not_allowed 5:10',
      'missing_key 15:3',
      'not_allowed 18:8',
      'missing_key 20:3',
      'unknown_key 23:1',
      'bad_value 25:10',
      'unknown_key 27:1',
      'unknown_node_type 8:8',
      'unknown_key 12:1',
      'missing_key 13:3',
    ]);
  });

  test('says what was probably meant', () => {
    const { issues } = parseText('name = "w"\n[[nodes]]\nid = "a"\ntype = "read_flie"\n');
    expect(issues.map(({ message, hint }) => ({ message, hint }))).toEqual([
      { message: 'There is no node type "read_flie".', hint: 'Did you mean "read_file"?' },
    ]);
  });

  test('lists at most 200 problems of one kind and counts the rest', () => {
    const edges = Array.from({ length: 300 }, (_, index) => `[[edges]]\nfrom = "a"\nto = "x${index}"\n`).join('');
    const { issues } = parseText(`name = "w"\n${START}[[nodes]]\nid = "a"\ntype = "merge"\n${edges}`);
    const errors = issues.filter((issue) => issue.severity === 'error');
    expect(errors).toHaveLength(201);
    expect(errors.at(-1)?.message).toBe('There are 100 more problems of this kind.');
  });
});

describe('a chain of 10,000 nodes', () => {
  const COUNT = 10_000;
  const ids = Array.from({ length: COUNT }, (_, index) => `n${index}`);
  const nodes = ids.map((id) => `[[nodes]]\nid = "${id}"\ntype = "merge"\n`).join('');
  const edges = ids.slice(1).map((id, index) => `[[edges]]\nfrom = "n${index}"\nto = "${id}"\n`);
  const head = 'name = "w"\n[[start_nodes]]\nname = "main"\nsource = "manual"\n';

  test('is read without running out of stack', () => {
    expect(parseText(head + nodes + edges.join('')).workflow?.nodes).toHaveLength(COUNT);
  });

  test('that closes into a ring is one cycle', () => {
    const ring = `${head}entry_node = "n0"\n${nodes}${edges.join('')}[[edges]]\nfrom = "n${COUNT - 1}"\nto = "n0"\n`;
    expect(parseText(ring).issues.map((issue) => issue.code)).toEqual(['cycle']);
  });
});

describe('warnings', () => {
  const withNodes = (text: string) => parseText(`name = "w"\n${START}${text}`).issues;

  test.each([
    [
      'a label that no edge answers',
      '[[nodes]]\nid = "a"\ntype = "condition"\nexpr = "trigger.x"\n[[nodes]]\nid = "b"\ntype = "merge"\n[[edges]]\nfrom = "a"\nto = "b"\nwhen = "true"\n',
      ['?unroutable_label 7:6'],
    ],
    [
      'an edge for a label that never comes',
      '[[nodes]]\nid = "a"\ntype = "merge"\n[[nodes]]\nid = "b"\ntype = "merge"\n[[edges]]\nfrom = "a"\nto = "b"\nwhen = "true"\n',
      ['?unroutable_label 15:8'],
    ],
    [
      'an edge without a label after a node that always gives one',
      '[[nodes]]\nid = "a"\ntype = "switch"\nexpr = "trigger.x"\n[[nodes]]\nid = "b"\ntype = "merge"\n[[edges]]\nfrom = "a"\nto = "b"\n',
      ['?unroutable_label 14:8'],
    ],
    [
      'a retry that is ignored',
      '[[nodes]]\nid = "a"\ntype = "pause_for_approval"\nretry = { max_attempts = 2 }\n',
      ['?ignored_retry 9:1'],
    ],
    [
      'a loop that never turns',
      '[[nodes]]\nid = "a"\ntype = "merge"\n[[edges]]\nfrom = "a"\nto = "a"\nmax_iterations = 0\n',
      ['?zero_iterations 12:18'],
    ],
    [
      'paths to nodes that do not exist',
      '[[nodes]]\nid = "a"\ntype = "parallel"\nbranches = [{ workflow = "x", input_from = "aa.b" }]\n[[nodes]]\nid = "b"\ntype = "diff_compute"\nleft_from = "triger.x"\nright_from = "trigger.x"\n[[edges]]\nfrom = "a"\nto = "b"\n[[edges]]\nfrom = "a"\nto = "b"\nwhen = "error"\n',
      ['?unresolved_path 9:44', '?unresolved_path 13:13'],
    ],
    [
      'paths to keys that no output of the node has',
      '[[nodes]]\nid = "a"\ntype = "parse_json"\ninput_from = "trigger"\n[[nodes]]\nid = "b"\ntype = "diff_compute"\nleft_from = "a.parsd.x"\nright_from = "a.parsed.x"\n[[edges]]\nfrom = "a"\nto = "b"\n',
      ['?unresolved_path 13:13'],
    ],
    [
      'a node that hides the trigger',
      '[[nodes]]\nid = "a"\ntype = "merge"\n[[nodes]]\nid = "trigger"\ntype = "merge"\n[[edges]]\nfrom = "a"\nto = "trigger"\n',
      ['?reserved_node_id 10:6'],
    ],
  ])('%s', (_name, text, expected) => {
    expect(placed(withNodes(text))).toEqual(expected);
  });
});

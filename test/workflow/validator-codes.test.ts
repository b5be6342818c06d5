import { describe, expect, test } from 'vitest';
import { parseText, placed } from './check-text.ts';

const START = '[[start_nodes]]\nname = "main"\nsource = "manual"\nentry_node = "a"\n';
const END = '[[nodes]]\nid = "a"\ntype = "terminate"\n';

/** A valid workflow with more text at the end, which begins on line 9. */
const withMore = (more: string) => `name = "w"\n${START}${END}${more}`;

/** A workflow whose only node is this one; the node begins on line 6, its first own key is on line 9. */
const withNode = (type: string, keys: string) => `name = "w"\n${START}[[nodes]]\nid = "a"\ntype = "${type}"\n${keys}`;

const AGENT = 'backend = "default"\n';

const cases: readonly (readonly [name: string, text: string, issues: readonly string[]])[] = [
  ['an empty workflow is valid', 'name = "w"', []],
  ['a small workflow is valid', withMore(''), []],
  ['dup_node_id: once per id, at its second place, and no cycle', withMore(END + END), ['dup_node_id 10:6']],
  ['dup_start_name', withMore(START), ['dup_start_name 10:8']],
  [
    'dup_http_route: by upper-cased method and exact path, once per repetition',
    withMore(
      ['get', 'GET', 'Get']
        .map((method) => `[[http_routes]]\nmethod = "${method}"\npath = "/x"\nstart_node = "main"\n`)
        .join(''),
    ),
    ['dup_http_route 15:8', 'dup_http_route 19:8'],
  ],
  [
    'unknown_http_start_node',
    withMore('[[http_routes]]\nmethod = "GET"\npath = "/x"\nstart_node = "mian"\n'),
    ['unknown_http_start_node 12:14'],
  ],
  [
    'unknown_trigger_start_node',
    withMore('[[triggers]]\ntype = "cron"\nschedule = "* * * * *"\nstart_node = "mian"\n'),
    ['unknown_trigger_start_node 12:14'],
  ],
  [
    'unknown_start_entry_node, whose nodes are then unreachable too',
    `name = "w"\n${START.replace('"a"', '"aa"')}${END}`,
    ['unknown_start_entry_node 5:14', 'unreachable_node 7:6'],
  ],
  [
    'dangling_edge: once per bad end',
    withMore('[[edges]]\nfrom = "x"\nto = "y"\n'),
    ['dangling_edge 10:8', 'dangling_edge 11:6'],
  ],
  [
    'dangling_edge keeps cycles from being looked for',
    withMore('[[edges]]\nfrom = "a"\nto = "a"\n[[edges]]\nfrom = "a"\nto = "y"\n'),
    ['dangling_edge 14:6', '?edge_from_end 10:8', '?ambiguous_edge 13:8', '?edge_from_end 13:8'],
  ],
  [
    'unknown_mcp_server',
    withNode('call_mcp_tool', 'tool = "t"\nserver = "x"\n[[mcp_servers]]\nname = "y"\ncommand = ["y"]\n'),
    ['unknown_mcp_server 10:10'],
  ],
  [
    'ambiguous_mcp_server',
    withNode(
      'read_mcp_resource',
      'resource_from = "trigger"\n[[mcp_servers]]\nname = "x"\ncommand = ["x"]\n[[mcp_servers]]\nname = "y"\ncommand = ["y"]\n',
    ),
    ['ambiguous_mcp_server 7:6'],
  ],
  ['an MCP node without any server is no problem of the graph', withNode('call_mcp_tool', 'tool = "t"\n'), []],
  [
    'agent_loop_steps_out_of_range',
    withNode('agent_loop', `${AGENT}max_steps = 65\ninstructions = "x"\ntools = ["read_file"]\n`),
    ['agent_loop_steps_out_of_range 10:13'],
  ],
  [
    'agent_loop_missing_instructions',
    withNode('agent_loop', `${AGENT}max_steps = 64\ntools = ["read_file"]\n`),
    ['agent_loop_missing_instructions 7:6'],
  ],
  [
    'agent_loop_no_tools',
    withNode('agent_loop', `${AGENT}max_steps = 1\ninstructions = "x"\ntools = []\n`),
    ['agent_loop_no_tools 12:9'],
  ],
  [
    'agent_loop_unknown_tool: once per tool',
    withNode('agent_loop', `${AGENT}max_steps = 1\ninstructions = "x"\ntools = ["rm", "read_file", "raed_env"]\n`),
    ['agent_loop_unknown_tool 12:10', 'agent_loop_unknown_tool 12:29'],
  ],
  [
    'respond_status_out_of_range',
    withNode('respond', 'body_template = ""\nstatus = 600\n'),
    ['respond_status_out_of_range 10:10'],
  ],
  [
    'respond_empty_content_type',
    withNode('respond', 'body_template = ""\ncontent_type = "  "\n'),
    ['respond_empty_content_type 10:16'],
  ],
  [
    'map_zero_max_items, map_zero_concurrency and map_empty_workflow',
    withNode('map', 'items_from = "trigger"\nworkflow = " "\nmax_items = 0\nmax_concurrent = 0\n'),
    ['map_zero_max_items 11:13', 'map_zero_concurrency 12:18', 'map_empty_workflow 10:12'],
  ],
  [
    'http_header_bad_name, http_header_crlf and http_header_bad_placeholder',
    withNode(
      'http_request',
      'method = "GET"\nurl_from = "trigger.url"\n[nodes.headers]\n"a b" = "x"\nc = "x\\ny"\nd = "{{name}} {{secret:}} {{secret:X}} {{"\n',
    ),
    [
      'http_header_bad_name 12:1',
      'http_header_crlf 13:5',
      'http_header_bad_placeholder 14:5',
      'http_header_bad_placeholder 14:5',
      'http_header_bad_placeholder 14:5',
    ],
  ],
  [
    'bad_mcp_server: neither a program nor an address, or both, or keys of the other',
    withMore(
      [
        'name = "x"\n',
        'name = "x"\ncommand = ["x"]\nurl = "http://localhost/mcp"\n',
        'name = "x"\ncommand = ["x"]\nheaders = {}\n',
        'name = "x"\nurl = "http://localhost/mcp"\nenv = {}\n',
        'name = "x"\nurl = "ftp://localhost/mcp"\n',
        'name = "x"\nurl = "https://user@localhost/mcp"\nheaders = { "a b" = "x" }\n',
        'name = "x"\ncommand = ["x"]\nenv = { A = "{{secret:A}}", B = "{{secret:A B}}", C = "{{secrets:C}}", D = "{{d}}" }\n',
      ]
        .map((server) => `[[mcp_servers]]\n${server}`)
        .join(''),
    ),
    [
      'bad_mcp_server 10:1',
      'bad_mcp_server 13:1',
      'bad_mcp_server 18:1',
      'bad_mcp_server 22:1',
      'bad_mcp_server 25:1',
      'bad_mcp_server 28:1',
      'http_header_bad_name 29:13',
      'bad_mcp_server 33:33',
      'bad_mcp_server 33:55',
    ],
  ],
  [
    'bad_mcp_server: the backend that answers it is none',
    withMore('[[mcp_servers]]\nname = "x"\ncommand = ["x"]\nsampling = "nobody"\n'),
    ['bad_mcp_server 12:1'],
  ],
  [
    'an MCP server may be an address with headers',
    withMore(
      '[[mcp_servers]]\nname = "x"\nurl = "https://tools.example/mcp"\nheaders = { Authorization = "Bearer {{secret:X}}" }\n',
    ),
    [],
  ],
  [
    'cycle: at the edge that leads back, without the nodes after it',
    `name = "w"\n${START}${node('a')}${node('b')}${node('c')}${edge('a', 'b')}${edge('b', 'a')}${edge('b', 'c')}`,
    ['cycle 18:3', '?ambiguous_edge 22:8'],
  ],
  ['cycle: a node that leads to itself', `name = "w"\n${START}${node('a')}${edge('a', 'a')}`, ['cycle 9:3']],
  ['a loop edge is no cycle', `name = "w"\n${START}${node('a')}${edge('a', 'a')}max_iterations = 2\n`, []],
  [
    'ambiguous_start_entry: several nodes without incoming edges',
    `name = "w"\n[[start_nodes]]\nname = "main"\nsource = "manual"\n${node('a')}${node('b')}`,
    ['ambiguous_start_entry 3:8', 'unreachable_node 6:6', 'unreachable_node 9:6'],
  ],
  [
    'ambiguous_start_entry: none, because loop edges count',
    `name = "w"\n[[start_nodes]]\nname = "main"\nsource = "manual"\n${node('a')}${edge('a', 'a')}max_iterations = 1\n`,
    ['ambiguous_start_entry 3:8', 'unreachable_node 6:6'],
  ],
  ['unreachable_node', withMore(node('b')), ['unreachable_node 10:6']],
  ['nodes without any start node are not called unreachable', `name = "w"\n${node('a')}`, []],
];

function node(id: string): string {
  return `[[nodes]]\nid = "${id}"\ntype = "merge"\n`;
}

function edge(from: string, to: string): string {
  return `[[edges]]\nfrom = "${from}"\nto = "${to}"\n`;
}

describe('the validator', () => {
  test.each(cases)('%s', (_name, text, issues) => {
    expect(placed(parseText(text).issues)).toEqual(issues);
  });

  test('names only the nodes of a cycle', () => {
    const text = `name = "w"\n${START}${node('a')}${node('b')}${node('c')}${edge('a', 'b')}${edge('b', 'a')}${edge('b', 'c')}`;
    expect(parseText(text).issues[0]).toEqual({
      code: 'cycle',
      severity: 'error',
      message: 'These nodes lead back to each other without a bound: a, b.',
      at: {
        file: 'workflow.toml',
        line: 18,
        column: 3,
        endColumn: expect.any(Number),
        frame: expect.stringContaining('18 | [[edges]]'),
      },
      hint: 'Give the edge that leads back a max_iterations.',
    });
  });

  test('gives one problem for each cycle', () => {
    const text = `name = "w"\n${START}${['a', 'b', 'c', 'd'].map(node).join('')}${edge('a', 'b')}${edge('b', 'a')}${edge('b', 'c')}${edge('c', 'd')}${edge('d', 'c')}`;
    const cycles = parseText(text).issues.filter((issue) => issue.code === 'cycle');
    expect(cycles.map((issue) => issue.message)).toEqual([
      'These nodes lead back to each other without a bound: a, b.',
      'These nodes lead back to each other without a bound: c, d.',
    ]);
  });
});

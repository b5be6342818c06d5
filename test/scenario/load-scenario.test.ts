import { describe, expect, test } from 'vitest';
import { aProcessMock, aToolMock, anHttpMock } from '../effects/a-mock.ts';
import type { Scenario } from '../../src/types/scenario.ts';
import { COUNTERS } from '../../src/types/trial.ts';
import { placed } from '../workflow/check-text.ts';
import { aScenario, issuesOf, loadIn, loadText, ONE_NODE, START, TURN, TWO_NODES } from './in-folder.ts';

const NO_POLICY = { fs: { read: [], write: [], delete: [], list: [] }, env: { readKeys: [] } };

describe('a scenario file', () => {
  test('whose patterns take too long to compile is refused, however short they are', () => {
    const values = Array.from({ length: 1000 }, () => '{ matches = "(a|b){1000}" }').join(', ');
    const issues = issuesOf(aScenario('', `${TURN}[expected]\nvalues = [${values}]\n`));
    expect(placed(issues)).toEqual(['too_much_work 1:1']);
  });

  test('with only what it must have gets every default', () => {
    const { scenario, issues } = loadText(aScenario('', '', ONE_NODE));
    expect(placed(issues)).toEqual(['?asserts_nothing 1:1']);
    expect(scenario).toEqual({
      name: 's',
      file: 'scenario.toml',
      capabilities: [],
      tags: [],
      trials: 1,
      minPassRate: null,
      timeoutMs: 30_000,
      seed: null,
      sampler: null,
      subject: {
        kind: 'workflow',
        workflow: expect.objectContaining({ name: 'w' }),
        children: {},
        trigger: { kind: 'manual', start: 'main', payload: null },
        turns: [],
        policy: null,
        world: { env: {}, files: {}, http: [], processes: [], mcp: [], approvals: {} },
      },
      faults: { intelErrorOnCall: null },
      expected: {
        pathExact: false,
        forbiddenNodes: [],
        branches: [],
        min: {},
        max: {},
        values: [],
        prompts: [],
        files: { exist: [], absent: [], contain: {} },
      },
    });
  });

  test('takes every key there is', () => {
    const { scenario, issues } = loadText(`name = "s"
description = "d"
capabilities = ["llm_infer"]
tags = ["smoke"]
trials = 0
min_pass_rate = 1
timeout_ms = 250
seed = 7
sampler = "reference"
isolation = "process"
[workflow]
inline = '''
${TWO_NODES}'''
[trigger]
kind = "http"
start = "main"
payload = { text = "\${SCENARIO_DIR}/x", at = 2020-01-02 }
[[intel.turns]]
id = "first"
node = "ask"
repeat = true
prompt_tokens = 9
fault = "refusal"
variants = [
  { content = "a", prompt_tokens = 1, completion_tokens = 2, weight = 0.5 },
  { content = "b", fault = { type = "delay", delay_ms = 20 } },
]
[policy.fs]
read = ["\${SCENARIO_DIR}/**"]
[faults]
intel_error_on_call = 2
[world]
env = { A_B = "1" }
files = { "/a" = "text", "/b" = { content = "c" }, "/d" = { dir = true }, "/l" = { link = "/a" } }
http = [{ url = "http://x/*", method = "post", status = 201, headers = { X_y = "1" }, body = { b = 1, a = [] }, delay_ms = 5 }]
processes = [{ command = "/bin/x", args = ["-v"], exit_code = 1, stdout = "o", stderr = "e", delay_ms = 6 }]
[[world.mcp]]
name = "m"
tools.some_tool = { content = [1], structured = { k_v = 1 }, is_error = true, delay_ms = 7 }
resources."res://x_y" = "r"
[expected]
status = "timed_out"
stopped_by = "dead_end"
last_node = "done"
errored_node = "ask"
reason_contains = "x"
path = ["ask", "done"]
path_exact = true
forbidden_nodes = ["done"]
min_total_tokens = 1
max_llm_calls = 2
final = { equals = [1], exists = true }
values = [{ node = "ask", path = "content", contains = "a", matches = "^b", schema = { type = "string" } }]
prompts = [{ node = "ask", call = 1, contains = "p", not_contains = "q", matches = "r" }]
respond = { status = 200, content_type = "t", body = "b", body_contains = "c", body_matches = "m" }
files = { exist = ["/a"], absent = ["/z"], contain = { "/a" = "ex" } }
`);
    expect(placed(issues)).toEqual([
      '?ignored_key 37:1',
      '?unused_mock 50:9',
      '?unused_mock 51:14',
      '?unused_mock 54:19',
      '?unused_mock 52:3',
    ]);
    expect(flat(scenario)).toEqual({
      kind: 'workflow',
      name: 's',
      file: 'scenario.toml',
      description: 'd',
      capabilities: ['llm_infer'],
      tags: ['smoke'],
      trials: 1,
      minPassRate: 1,
      timeoutMs: 250,
      seed: 7,
      sampler: 'reference',
      isolation: 'process',
      workflow: null,
      children: {},
      trigger: {
        kind: 'http',
        start: 'main',
        payload: { text: '${SCENARIO_DIR}/x', at: { $__toml_private_datetime: '2020-01-02' } },
      },
      turns: [
        {
          id: 'first',
          node: 'ask',
          repeat: true,
          variants: [
            {
              content: 'a',
              promptTokens: 1,
              completionTokens: 2,
              weight: 0.5,
              fault: { type: 'refusal', config: {} },
            },
            {
              content: 'b',
              promptTokens: 0,
              completionTokens: 0,
              weight: 1,
              fault: { type: 'delay', config: { delayMs: 20 } },
            },
          ],
        },
      ],
      policy: {
        ...NO_POLICY,
        fs: { ...NO_POLICY.fs, read: ['${SCENARIO_DIR}/**'] },
        http: { urls: [], methods: [] },
        shell: { commands: [] },
        mcp: { servers: [], tools: [], resources: [] },
      },
      world: {
        env: { A_B: '1' },
        files: {
          '/a': { kind: 'file', content: 'text' },
          '/b': { kind: 'file', content: 'c' },
          '/d': { kind: 'dir' },
          '/l': { kind: 'link', target: '/a' },
        },
        http: [
          anHttpMock(
            { methods: ['POST'], url: 'http://x/*' },
            { status: 201, headers: { X_y: '1' }, body: '{"a":[],"b":1}', delayMs: 5 },
          ),
        ],
        processes: [
          aProcessMock({ command: '/bin/x', args: ['-v'] }, { exitCode: 1, stdout: 'o', stderr: 'e', delayMs: 6 }),
        ],
        mcp: [
          {
            name: 'm',
            tools: { some_tool: [aToolMock({ content: [1], structured: { k_v: 1 }, isError: true, delayMs: 7 })] },
            resources: {
              'res://x_y': [{ replies: [{ contents: 'r', delayMs: 0 }], afterLast: 'repeat', times: null }],
            },
          },
        ],
        approvals: {},
      },
      faults: { intelErrorOnCall: 2 },
      expected: {
        status: 'timed_out',
        stoppedBy: 'dead_end',
        lastNode: 'done',
        erroredNode: 'ask',
        reasonContains: 'x',
        path: ['ask', 'done'],
        pathExact: true,
        forbiddenNodes: ['done'],
        branches: [],
        min: { llmTokens: 1 },
        max: { llmCalls: 2 },
        values: [
          { test: { kind: 'equals', value: [1] } },
          { test: { kind: 'exists', exists: true } },
          { table: 0, node: 'ask', path: 'content', test: { kind: 'contains', text: 'a' } },
          { table: 0, node: 'ask', path: 'content', test: { kind: 'matches', pattern: '^b' } },
          { table: 0, node: 'ask', path: 'content', test: { kind: 'schema', schema: { type: 'string' } } },
        ],
        respond: { status: 200, contentType: 't', body: 'b', bodyContains: 'c', bodyMatches: 'm' },
        prompts: [{ node: 'ask', call: 1, contains: 'p', notContains: 'q', matches: 'r' }],
        files: { exist: ['/a'], absent: ['/z'], contain: { '/a': 'ex' } },
      },
    });
  });

  test('has a lowest and highest bound for every counter', () => {
    const keyOf = (counter: string) =>
      counter === 'llmTokens' ? 'total_tokens' : counter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const bounds = COUNTERS.map(
      (counter, index) => `min_${keyOf(counter)} = ${index}\nmax_${keyOf(counter)} = ${index}\n`,
    );
    const { expected } = loadText(aScenario('', `${TURN}[expected]\n${bounds.join('')}`)).scenario;
    const each = Object.fromEntries(COUNTERS.map((counter, index) => [counter, index]));
    expect({ min: expected.min, max: expected.max }).toEqual({ min: each, max: each });
  });

  test('is frozen through and through', () => {
    const { scenario } = loadText(aScenario('', TURN));
    expect(
      [scenario, scenario.subject.workflow.nodes[0]?.config, scenario.subject.turns[0]?.variants].map(Object.isFrozen),
    ).toEqual([true, true, true]);
  });

  test.each([
    ['timeout_secs = 0', 1000],
    ['timeout_secs = 2', 2000],
    ['timeout_ms = 5', 5],
  ])('%s is a limit of %d ms', (key, timeoutMs) => {
    expect(loadText(aScenario(key, TURN)).scenario.timeoutMs).toBe(timeoutMs);
  });

  test("takes the workflow's policy when it has none of its own, and replaces it whole otherwise", () => {
    const workflow = `${TWO_NODES}[policy.env]\nread_keys = ["A"]\n`;
    const policyWith = (tables: string) => loadText(aScenario('', TURN + tables, workflow)).scenario.subject.policy;
    expect(policyWith('')?.env.readKeys).toEqual(['A']);
    expect(policyWith('[policy]\n')?.env.readKeys).toEqual([]);
  });

  test('may name its workflow by path, and inline wins over path', () => {
    const named = loadIn(
      {
        'a/scenario.toml': `name = "s"\n[workflow]\npath = "../flows/w.toml"\n${TURN}[expected]\nstatus = "completed"\n`,
        'flows/w.toml': TWO_NODES,
      },
      'a/scenario.toml',
    );
    expect(named).toMatchObject({ ok: true, file: 'a/scenario.toml', issues: [] });
    const both = `name = "s"\n[workflow]\npath = "none.toml"\ninline = '''\n${ONE_NODE}'''\n[expected]\nstatus = "completed"\n`;
    expect(placed(issuesOf(both))).toEqual(['?ignored_key 3:1']);
  });

  test('that is a workflow is no scenario', () => {
    expect(loadIn({ 'scenario.toml': ONE_NODE })).toBe(null);
    expect(loadIn({ 'scenario.toml': '[[workflows]]\nname = "w"\n' })).toBe(null);
  });

  test('that cannot be read keeps its file name as its name', () => {
    expect(loadIn({}, 'gone.toml')).toMatchObject({
      ok: false,
      file: 'gone.toml',
      name: 'gone.toml',
      trials: 0,
      issues: [{ code: 'file_missing' }],
    });
  });

  test('that is invalid keeps its name, capabilities and trials', () => {
    const text = `name = "s"\ntrials = 5\ncapabilities = ["switch"]\n[workflow]\ninline = 'name = 1'\n`;
    expect(loadIn({ 'scenario.toml': text })).toMatchObject({
      ok: false,
      name: 's',
      capabilities: ['switch'],
      trials: 5,
    });
  });
});

describe('problems of a scenario', () => {
  const cases: readonly (readonly [name: string, text: string, issues: readonly string[]])[] = [
    ['no workflow', 'name = "s"\n', ['missing_key 1:1', '?asserts_nothing 1:1']],
    ['an empty workflow table', 'name = "s"\n[workflow]\n[expected]\nstatus = "failed"\n', ['missing_key 2:2']],
    [
      'both timeouts',
      aScenario('timeout_secs = 1\ntimeout_ms = 1', TURN),
      ['conflicting_keys 3:1', '?asserts_nothing 1:1'],
    ],
    ['a bar above 1', aScenario('min_pass_rate = 2.0'), ['out_of_range 2:17', 'no_turns 10:6']],
    ['too many trials', aScenario('trials = 4294967297'), ['out_of_range 2:10', 'no_turns 10:6']],
    ['an unknown status', aScenario('', `${TURN}[expected]\nstatus = "complete"\n`), ['not_allowed 24:10']],
    ['an unknown stop', aScenario('', `${TURN}[expected]\nstopped_by = "deadend"\n`), ['not_allowed 24:14']],
    [
      'an unknown start node',
      aScenario('', `${TURN}[expected]\nstatus = "failed"\n[trigger]\nstart = "mian"\n`),
      ['unknown_start_node 26:9'],
    ],
    ['no start node', aScenario('', '[expected]\nstatus = "failed"\n', 'name = "w"\n'), ['no_start_node 3:2']],
    [
      'an unknown capability',
      aScenario('capabilities = ["swich"]', `${TURN}[expected]\nstatus = "failed"\n`),
      ['?unknown_capability 2:17'],
    ],
    [
      'an unknown fault',
      aScenario('', `${TURN}fault = "delya"\n[expected]\nstatus = "failed"\n`),
      ['unknown_fault 23:9'],
    ],
    [
      'a fault without its settings',
      aScenario('', `${TURN}fault = "delay"\n[expected]\nstatus = "failed"\n`),
      ['missing_key 23:9'],
    ],
    [
      'a fault with wrong settings',
      aScenario('', `${TURN}fault = { type = "delay", delay_ms = -1, x = 1 }\n[expected]\nstatus = "failed"\n`),
      ['out_of_range 23:38', 'unknown_key 23:42'],
    ],
    [
      'a repeating turn without a node',
      aScenario('', `${TURN}repeat = true\n[expected]\nstatus = "failed"\n`),
      ['repeat_without_node 23:10'],
    ],
    [
      'a turn id used twice',
      aScenario('', `${TURN}id = "x"\n${TURN}id = "x"\n[expected]\nstatus = "failed"\n`),
      ['duplicate_turn_id 26:6', '?unused_turn 24:3'],
    ],
    [
      'a bad pattern',
      aScenario('', `${TURN}[expected]\nfinal = { matches = "(a" }\nvalues = [{ matches = "\\\\1" }]\n`),
      ['bad_pattern 24:21', 'bad_pattern 25:23'],
    ],
    [
      'a test without a test',
      aScenario('', `${TURN}[expected]\nstatus = "failed"\nvalues = [{ node = "ask" }]\n`),
      ['?asserts_nothing 25:11'],
    ],
    ...(
      [
        ['final = { contains = "" }', 22],
        ['final = { matches = "x*" }', 21],
        ['final = { schema = { title = "Anything" } }', 20],
        ['values = [{ node = "ask", path = "content", matches = "" }]', 55],
        ['respond = { body_contains = "" }', 29],
        ['prompts = [{ contains = "" }]', 25],
      ] as const
    ).map(([test, column]): [string, string, string[]] => [
      `a test that whatever there is would pass: ${test}`,
      aScenario('', `${TURN}[expected]\n${test}\n`),
      [`?asserts_nothing 24:${column}`],
    ]),
    [
      'tests that something would fail',
      aScenario(
        '',
        `${TURN}[expected]\nfinal = { matches = "^$" }\nvalues = [{ node = "ask", schema = { type = "null" } }]\n`,
      ),
      [],
    ],
    ['a least of 0', aScenario('', `${TURN}[expected]\nmin_retries = 0\n`), ['?asserts_nothing 24:15']],
    ['only empty lists', aScenario('', `${TURN}[expected]\npath = []\npath_exact = true\n`), ['?asserts_nothing 23:2']],
    [
      'bounds that exclude each other',
      aScenario('', `${TURN}[expected]\nmin_retries = 2\nmax_retries = 1\n`),
      ['?impossible_expectation 24:15'],
    ],
    [
      'a fault that never fires',
      aScenario('', `[faults]\nintel_error_on_call = 1\n[expected]\nstatus = "failed"\n`, ONE_NODE),
      ['?unused_fault 14:23'],
    ],
    [
      'rego rules in force',
      aScenario('', `${TURN}[policy.rego]\ninline = "x"\n[expected]\nstatus = "failed"\n`),
      ['policy_rego 23:9'],
    ],
    [
      'a workflow file that is not there',
      'name = "s"\n[workflow]\npath = "x.toml"\n[expected]\nstatus = "failed"\n',
      ['missing_workflow 3:8'],
    ],
  ];

  test.each(cases)('%s', (_name, text, issues) => {
    expect(placed(issuesOf(text))).toEqual(issues);
  });

  test('are told for thirty places at once, inside the workflow too', () => {
    const edges = Array.from(
      { length: 15 },
      (_, index) => `[[edges]]\nfrom = "ask"\nto = "gone${index}"\nwhen = "${index}"\n`,
    ).join('');
    const keys = Array.from({ length: 15 }, (_, index) => `wrong${index} = 1`).join('\n');
    const errors = issuesOf(aScenario(keys, TURN, TWO_NODES + edges)).filter((issue) => issue.severity === 'error');
    const lines = errors.map((issue) => `${issue.code} ${issue.at?.line}`);
    expect(lines).toEqual([
      ...Array.from({ length: 15 }, (_, index) => `unknown_key ${index + 2}`),
      ...Array.from({ length: 15 }, (_, index) => `dangling_edge ${36 + index * 4}`),
    ]);
  });

  test('point into the text of the scenario file, with the line shown', () => {
    const [issue] = issuesOf(
      `name = "s"\n[workflow]\ninline = "name = \\"w\\"\\n[[nodes]]\\nid = \\"a\\"\\ntype = \\"swich\\"\\n"\n[expected]\nstatus = "failed"\n`,
    );
    expect(issue).toMatchObject({
      code: 'unknown_node_type',
      at: { file: 'scenario.toml', line: 3, column: 55 },
      hint: 'Did you mean "switch"?',
    });
    expect(issue?.at?.frame).toContain('3 | inline = ');
  });

  test('stop at the first syntax error of the workflow, which stands in the scenario file', () => {
    expect(
      placed(issuesOf(aScenario('', `${TURN}[expected]\nstatus = "failed"\n`, 'name = "w"\nnodes = [\n'))),
    ).toEqual(['toml_syntax 7:1']);
  });
});

describe('names of nodes in a scenario', () => {
  test('must be nodes, wherever they stand', () => {
    const text = aScenario(
      '',
      `[[intel.turns]]
node = "aks"
[world.approvals]
asc = "resume"
[expected]
last_node = "don"
errored_node = "x1"
path = ["ask", "x2"]
forbidden_nodes = ["x3"]
branches = { x4 = "true" }
values = [{ node = "x5", exists = true }]
prompts = [{ node = "x6", contains = "a" }]
`,
    );
    expect(placed(issuesOf(text))).toEqual([
      'unknown_node 22:8',
      'unknown_node 24:1',
      'unknown_node 26:13',
      'unknown_node 27:16',
      'unknown_node 28:16',
      'unknown_node 29:20',
      'unknown_node 30:14',
      'unknown_node 31:20',
      'unknown_node 32:21',
      'no_turns 10:6',
    ]);
    expect(issuesOf(text)[0]).toMatchObject({ hint: 'Did you mean "ask"?' });
  });

  test('must fit: turns go to nodes that ask a model, approvals to nodes that pause', () => {
    const tables = `[[intel.turns]]\ncontent = "a"\n[[intel.turns]]\nnode = "done"\n[world.approvals]\nask = "resume"\n[expected]\nstatus = "failed"\n`;
    expect(placed(issuesOf(aScenario('', tables)))).toEqual([
      'turn_for_other_node 24:8',
      'approval_for_other_node 26:1',
    ]);
  });
});

describe('expectations that no run can meet', () => {
  const workflow = `name = "w"
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "gate"
[[start_nodes]]
name = "other"
source = "manual"
entry_node = "far"
[[nodes]]
id = "gate"
type = "condition"
expr = "trigger.x"
[[nodes]]
id = "yes"
type = "terminate"
[[nodes]]
id = "no"
type = "terminate"
[[nodes]]
id = "far"
type = "terminate"
[[edges]]
from = "gate"
to = "yes"
when = "true"
[[edges]]
from = "gate"
to = "no"
when = "false"
`;

  test('are warnings', () => {
    const expected = `[expected]\nlast_node = "far"\npath = ["yes", "no"]\nbranches = { gate = ["true", "maybe"], yes = "x" }\n`;
    expect(placed(issuesOf(aScenario('', expected, workflow)))).toEqual([
      '?impossible_expectation 37:13',
      '?impossible_expectation 38:9',
      '?impossible_expectation 38:16',
      '?impossible_expectation 39:30',
      '?impossible_expectation 39:46',
    ]);
  });

  test('are none when the run can go that way', () => {
    const expected = `[expected]\nlast_node = "yes"\npath = ["gate", "yes"]\nbranches = { gate = "true" }\n`;
    expect(issuesOf(aScenario('', expected, workflow))).toEqual([]);
  });
});

describe('what a run needs', () => {
  const EXPECTED = '[expected]\nstatus = "completed"\n';
  const node = (type: string, keys: string) => `name = "w"\n${START}[[nodes]]\nid = "out"\ntype = "${type}"\n${keys}\n`;

  test.each([
    ['http_request', 'method = "get"\nurl_from = "trigger.u"', '[[world.http]]\nmethod = "GET"\nurl = "*"\n'],
    ['shell_run', 'command = "/bin/x"', '[[world.processes]]\ncommand = "/bin/x"\n'],
    ['call_mcp_tool', 'tool = "t"', '[[world.mcp]]\nname = "m"\ntools.t = { content = 1 }\n'],
    ['read_mcp_resource', 'resource_from = "trigger.u"', '[[world.mcp]]\nname = "m"\nresources.x = 1\n'],
  ])('%s needs a mock while nothing is denied', (type, keys, mock) => {
    const workflow = node(type, keys);
    expect(placed(issuesOf(aScenario('', EXPECTED, workflow)))).toEqual(['no_mock 10:6']);
    expect(placed(issuesOf(aScenario('', EXPECTED + mock, workflow)))).toEqual([]);
    expect(placed(issuesOf(aScenario('', `${EXPECTED}[policy]\n`, workflow)))).toEqual([]);
  });

  test('a program without an absolute path needs no mock, since none would be asked', () => {
    expect(placed(issuesOf(aScenario('', EXPECTED, node('shell_run', 'command = "x"'))))).toEqual([]);
  });

  test('a model node needs a turn that can serve it, or a live model', () => {
    const elsewhere = `${EXPECTED}[[intel.turns]]\nnode = "other"\n`;
    const workflow = `${TWO_NODES.replace('to = "done"', 'to = "other"')}[[nodes]]\nid = "other"\ntype = "llm_infer"\nbackend = "x"\nprompt = "p"\n[[edges]]\nfrom = "other"\nto = "done"\n`;
    expect(placed(issuesOf(aScenario('', elsewhere, workflow)))).toEqual(['no_turns 10:6']);
    expect(placed(issuesOf(aScenario('', EXPECTED, TWO_NODES)))).toEqual(['no_turns 10:6']);
  });
});

describe('turns that no run can use', () => {
  const EXPECTED = '[expected]\nstatus = "completed"\n';
  const turns = (count: number, keys = '') => Array.from({ length: count }, () => TURN + keys).join('');
  const unused = (text: string) => issuesOf(text).filter((issue) => issue.code === 'unused_turn').length;

  test('are counted from repairs and retries, along the longest way', () => {
    const repairing = TWO_NODES.replace(
      'prompt = "p"',
      'prompt = "p"\noutput_repairs = 1\nretry = { max_attempts = 2 }',
    );
    expect(unused(aScenario('', EXPECTED + turns(6), repairing))).toBe(2);
    expect(unused(aScenario('', EXPECTED + turns(3)))).toBe(2);
  });

  test('are not known where a loop has no model bound', () => {
    const looping = `${TWO_NODES}[[edges]]\nfrom = "ask"\nto = "ask"\nwhen = "x"\nmax_iterations = 2\n`.replace(
      'source = "manual"\n',
      'source = "manual"\nentry_node = "ask"\n',
    );
    expect(unused(aScenario('', EXPECTED + turns(9), looping))).toBe(0);
  });

  test('are those after a repeating one, and queue turns that no node asks for', () => {
    const addressed = '[[intel.turns]]\nnode = "ask"\nrepeat = true\n[[intel.turns]]\nnode = "ask"\n';
    expect(unused(aScenario('', EXPECTED + addressed + turns(1)))).toBe(2);
  });
});

/** The keys of a scenario and of its workflow's surroundings beside each other; what stands in the workflow is tested elsewhere. */
function flat({ subject, ...scenario }: Scenario): object {
  return { ...scenario, ...subject, workflow: null };
}

import { describe, expect, test } from 'vitest';
import { brief } from '../../source/parsed.ts';
import { contractsAmong, suiteIn } from './contracts-in.ts';

const AGENT = `
version: "2.0"
agent: {endpoint: "http://127.0.0.1:9/ask", proxy_port: 8787}
golden_prompts: [hello]
contract:
  name: Desk
  invariants:
    - {id: answers, type: completes, severity: critical}
    - {id: same, type: behavior_unchanged}
    - {id: probed, type: output_not_empty, probes: [who are you]}
  chaos_matrix: [{name: calm}]
`;

/** Root runs of LangSmith with their tools, as its API lists them. */
const RUNS = [
  run('r1', null, { name: 'desk', run_type: 'chain', inputs: { input: 'Where is order 7?' }, error: 'Timeout()' }),
  run('t1', 'r1', { name: 'orders', run_type: 'tool', inputs: { id: 7 }, outputs: { output: { state: 'lost' } } }),
  run('t2', 'r1', { name: 'mail', run_type: 'tool', inputs: { to: 'x' }, error: 'ConnectionError()' }),
  run('r2', null, { name: 'desk', run_type: 'chain', inputs: { input: 'Cancel it.' }, outputs: { output: 'Done.' } }),
]
  .map((one) => JSON.stringify(one))
  .join('\n');

function run(id: string, parent: string | null, fields: Record<string, unknown>): Record<string, unknown> {
  return {
    id,
    trace_id: parent ?? id,
    parent_run_id: parent,
    session_name: 'shop',
    start_time: '2026-05-01T10:00:00.000000',
    end_time: '2026-05-01T10:00:07.000000',
    error: null,
    outputs: null,
    ...fields,
  };
}

describe('recorded sessions of a contract', () => {
  test('stand in it, in files of their own, and in exports of LangSmith; each is a column of the contract that it names', async () => {
    const { suite, notRun } = await suiteIn({
      'flakestorm.yaml': `${AGENT}
replays:
  sessions:
    - file: replays/one.json
    - {id: two, input: Who pays?, contract: ./rules/safety.yaml}
  sources:
    - {type: langsmith, project: shop, auto_import: true, file: runs.jsonl, filter: {min_latency_ms: 5000}}
    - {type: langsmith_run, run_id: r2, file: runs.jsonl}
`,
      'replays/one.json': JSON.stringify({
        id: 'one',
        input: 'What?',
        tool_responses: [{ tool: 'quotes', response: null, status: 504, latency_ms: 30 }],
        expected_failure: 'It made up a price.',
        contract: 'Desk',
      }),
      'rules/safety.yaml': 'name: Safety\ninvariants: [{id: says, type: contains, value: nobody}]',
      'runs.jsonl': RUNS,
    });
    expect([brief(suite.issues), notRun]).toEqual([[], []]);
    const replays = contractsAmong(suite).filter(({ phase }) => phase === 'replay');
    expect(
      replays.map(({ name, invariants, matrix }) => [
        name,
        invariants.map(({ id }) => id),
        matrix.map((one) => one.name),
      ]),
    ).toEqual([
      ['Desk (replay)', ['answers'], ['one', 'r1', 'r2']],
      ['Safety (replay)', ['says'], ['two']],
    ]);
    expect(replays[0]?.matrix.map(({ recorded }) => recorded)).toEqual([
      [{ tool: 'quotes', response: null, status: 504, delayMs: 30 }],
      [
        { tool: 'orders', response: { state: 'lost' }, status: 200, delayMs: 0 },
        { tool: 'mail', response: 'ConnectionError()', status: 0, delayMs: 0 },
      ],
      [],
    ]);
    // Nobody says what its tools answered.
    expect(replays[1]?.matrix[0]).not.toHaveProperty('recorded');
    expect(replays[0]?.sessions?.map(({ input, expectedFailure }) => [input, expectedFailure])).toEqual([
      ['What?', 'It made up a price.'],
      ['Where is order 7?', 'Timeout()'],
      ['Cancel it.', null],
    ]);
  });

  test('are all that a file asks which lists no prompts, and its columns are then told as of no use', async () => {
    const alone = AGENT.replace('golden_prompts: [hello]\n', '').replace(/ {4}- .id: probed.*\n/, '');
    const replays = 'replays: {sessions: [{id: one, input: What?}]}\n';
    const { suite } = await suiteIn({ 'flakestorm.yaml': `${alone}${replays}` });
    expect(contractsAmong(suite).map(({ name, prompts }) => [name, prompts])).toEqual([['Desk (replay)', ['What?']]]);
    expect(suite.issues).toEqual([]);
    const broken = alone.replace('{name: calm}', '{name: down, profile: api_outage}');
    const warned = await suiteIn({ 'flakestorm.yaml': `${broken}${replays}` });
    expect(brief(warned.suite.issues)).toEqual([
      expect.stringContaining('without golden_prompts the agent is asked its recorded sessions alone'),
    ]);
    const unasked = await suiteIn({ 'flakestorm.yaml': alone });
    expect(brief(unasked.suite.issues)).toEqual([expect.stringContaining('The agent is asked nothing')]);
  });

  test('have every mistake told at once, with its place', async () => {
    const { suite } = await suiteIn({
      'flakestorm.yaml': `${AGENT}
replays:
  sessions:
    - {id: one, input: a, contract: Dessk}
    - {id: two, tool_responses: [{status: 200}]}
    - {id: two, input: b, context: [{role: system}]}
    - {file: absent.yaml}
    - {file: secret.yaml}
    - {id: three, input: c, contract: empty.yaml}
  sources:
    - {type: langsmith, project: other, file: runs.jsonl, filter: {date_range: last_7_days}}
    - {type: langsmith_run, run_id: none, file: runs.jsonl}
`,
      'secret.yaml': 'password: hunter2',
      'empty.yaml': 'contract: {name: Empty, invariants: []}',
      'runs.jsonl': RUNS,
    });
    const issues = brief(suite.issues);
    expect(issues.map((line) => line.split(' ').slice(0, 2).join(' '))).toMatchInlineSnapshot(`
      [
        "unknown_contract 15:37-42",
        "missing_key 16:7-49",
        "missing_key 16:34-47",
        "unsupported_part 17:27-34",
        "file_missing 1:1",
        "other_file 1:1",
        "asserts_nothing 20:39-49",
        "ignored_key 22:47-57",
        "no_runs 22:47-57",
        "no_runs 23:49-59",
        "duplicate_id 17:7-53",
      ]
    `);
    expect(issues.join('\n')).not.toContain('hunter2');
  });

  test('without a file with runs are named as not run', async () => {
    const sources = 'replays: {sources: [{type: langsmith_run, run_id: abc}]}';
    const { notRun } = await suiteIn({ 'flakestorm.yaml': `${AGENT}\n${sources}` });
    expect(notRun).toEqual([
      expect.stringMatching(/^replays\.sources .* name an export of them with file = "runs.jsonl"\.$/),
    ]);
  });
});

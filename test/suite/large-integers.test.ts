import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSuite, mergeShards, runShard, runSuite, type SuiteReport } from '../../src/index.ts';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { judged, sampled } from '../support/sampled.ts';

const ID = '1234567890123456789';

function aFile(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-integers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 's.toml');
  writeFileSync(file, text);
  return file;
}

/** Routes on an id that the model names, renders it, and gives it on. */
const ROUTES = `name = "ids"
trials = 20
[workflow]
inline = '''
name = "ids"
start_nodes = [{ name = "main", source = "manual", entry_node = "a" }]
nodes = [
  { id = "a", type = "llm_infer", backend = "default", prompt = "Which?", output_schema = "inline" },
  { id = "route", type = "switch", expr = "a.parsed.id" },
  { id = "text", type = "template_render", template = "{{parsed.id}} {{parsed}}", input_from = "a" },
  { id = "parse", type = "parse_json", input_from = "a.content" },
  { id = "same", type = "diff_compute", left_from = "a.parsed", right_from = "parse.parsed" },
  { id = "end", type = "json_select", input_from = "trigger", path = "order" },
]
edges = [
  { from = "a", to = "route" },
  { from = "route", to = "text", when = "${ID}" },
  { from = "text", to = "parse" },
  { from = "parse", to = "same" },
  { from = "same", to = "end" },
]
'''
[trigger]
payload = { order = 9007199254740993 }
[[intel.turns]]
content = '{"id":${ID},"list":[-9223372036854775808]}'
[expected]
last_node = "end"
final = { equals = { value = 9007199254740993, found = true } }
[[expected.values]]
node = "text"
path = "rendered"
equals = '${ID} {"id":${ID},"list":[-9223372036854775808]}'
[[expected.values]]
node = "parse"
path = "parsed"
equals_json = '{"id":${ID},"list":[-9223372036854775808]}'
[[expected.values]]
node = "parse"
schema = { properties = { parsed = { properties = { id = { type = "integer", minimum = 1 } } } } }
[[expected.values]]
node = "same"
path = "unchanged"
equals = true
`;

const verdicts = ({ scenarios }: SuiteReport): unknown =>
  scenarios.map(sampled).map(({ verdict, checks }) => [verdict, checks]);

test('integers of 64 bits keep their digits in answers, labels, templates, payloads and expectations', async () => {
  const paths = [aFile(ROUTES)];
  const passed = [['passed', []]];
  expect(verdicts(await runSuite({ paths, workers: 0 }))).toEqual(passed);
  expect(verdicts(await runSuite({ paths, workers: 2 }))).toEqual(passed);
  expect(verdicts(await runSuite({ paths, workers: 2, isolation: 'process' }))).toEqual(passed);
  const shards = await Promise.all([1, 2].map((index) => runShard({ paths, workers: 0, shard: { index, count: 2 } })));
  const { report } = await mergeShards(shards.map(({ bytes }, at) => ({ name: String(at), bytes })));
  expect(verdicts(report)).toEqual(passed);
});

test('one digit off is another integer, and the report shows the digits', async () => {
  const paths = [
    aFile(ROUTES.replace('equals_json = \'{"id":1234567890123456789', 'equals_json = \'{"id":1234567890123456788')),
  ];
  const report = await runSuite({ paths, workers: 0 });
  const [finding] = judged(report.scenarios[0]).failures[0]?.findings ?? [];
  expect(finding?.message).toContain(ID);
  expect(JSON.stringify(finding?.got)).toContain(ID);
});

test('a failing sequence of enumerated answers shows the digits', async () => {
  const text = ROUTES.replace('trials = 20', 'sampler = "exhaustive"').replace(
    'equals = { value = 9007199254740993',
    'equals = { value = 9007199254740992',
  );
  const report = await runSuite({ paths: [aFile(text)], workers: 0 });
  const [finding] = judged(report.scenarios[0]).failures[0]?.findings ?? [];
  expect([finding?.check, JSON.stringify(finding?.got)]).toEqual([
    'final_value equals',
    expect.stringContaining('9007199254740993'),
  ]);
});

test('scenarios made in memory take bigints', async () => {
  const scenario: ScenarioDefinition = {
    name: 'ids',
    workflow: {
      inline: {
        name: 'ids',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'n' }],
        nodes: [
          { id: 'n', type: 'switch', expr: 'trigger.id' },
          { id: 'end', type: 'terminate' },
        ],
        edges: [{ from: 'n', to: 'end', when: ID }],
      },
    },
    trigger: { payload: { id: BigInt(ID), small: 7n } },
    expected: { lastNode: 'end', values: [{ node: 'n', path: 'value', equals: BigInt(ID) }] },
  };
  expect(verdicts(await runSuite({ scenarios: [scenario], workers: 0 }))).toEqual([['passed', []]]);
});

declare module '../../src/types/definitions/node-keys.ts' {
  interface NodeKeys {
    readonly next_id: { readonly idFrom: string };
  }
}

test('functions of the host get them and give them', async () => {
  const heard: unknown[] = [];
  const report = await runSuite({
    scenarios: [
      {
        name: 'live',
        workflow: {
          inline: {
            name: 'live',
            startNodes: [{ name: 'main', source: 'manual', entryNode: 'n' }],
            nodes: [{ id: 'n', type: 'next_id', idFrom: 'trigger.id' }],
            edges: [],
          },
        },
        trigger: { payload: { id: BigInt(ID) } },
        expected: { final: { equals: { id: BigInt(ID) + 1n } } },
      },
    ],
    nodes: {
      next_id: {
        reads: ['id_from'],
        run: ([id]) => {
          heard.push(id);
          return { output: { id: (id as bigint) + 1n } };
        },
      },
    },
  });
  expect(heard).toEqual([BigInt(ID)]);
  expect(verdicts(report)).toEqual([['passed', []]]);
});

test('where passk counts, a large integer is a problem with its place', async () => {
  const file = aFile(
    ROUTES.replace('trials = 20', `trials = ${ID}`).replace(
      'type = "switch",',
      `type = "switch", retry = { max_attempts = ${ID} },`,
    ),
  );
  const { issues } = await loadSuite({ paths: [file] });
  expect(issues.map(({ code, message, at }) => [code, message, at?.line])).toEqual([
    ['integer_too_large', `"trials" cannot be ${ID}.`, 2],
    ['integer_too_large', expect.stringContaining(`cannot be ${ID}.`), 9],
  ]);
});

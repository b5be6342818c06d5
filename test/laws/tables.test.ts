import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { valueBytes } from '../../src/engine/value-bytes.ts';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import type { WorkflowProgram } from '../../src/trial/program.ts';
import { TableRunner } from '../../src/trial/table-runner.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import type { Turn } from '../../src/types/scenario.ts';
import type { Workflow } from '../../src/types/workflow.ts';
import { anExpected } from '../checks/builders.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { arbitraryWorkflow, growWorkflow } from './arbitrary-workflow.ts';
import { compilePure } from '../support/compile-pure.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const TRIALS = 150;
const LONG = 60_000 + LAW_RUNS * 100;

/** What tables know. */
const TABLE_TYPES = [
  'condition',
  'diff_compute',
  'fail',
  'json_select',
  'llm_infer',
  'merge',
  'parse_json',
  'respond',
  'switch',
  'template_render',
  'terminate',
];

/** Scenarios whose trials tables can walk, most of them; loops, faults, repairs and every kind of end included. */
const arbitraryTablePlan: fc.Arbitrary<WorkflowPlan> = fc
  .tuple(arbitraryPlan, arbitraryWorkflow(9, TABLE_TYPES))
  .map(([plan, seed]) => {
    const { expected } = plan.scenario;
    return {
      ...plan,
      scenario: {
        ...plan.scenario,
        subject: {
          ...plan.scenario.subject,
          workflow: growWorkflow(seed, { name: 'top', children: [], self: null, servers: [] }),
          children: {},
        },
        timeoutMs: 30_000,
        faults: { intelErrorOnCall: null },
        expected: { ...expected, prompts: [], branches: [], files: { exist: [], absent: [], contain: {} } },
      },
    };
  });

const aCut = fc.integer({ min: 1, max: TRIALS - 1 });

function compile(plan: WorkflowPlan, useTables: boolean): WorkflowProgram {
  return compilePure(plan, { useTables });
}

function bytes(program: WorkflowProgram, ranges: readonly (readonly [number, number])[]): string {
  const tally = program.newTally();
  for (const [from, to] of ranges) program.run(from, to, tally);
  return Buffer.from(encodeTally(tally)).toString('hex');
}

function countsTheSame(plan: WorkflowPlan, cut: number): void {
  const tables = compile(plan, true);
  const whole = bytes(tables, [[0, TRIALS]]);
  expect(whole).toBe(bytes(compile(plan, false), [[0, TRIALS]]));
  // Tables that have to grow with nearly every cell.
  expect(bytes(compilePure(plan, { tableRoom: 1 }), [[0, TRIALS]])).toBe(whole);
  // Again on warm tables, split anywhere.
  const split = [
    [cut, TRIALS],
    [0, cut],
  ] as const;
  expect(bytes(tables, split)).toBe(whole);
}

test('trials over tables count exactly what walked trials count', { timeout: LONG }, () => {
  fc.assert(fc.property(arbitraryTablePlan, aCut, countsTheSame), { numRuns: LAW_RUNS });
});

test('programs that tables know only in part, or not at all, count the same as well', { timeout: LONG }, () => {
  fc.assert(fc.property(arbitraryPlan, aCut, countsTheSame), { numRuns: LAW_RUNS });
});

test('the law is not empty: tables take most trials of the programs made for them', () => {
  const run = vi.spyOn(TableRunner.prototype, 'run');
  const plans = fc.sample(arbitraryTablePlan, { numRuns: 200, seed: 7 });
  for (const plan of plans) bytes(compile(plan, true), [[0, TRIALS]]);
  const taken = run.mock.calls.reduce((sum, [from], call) => {
    const { value } = run.mock.results[call] ?? {};
    return sum + (typeof value === 'number' ? value - from : 0);
  }, 0);
  run.mockRestore();
  expect(taken / (plans.length * TRIALS)).toBeGreaterThan(0.4);
});

test('a request is made once wherever the room of a table ends', () => {
  const ask = { id: 'ask', type: 'llm_infer', config: { backend: 'default', prompt: 'p' } };
  const variant = (content: string) => ({ content, promptTokens: 1, completionTokens: 1, weight: 1 });
  const turn = { repeat: false, variants: [variant('a'), variant('b'), variant('c')] };
  for (let before = 120; before <= 130; before++) {
    const merges = Array.from({ length: before }, (_, at) => ({ id: `m${at}`, type: 'merge', config: {} }));
    countsTheSame(inARow([...merges, ask, { ...ask, id: 'again' }], [turn, turn, turn, turn]), 40);
  }
});

test('what a node reads from further back decides, whatever stands in between', () => {
  const ask = { id: 'ask', type: 'llm_infer', config: { backend: 'default', prompt: 'p' } };
  const other = { ...ask, id: 'other' };
  const fixed = { id: 'fixed', type: 'template_render', config: { template: 'the same for all' } };
  const parse = (from: string) => ({
    id: `parse_${from}`,
    type: 'parse_json',
    config: { inputFrom: `${from}.content` },
  });
  const echo = (from: string) => ({
    id: `echo_${from}`,
    type: 'template_render',
    config: { inputFrom: from, template: '{{content}}' },
  });
  const variant = (content: string) => ({ content, promptTokens: 1, completionTokens: 1, weight: 1 });
  const turn = { repeat: false, variants: [variant('{"a": 1}'), variant('no JSON')] };
  const rows = [
    [ask, fixed, parse('ask')],
    [ask, other, parse('ask'), parse('other')],
    [ask, other, echo('other'), parse('ask')],
    [ask, other, echo('ask'), fixed, parse('ask')],
    [ask, echo('ask'), parse('ask')],
  ];
  for (const row of rows) countsTheSame(inARow(row, [turn, turn]), 40);
});

test('a trial over tables that keeps more than one walk may ends as a walked one', () => {
  const around = valueBytes({ rendered: '' });
  const render = (id: string, bytes: number) => ({
    id,
    type: 'template_render',
    config: { template: 'x'.repeat(bytes - around) },
  });
  const large = Array.from({ length: 8 }, (_, at) => render(`large${at}`, 2 ** 20 - 10));
  // The last output is so small that tables do not add it up, and yet it is what decides.
  for (const over of [0, 1]) countsTheSame(inARow([...large, render('small', 80 + over)], []), 40);
});

test('trials over tables are counted to the end in runs of any length', () => {
  const nodes = [{ id: 'm', type: 'merge', config: {} }];
  const program = compile(inARow(nodes, []), true);
  const cuts = [0, 100_000, 200_000, 250_000, 500_000];
  const parts = cuts.slice(1).map((to, at) => [cuts[at] ?? 0, to] as const);
  expect(bytes(program, [[0, 500_000]])).toBe(bytes(program, parts));
});

/** Nodes in a row, of which nothing is expected: trials that fail are walked to be shown, and these are not. */
function inARow(nodes: Workflow['nodes'], turns: readonly Turn[]): WorkflowPlan {
  const [plan] = fc.sample(arbitraryTablePlan, { numRuns: 1, seed: 1 });
  if (plan === undefined) throw new Error('no plan was drawn');
  const edges = nodes.slice(1).map(({ id }, at) => ({ from: nodes[at]?.id ?? '', to: id }));
  const startNodes = [{ name: 'main', source: 'manual' as const, entryNode: nodes[0]?.id ?? '' }];
  const { scenario } = plan;
  const { subject } = scenario;
  return {
    ...plan,
    sampler: 'seeded',
    scenario: {
      ...scenario,
      expected: anExpected({}),
      subject: {
        ...subject,
        workflow: { ...subject.workflow, nodes, edges, startNodes },
        trigger: { ...subject.trigger, start: 'main' },
        turns,
      },
    },
  };
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canary, type ShadowCanaryOptions } from '../../src/index.ts';
import type { CanaryShadow } from '../../src/types/canary/canary-shadow.ts';
import { aGoldenSet } from '../golden/a-golden-set.ts';

const TASKS = 40;
const NOW = Date.UTC(2026, 10, 26);

const CONFIG = `candidate = "2"
tier = "dev"
[[stages]]
percent = 0
min_outcomes = 20
max_outcomes = 500
min_pass_rate = 0.7
max_error_rate = 0.4
[[stages]]
percent = 5
min_outcomes = 20
max_outcomes = 500
min_pass_rate = 0.7
max_error_rate = 0.4
`;

/** Differs from production in another way on each of the first orders. */
const AGENT = `export default ({ tools }) => (message) => {
  const order = /R-\\d+/.exec(message)[0];
  const call = (name, args) => tools.find((tool) => tool.name === name).execute(args);
  if (order === 'R-1') {
    call('pay', { order });
    return 'Paid.';
  }
  call('find', { order });
  if (order === 'R-2') {
    try {
      call('pay', { order: 'R-900' });
    } catch {}
    try {
      call('find', { order: 'R-900' });
    } catch {}
  }
  if (order === 'R-3') call('find', { order: 'R-900' });
  call('pay', { order });
  return order === 'R-4' ? 'Done.' : 'Paid.';
};
`;

let cwd = '';
const shadow = async (out: string, more: Partial<ShadowCanaryOptions> = {}): Promise<CanaryShadow> => {
  const how = { permissions: { run: ['./next.mjs', './now.mjs'] }, workers: 1, readOnly: ['find'], now: () => NOW };
  const found = await canary.shadow({
    config: 'canary.toml',
    paths: ['set'],
    agents: 'next.toml',
    out,
    cwd,
    ...how,
    ...more,
  });
  if (found === null) throw new Error('it was stopped');
  return found;
};
const linesOf = (name: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(path.join(cwd, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
const step = (outcomes: string, state: string) =>
  canary.step({ config: 'canary.toml', outcomes: [outcomes], state, cwd, now: () => NOW });

let told: CanaryShadow;
beforeAll(async () => {
  cwd = aGoldenSet(TASKS, []);
  writeFileSync(path.join(cwd, 'canary.toml'), CONFIG);
  writeFileSync(path.join(cwd, 'next.mjs'), AGENT);
  // Nothing says what is right of what nobody judged.
  const session = readFileSync(path.join(cwd, 'set/R-5.toml'), 'utf8');
  writeFileSync(path.join(cwd, 'set/R-5.toml'), session.replace('counts = true', 'counts = false'));
  told = await shadow('shadow.jsonl');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('each way to differ from production is told by task, with rates and intervals', () => {
  expect(told.tasks).toHaveLength(TASKS);
  const of = (order: string) => told.tasks.find(({ task }) => task === `${order}: pay`);
  expect(of('R-0')).toEqual({
    task: 'R-0: pay',
    file: 'set/R-0.toml',
    traceId: 'trace-R-0',
    ended: 'passed',
    sameAnswer: true,
    sameCalls: true,
    divergence: null,
    refused: null,
  });
  expect(of('R-1')).toMatchObject({
    ended: 'failed',
    sameAnswer: true,
    sameCalls: false,
    divergence: 'call 1 (message 1) is pay {"order":"R-1"} in place of find {"order":"R-1"}',
  });
  // What it asked first decides, whatever the agent does with the error.
  expect(of('R-2')).toMatchObject({ ended: 'write_refused', refused: 'pay', sameAnswer: null, sameCalls: false });
  expect(of('R-3')).toMatchObject({ ended: 'replay_miss', refused: 'find' });
  expect(of('R-4')).toMatchObject({ ended: 'passed', sameAnswer: false, sameCalls: true, divergence: null });
  expect(of('R-5')).toMatchObject({ ended: 'unjudged', sameAnswer: true });
  expect(told).toMatchObject({
    isWatched: false,
    passed: { count: TASKS - 4, of: TASKS - 3 },
    sameAnswer: { count: TASKS - 3, of: TASKS - 2 },
    sameCalls: { count: TASKS - 3, of: TASKS },
    writesRefused: { count: 1, of: TASKS, share: 1 / TASKS },
    replayMisses: { count: 1 },
    unjudged: 1,
    broken: 0,
    costUsd: null,
  });
  // Clopper and Pearson: no more than x of n, as R's binom.test(1, 40) has it.
  expect(told.writesRefused.interval?.[0]).toBeCloseTo(0.000633, 5);
  expect(told.writesRefused.interval?.[1]).toBeCloseTo(0.131586, 5);
  expect(canary.renderShadow(told, { columns: 200 })).toContain(
    'write_refused R-2: pay: The tool "pay" was called with',
  );
});

test('the outcomes hold what was said, and lead a canary out of the shadow, once', async () => {
  const lines = linesOf('shadow.jsonl');
  expect(lines).toHaveLength(TASKS);
  expect(lines[0]).toMatchObject({ percent: 0, passed: true, shadow: { said: { candidate: ['Paid.'] } } });
  const first = await step('shadow.jsonl', 'a.json');
  // What nobody judged is set aside, and what was refused is an error of the harness.
  expect(first.setAside).toMatchObject([{ reason: 'no_verdict' }]);
  expect(first.report).toMatchObject({ decision: 'promote', percent: 5, counted: TASKS - 1 });
  expect(first.report.stages[0]).toMatchObject({ rules: { percent: 0 }, state: 'passed' });
  const again = await step('shadow.jsonl', 'a.json');
  expect(again.report).toMatchObject({ counted: TASKS - 1, percent: 5 });
});

test('writes that are violations take the candidate back', async () => {
  await shadow('violations.jsonl', { writesViolate: true });
  const { report } = await step('violations.jsonl', 'b.json');
  expect(report).toMatchObject({ state: 'rolled_back', reasons: [{ code: 'VIOLATION' }] });
});

test('without a word that a tool only reads, what it was never asked counts as a write; the file of the tools may say it', async () => {
  const wrote = await shadow('unsaid.jsonl', { readOnly: [], paths: ['set/R-3.toml'] });
  expect(wrote.tasks).toMatchObject([{ ended: 'write_refused', refused: 'find' }]);
  const file = path.join(cwd, 'set/R-3.tools.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('{"name":"find"}', '{"name":"find","read_only":true}'));
  const read = await shadow('said.jsonl', { readOnly: [], paths: ['set/R-3.toml'] });
  expect(read.tasks).toMatchObject([{ ended: 'replay_miss', refused: 'find' }]);
});

test('the same seed gives the same report and the same outcomes for any number of workers', async () => {
  const [one, two] = [await shadow('one.jsonl', { workers: 1 }), await shadow('two.jsonl', { workers: 2 })];
  expect({ ...two, outcomes: '' }).toEqual({ ...one, outcomes: '' });
  expect(linesOf('two.jsonl')).toEqual(linesOf('one.jsonl'));
});

test('what could have effects, hide what production did, or overwrite outcomes is refused', async () => {
  await expect(shadow('shadow.jsonl')).rejects.toMatchObject({ code: 'USAGE' });
  await expect(shadow('x.jsonl', { readOnly: ['fnid'] })).rejects.toMatchObject({
    code: 'USAGE',
    message: 'No session has a tool "fnid".',
  });
  const { agents: _, ...none } = { agents: undefined };
  await expect(
    canary.shadow({ config: 'canary.toml', paths: ['set'], out: 'x.jsonl', cwd, ...none }),
  ).rejects.toMatchObject({
    code: 'USAGE',
    hint: expect.stringContaining('--agents') as unknown,
  });
  const live = `name = "live"\n[session]\nworld = "tools.mjs"\n[[tasks]]\nname = "a"\nuser = { opening = "Hi." }\n`;
  writeFileSync(path.join(cwd, 'tools.mjs'), 'export default {};');
  writeFileSync(path.join(cwd, 'live.toml'), `${live}[[tasks.agents]]\nname = "b"\nturns = [{ says = "Hi." }]\n`);
  await expect(shadow('x.jsonl', { paths: ['live.toml'] })).rejects.toMatchObject({
    code: 'INPUT',
    message: 'These are no recordings of production: live: a.',
  });
});

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinImporters } from '../../../src/importers/builtin.ts';
import { deepeval } from '../../../src/importers/deepeval.ts';
import { inFolder, pythonOf, skipsWithout } from '../a-python.ts';
import { importAll, sourceAt, sourceOf } from '../import-all.ts';
import { metric, testCase, testRun } from '../sources/deepeval.ts';

const PYTHON = pythonOf('python-deepeval');

function only(told: Readonly<Record<string, unknown>>) {
  const [run] = importAll(deepeval, sourceOf({ 'run.json': testRun([testCase(told)]) })).sets[''] ?? [];
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

describe('DeepEval', () => {
  it('reads a case: verdict, metrics, prices of subject and judge, time, calls, gold and context', () => {
    const source = sourceOf({ 'run.json': testRun([testCase()]) });
    expect(builtinImporters.find((one) => one.detects(source, {}))).toBe(deepeval);
    expect(only({})).toMatchObject({
      task: 'add: 2+2',
      scores: [
        { name: 'success', value: true },
        { name: 'Exact', value: 1, passed: true, explanation: 'same' },
      ],
      messages: [
        { role: 'user', parts: [{ text: '2+2' }] },
        { role: 'assistant', parts: [{ kind: 'tool_call', name: 'calc', args: { a: 2 } }] },
        { role: 'tool', parts: [{ kind: 'tool_result', name: 'calc', result: 4 }] },
        { role: 'assistant', parts: [{ text: '4' }] },
      ],
      costs: [
        { kind: 'model', usd: 0.01 },
        { kind: 'judge', name: 'judge-1', usd: 0.001 },
      ],
      durationMs: 500,
      gold: [{ name: 'calc', args: { a: 2 } }],
      documents: [{ source: null, text: 'Sums are numbers.' }],
      unsaid: { usage: expect.any(String) },
    });
  });

  it('counts a metric that crashed as an error, unless another one failed', () => {
    const crashed = metric({ success: false, score: undefined, error: 'RuntimeError: judge down' });
    expect(only({ success: false, metricsData: [metric(), crashed] })).toMatchObject({
      error: 'The metric Exact failed: RuntimeError: judge down',
      scores: [{ value: false }, { value: 1 }, { value: null }],
    });
    const failed = metric({ success: false, score: 0 });
    expect(only({ success: false, metricsData: [crashed, failed] }).error).toBeUndefined();
  });

  it('names cases that have no name by their input, and knows no price and time where they are not told', () => {
    const run = only({ name: 'test_case_7', tokenCost: undefined, completionTime: undefined });
    expect([run.task, run.durationMs, run.costs?.[0]]).toEqual(['2+2', undefined, { kind: 'model', name: 'model' }]);
    expect(Object.keys(run.unsaid ?? {})).toEqual(['usage', 'cost', 'durationMs']);
  });

  it('reads conversations, and the run that DeepEval keeps for its next command', () => {
    const turns = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ];
    const talk = {
      name: 'conversational_test_case_0',
      scenario: 'A greeting',
      turns,
      success: true,
      metricsData: [metric()],
    };
    const text = `{"testRunData": ${testRun([testCase()], [talk])}}`;
    const source = sourceOf({ 'run.json': text });
    expect(deepeval.detects(source, {})).toBe(true);
    expect(importAll(deepeval, source).sets['']).toMatchObject([
      { task: 'add: 2+2' },
      { task: 'A greeting', messages: [{ role: 'user' }, { role: 'assistant', parts: [{ text: 'Hello' }] }] },
    ]);
  });

  it('costs a broken case itself', () => {
    const text = testRun([testCase(), { success: true }, testCase()]);
    const { sets, broken, problems } = importAll(deepeval, sourceOf({ 'run.json': text.slice(0, -150) }));
    expect(sets['']).toHaveLength(1);
    expect(broken).toEqual(['It has neither a name nor an "input".', expect.stringContaining('It is not JSON')]);
    expect(problems).toHaveLength(1);
  });

  it.skipIf(skipsWithout('deepeval', PYTHON))(
    'reads what DeepEval writes into its folder of results',
    { timeout: 120_000 },
    async () => {
      const peer = new URL('peer.py', import.meta.url).pathname;
      const env = { DEEPEVAL_TELEMETRY_OPT_OUT: 'YES', DEEPEVAL_RESULTS_FOLDER: 'out', DEEPEVAL_DISABLE_DOTENV: '1' };
      const folder = path.join(await inFolder(PYTHON, () => [peer], env), 'out');
      const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.json'));
      const source = sourceAt(path.join(folder, file));
      expect(builtinImporters.find((one) => one.detects(source, {}))).toBe(deepeval);
      const { sets, broken, problems } = importAll(deepeval, source);
      expect([broken, problems]).toEqual([[], []]);
      expect(sets['']?.map(({ task, error, scores: [score] }) => [task, score?.value, error])).toEqual([
        ['2+2', true, undefined],
        ['2+2', false, undefined],
        ['2+2', true, undefined],
        ['2+2', false, 'The metric Exact failed: RuntimeError: judge down'],
      ]);
      expect(sets['']?.[0]).toMatchObject({ costs: [{ usd: 0.01 }, { kind: 'judge', usd: 0.001 }], durationMs: 500 });
    },
  );
});

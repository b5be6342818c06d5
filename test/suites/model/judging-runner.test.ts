import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { renderReport, type RunSuiteOptions } from '../../../src/index.ts';
import { runModels, says, specsIn, statesOf } from './a-spec.ts';

/** A runner that judges by itself: a model called `wrong` fails, one called `late` is too late the first time. */
const ORACLE = `import { appendFileSync } from 'node:fs';
let asked = 0;
export const oracle = {
  kind: 'runner',
  type: 'oracle',
  summary: 'Knows it all.',
  judges: ['text-includes'],
  atOnce: 1,
  open: async (start) => ({
    atOnce: null,
    async ask({ model, validators, stream }) {
      appendFileSync(start.cwd + '/asked', model + ' ' + JSON.stringify(validators) + '\\n');
      const chunks = stream ? [] : null;
      if (model === 'echo/late' && asked++ === 0) {
        return { kind: 'problem', why: 'error', message: 'Later.', code: '14', transient: true, retryAfterMs: null, chunks, latencyMs: 1 };
      }
      return { kind: 'verdict', failure: model === 'echo/wrong' ? 'It is not so.' : null, chunks: null, latencyMs: 1 };
    },
    close: async () => undefined,
  }),
};
`;

function anOracle(spec: string): string {
  const cwd = specsIn({ echo: spec });
  writeFileSync(path.join(cwd, 'oracle.mjs'), ORACLE);
  return cwd;
}

const check = (cwd: string, options: RunSuiteOptions = {}) =>
  runModels(cwd, { runner: 'oracle', plugins: ['oracle.mjs'], ...options });

const THREE = ['good', 'wrong', 'late'].map((name) => `- model: echo/${name}\n  tests:${says(name)}\n`).join('');

test('a runner that judges by itself gets the validators, and its verdicts are those of the tests', async () => {
  const cwd = anOracle(THREE);
  const report = await check(cwd);
  const results = report.results.filter((one) => one.kind === 'model');
  expect(statesOf(results)).toEqual({ 'says good': 'passed', 'says wrong': 'failed', 'says late': 'flaky' });
  expect(results[0]?.cells[1]).toMatchObject({ message: 'oracle: It is not so.', answer: null, tokens: 0 });
  expect(renderReport(report, { reporter: 'text' })).toContain('It is not so.');
  expect(readFileSync(path.join(cwd, 'asked'), 'utf8')).toContain(
    'echo/good [{"type":"text-includes","argument":"good"}]',
  );
});

test('a runner that takes one question at a time is never asked again alone', async () => {
  const cwd = anOracle(THREE);
  await check(cwd, { testConcurrency: 5, names: ['says wrong'] });
  expect(readFileSync(path.join(cwd, 'asked'), 'utf8').split('\n').length - 1).toBe(1);
});

test('its verdicts are recorded, and repeated without it', async () => {
  const cwd = anOracle(THREE);
  const recorded = await check(cwd, { record: 'run.tape', trials: 3 });
  const asked = readFileSync(path.join(cwd, 'asked'), 'utf8');
  const bytes = async (workers: number): Promise<string> =>
    JSON.stringify({ ...(await check(cwd, { replay: 'run.tape', trials: 3, workers })), timing: null });
  const one = await bytes(0);
  expect(await bytes(2)).toBe(one);
  expect(JSON.parse(one).results).toEqual(recorded.results);
  expect(readFileSync(path.join(cwd, 'asked'), 'utf8')).toBe(asked);
});

test('a validator that it does not know is an error of the file', async () => {
  const spec = `- model: echo/good\n  tests:${says('good').replace(']\n', '')}`.replace('good"]', 'good", usage-sane]');
  await expect(check(anOracle(spec))).rejects.toMatchObject({
    issues: [
      {
        code: 'unknown_validator',
        message: 'The runner "oracle" judges answers itself, and does not know the validator "usage-sane".',
        at: { line: 5 },
      },
    ],
  });
});

test('a runner that cannot be closed costs no report, which says so', async () => {
  const cwd = anOracle(THREE);
  const file = path.join(cwd, 'oracle.mjs');
  const broken = "close() { throw new Error('still busy'); },";
  writeFileSync(file, readFileSync(file, 'utf8').replace('close: async () => undefined,', broken));
  const { results, notices } = await check(cwd, { names: ['says good'] });
  expect(statesOf(results.filter((one) => one.kind === 'model'))).toEqual({ 'says good': 'passed' });
  expect(notices).toEqual([
    expect.objectContaining({
      code: 'runner_not_closed',
      message: expect.stringMatching(
        /^`close` of the runner "oracle" in oracle\.mjs failed at oracle\.mjs:\d+:\d+: still busy$/,
      ),
    }),
  ]);
});

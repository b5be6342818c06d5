import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  calibrateJudge,
  renderReport,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  staleParts,
  type SuiteReport,
} from '../../../src/index.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import { judgeOf } from '../../judges/a-judge.ts';
import { labelsOf } from '../../judges/labels.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-judge-modules-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(path.join(cwd, name), text);

/** Three of four answers are kind. */
function aShop(expected: string): string {
  return `name = "shop"
trials = 8
[session]
[state]
[[tools]]
name = "look"
steps = []
[[tasks]]
name = "ask"
user = { opening = "Is it in stock?" }
agents = [{ name = "a", turns = [{ variants = [{ says = "Kindly: yes.", weight = 3 }, { says = "Go away." }] }] }]
[tasks.expected]
${expected}
`;
}
write('shop.toml', aShop('judges = ["kindness"]'));
write('better.toml', aShop('prefers = [{ judge = "better", over = "Go off.", ties = true }]'));

/** Looks at the record, waits as a judge with a service behind it does, and tells its tokens. */
const KIND = `
const said = (record) => record.turns.filter(({ role }) => role === 'assistant').flatMap(({ parts }) => parts).map(({ text }) => text).join();
export default {
  async pointwise({ record, criteria, repeat }) {
    await null;
    const met = said(record).includes('Kindly');
    const verdicts = criteria.map(({ id }) => ({ criterion: id, met, reason: 'repeat ' + repeat }));
    return { verdicts, usage: { promptTokens: 11, completionTokens: 2 } };
  },
  pairwise({ A, B }) {
    const [a, b] = [A, B].map((record) => said(record).includes('Kindly'));
    return { verdict: a === b ? 'tie' : a ? 'A' : 'B' };
  },
};
`;
write('kind.mjs', KIND);

const KINDNESS: JudgeSetting = {
  name: 'kindness',
  module: 'kind.mjs',
  criteria: [{ id: 'kind', text: 'The agent is kind.' }],
};

function run(judge: JudgeSetting, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({
    cwd,
    paths: ['shop.toml'],
    seed: 3,
    workers: 0,
    judges: [judge],
    permissions: { run: [path.join(cwd, judge.module ?? '')] },
    ...options,
  });
}

const only = ({ scenarios }: SuiteReport) => scenarios[0] as SampledScenario;
const countsOf = (report: SuiteReport) => {
  const { met, unmet, errors } = only(report).judges?.[0] ?? {};
  return [met, unmet, errors];
};

test('a module judges trials by a rubric, alone and in an ensemble, with repeats, and again from a cassette without it', async () => {
  const ensemble = { ...KINDNESS, models: ['fair'], repeats: 2 };
  const models = { fair: judgeOf('Kindly') };
  const report = await run(ensemble, { models, record: 'tape' });
  const { trials, judges } = only(report);
  expect([trials.passed > 0, trials.failed > 0]).toEqual([true, true]);
  expect(judges?.[0]).toMatchObject({
    models: ['fair', 'kind.mjs'],
    met: trials.passed,
    unmet: trials.failed,
    errors: 0,
    noise: { answers: 32, flips: 0 },
    agreement: [{ models: ['fair', 'kind.mjs'], trials: 8 }],
  });
  const again = await run(ensemble, { models, replay: 'tape', permissions: {} });
  const bytes = (one: SuiteReport) => renderReport(one, { reporter: 'json', timing: false });
  expect(bytes(again)).toBe(bytes(report));
  expect(countsOf(await run(KINDNESS, { workers: 1 }))).toEqual([trials.passed, trials.failed, 0]);
  // One judge of two scenarios is one.
  const twice = { ...report, scenarios: [only(report), { ...only(report), name: 'another' }] };
  const text = renderReport(twice, { reporter: 'text' });
  expect(text).toContain('Judges: 1 judge · 1 may not decide a gate\n');
  expect(text.match(/kindness uncalibrated/g)?.length).toBe(2);
});

test('a module compares in both orders, and what passk asks of a judge that follows the place is asked of it', async () => {
  const better = { ...KINDNESS, name: 'better', compares: true };
  const fair = await run(better, { paths: ['better.toml'] });
  expect(only(fair).trials.failed).toBe(0);
  expect(only(fair).judges?.[0]?.position).toMatchObject({ rounds: 8, consistent: 8 });
  write('first.mjs', "export default { pairwise: () => ({ verdict: 'A' }) };");
  const first = await run({ ...better, module: 'first.mjs' }, { paths: ['better.toml'] });
  expect(only(first).judges?.[0]?.position).toMatchObject({ rounds: 8, consistent: 0, firstShare: 1 });
});

test.each([
  ['throws', "pointwise() { throw new RangeError('no idea'); }", 'RangeError: no idea'],
  ['speaks prose', "pointwise: () => 'All is well, every criterion is met.'", 'No JSON object of the answer'],
  ['gives an empty list', 'pointwise: () => ({ verdicts: [] })', 'empty, which decides nothing'],
  ['gives nothing', 'pointwise: () => undefined', 'gave no verdict'],
  [
    'contradicts itself',
    "pointwise: () => ({ verdicts: [true, false].map((met) => ({ criterion: 'kind', met })) })",
    'two verdicts',
  ],
  [
    'never ends',
    'pointwise: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    'timed out after 700 ms',
  ],
  ['ends its process', 'pointwise: () => process.exit(3)', 'exit'],
  ['says a megabyte', "pointwise: () => 'a'.repeat(1 << 20)", 'longer than'],
  [
    'rules on what nobody asked',
    "pointwise: () => ({ verdicts: ['kind', 'polite'].map((criterion) => ({ criterion, met: true })) })",
    'rules on "polite", and is asked about kind',
  ],
  [
    'tells tokens below none',
    'pointwise: ({ criteria: [{ id }] }) => ({ verdicts: [{ criterion: id, met: true }], usage: { promptTokens: -4, completionTokens: 1 } })',
    'usage.promptTokens of the module is no count of tokens',
  ],
  ['only compares', "pairwise: () => ({ verdict: 'A' })", 'has no function pointwise'],
  ['is none', '', 'exports no judge'],
])('a module that %s is an error of the judge, and a verdict of nobody', async (_, code, why) => {
  write('odd.mjs', `export default { ${code} };`);
  const report = await run({ ...KINDNESS, module: 'odd.mjs', timeoutMs: 700 }, { trials: 1 });
  expect(countsOf(report)).toEqual([0, 0, 1]);
  expect(only(report).failures[0]?.brokenBy).toContain(why);
});

test('a module that asks a model of its own has its answer read as that of a model', async () => {
  write(
    'asks.mjs',
    `export default {
  pointwise({ messages }) {
    const mark = /"mark":"(m-[0-9a-f]+)"/.exec(messages[0].content)[1];
    return '\`\`\`json\\n' + JSON.stringify({ mark, verdicts: [{ criterion: 'kind', met: true }] }) + '\\n\`\`\`';
  },
};`,
  );
  expect(countsOf(await run({ ...KINDNESS, module: 'asks.mjs' }, { trials: 2 }))).toEqual([2, 0, 0]);
});

test('nobody runs a module that is not granted, and a calibration is of its text', async () => {
  await expect(run(KINDNESS, { permissions: {} })).rejects.toThrow(/kind\.mjs needs --allow-run=/);
  await expect(run({ ...KINDNESS, module: 'gone.mjs' })).rejects.toThrow('cannot be read');
  await expect(run({ name: 'none', criteria: [{ id: 'kind', text: 'It is kind.' }] })).rejects.toThrow(
    'neither `models` nor a `module`',
  );
  write('labels.csv', labelsOf([97, 95]));
  const about = { judge: 'kindness', judges: [KINDNESS], cwd };
  const calibration = await calibrateJudge({ ...about, labels: ['labels.csv'] });
  expect(staleParts(calibration, about)).toEqual([]);
  write('kind.mjs', `${KIND}// Another text.`);
  expect(staleParts(calibration, about)).toEqual(['judge']);
  write('kind.mjs', KIND);
});

test('a module verifies claims against their contexts, and says nothing where one has no verdict', async () => {
  write(
    'verify.mjs',
    `export default {
  verify({ claims, contexts, criteria, background }) {
    if (claims.some(({ text }) => text.includes('Go away'))) return { verdicts: [] };
    const verdicts = claims.map(({ id, text }) => ({ criterion: id, met: contexts.join().includes(text), reason: background }));
    return criteria.length > 0 ? null : { verdicts };
  },
};`,
  );
  write('claims.toml', aShop('faithful = { judge = "grounded", texts = ["Kindly: yes."] }'));
  const grounded: JudgeSetting = { name: 'grounded', module: 'verify.mjs', verifies: true, background: 'as it stands' };
  const report = await run(grounded, { paths: ['claims.toml'], record: 'claims.cassette' });
  const { trials, judges: [judge] = [] } = only(report);
  expect([trials.passed > 0, trials.broken > 0, trials.passed + trials.broken]).toEqual([true, true, 8]);
  expect(judge).toMatchObject({ met: trials.passed, errors: trials.broken, claims: { score: 1 } });
  const replayed = await run(grounded, { paths: ['claims.toml'], replay: 'claims.cassette', permissions: {} });
  expect(only(replayed).trials).toEqual(trials);
});

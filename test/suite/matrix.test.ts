import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSuite, renderReport, runSuite, type RunSuiteOptions, type SuiteReport } from '../../src/index.ts';
import { stratifiedDifference } from '../../src/stats/stratified-difference.ts';
import { answer, startModelServer } from '../support/model-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-matrix-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const ASK = (more: string): string => `
name = "ask"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "ask"
type = "llm_infer"
${more}
`;

/** A file in which the model is right as often as the matrix says. */
const FILE = `name = "answers"
trials = 40
min_pass_rate = 0
[[cases]]
name = "greeting"
word = "hi"
[[cases]]
name = "hours"
word = "nine"
[matrix]
tone = ["short", "polite"]
model = [{ name = "small", good = 5, bad = 5 }, { name = "large", good = 9, bad = 1 }]
[workflow]
inline = '''${ASK('backend = "default"\nprompt = "{{matrix.tone}}: {{trigger.text}}"')}'''
[[intel.turns]]
node = "ask"
variants = [
  { weight = "{{matrix.model.good}}", content = "{{case.word}}" },
  { weight = "{{matrix.model.bad}}", content = "no" },
]
[[expected.values]]
node = "ask"
path = "content"
equals = "{{case.word}}"
`;

function write(name: string, text: string): string {
  writeFileSync(path.join(cwd, name), text);
  return name;
}

const run = (text: string, options: RunSuiteOptions = {}): Promise<SuiteReport> =>
  runSuite({ cwd, paths: [write('answers.toml', text)], workers: 0, ...options });

async function problems(text: string): Promise<readonly unknown[]> {
  const { issues } = await loadSuite({ cwd, paths: [write('wrong.toml', text)] });
  return issues.map(({ severity, message, at }) => [severity, message, at?.line]);
}

test('every combination is a scenario on every case, and what they came to is the same for any number of workers', async () => {
  const report = await run(FILE);
  expect(report.scenarios.map(({ name }) => name)).toEqual(
    ['greeting', 'hours'].flatMap((one) =>
      ['short, small', 'short, large', 'polite, small', 'polite, large'].map((cell) => `answers: ${one} [${cell}]`),
    ),
  );
  const json = renderReport(report, { reporter: 'json', timing: false });
  for (const workers of [1, 2]) {
    expect(renderReport(await run(FILE, { workers }), { reporter: 'json', timing: false })).toBe(json);
  }
});

test('values and combinations are compared with the first, pair by pair of scenarios that differ in nothing else', async () => {
  const report = await run(FILE);
  const of = new Map(
    report.scenarios.map((one) => [
      one.name.replace('answers: ', ''),
      'trials' in one ? { passed: one.trials.passed, trials: one.trials.executed } : { passed: 0, trials: 0 },
    ]),
  );
  const pair = (before: string, after: string) =>
    ({ kind: 'runs', before: of.get(before) ?? NONE, after: of.get(after) ?? NONE }) as const;
  const change = stratifiedDifference(
    ['greeting', 'hours'].flatMap((one) =>
      ['short', 'polite'].map((tone) => pair(`${one} [${tone}, small]`, `${one} [${tone}, large]`)),
    ),
  );
  const [matrix] = report.matrices ?? [];
  expect(matrix).toMatchObject({ matrix: 'answers', file: 'answers.toml', cases: 2 });
  expect(matrix?.values.map(({ values: [one], scenarios, trials }) => [one, scenarios, trials])).toEqual([
    [{ axis: 'tone', value: 'short' }, 4, 160],
    [{ axis: 'tone', value: 'polite' }, 4, 160],
    [{ axis: 'model', value: 'small' }, 4, 160],
    [{ axis: 'model', value: 'large' }, 4, 160],
  ]);
  expect(matrix?.values[3]?.change).toEqual({ mean: change?.mean, interval: change?.interval, pairs: 4 });
  expect([matrix?.values[0]?.change, matrix?.cells[0]?.change]).toEqual([null, null]);
  expect(change?.mean).toBeGreaterThan(0.2);
  const cell = stratifiedDifference(
    ['greeting', 'hours'].map((one) => pair(`${one} [short, small]`, `${one} [polite, large]`)),
  );
  expect(matrix?.cells[3]).toMatchObject({ change: { mean: cell?.mean, pairs: 2 }, scenarios: 2, trials: 80 });
  expect(renderReport(report)).toMatch(/Matrix of answers: 2 axes · 2 cases · best: tone=\w+, model=large 0\.\d\d\n/);
});

const NONE = { passed: 0, trials: 0 };

test('live models are an axis, whether the workflow stands in the file or in one of its own', async () => {
  const server = await startModelServer(({ body }) => answer(body['model'] === 'big' ? 'yes' : 'no'));
  const endpoint = (model: string) => ({ provider: 'openai-compatible' as const, model, baseUrl: server.openaiUrl });
  write(
    'ask.workflow.toml',
    ASK(
      'backend = "{{matrix.model}}"\nprompt = "So?"\n[[intelligence.backends]]\nname = "{{matrix.model}}"\nprovider = "openai"\nmodel = "any"',
    ),
  );
  const text = (workflow: string): string => `name = "models"
trials = 3
min_pass_rate = 0
[matrix]
model = ["tiny", "big"]
[workflow]
${workflow}
[[expected.values]]
node = "ask"
path = "content"
equals = "yes"
`;
  try {
    const inline = `inline = '''${ASK('backend = "{{matrix.model}}"\nprompt = "So?"\n[[intelligence.backends]]\nname = "{{matrix.model}}"\nprovider = "openai"\nmodel = "any"')}'''`;
    for (const workflow of [inline, 'path = "ask.workflow.toml"']) {
      const models = { tiny: endpoint('tiny'), big: endpoint('big') };
      const { matrices, scenarios } = await run(text(workflow), { live: true, models });
      expect(scenarios.map(({ name }) => name)).toEqual(['models: [tiny]', 'models: [big]']);
      expect(matrices?.[0]?.values.map(({ passRate, tokens }) => [passRate, tokens !== null])).toEqual([
        [0, true],
        [1, true],
      ]);
      // One axis has no combinations beside its values.
      expect(matrices?.[0]?.cells).toEqual([]);
    }
  } finally {
    await server.close();
  }
});

test('what is wrong with a matrix is said where it stands, all at once', async () => {
  expect(
    await problems(FILE.replace('tone = ["short", "polite"]', 'tone = ["short"]\nstyle = ["a", "a"]\nempty = []')),
  ).toEqual([
    ['error', 'Axis "tone" needs a list of at least two values.', 11],
    ['error', 'Two values of axis "style" have the name "a".', 12],
    ['error', 'Axis "empty" needs a list of at least two values.', 13],
  ]);
  expect(await problems(FILE.replace('{{matrix.tone}}', '{{matrix.tune}}'))).toEqual([
    ['error', 'The matrix has no axis "tune".', 23],
  ]);
  expect(await problems(FILE.replace('{{matrix.model.good}}', '{{matrix.mode}}'))).toContainEqual([
    'error',
    'The matrix has no axis "mode".',
    expect.any(Number),
  ]);
  expect(await problems(FILE.replace('{{matrix.tone}}: ', ''))).toEqual([
    ['warning', 'No text of the file or its workflow has the marker {{matrix.tone}}, so its values are alike.', 11],
  ]);
  const many = `${Array.from({ length: 101 }, (_, at) => `"${at}"`).join(', ')}`;
  expect(
    await problems(FILE.replace('"short", "polite"', many).replace('[{ name = "small"', `[${many}, { name = "small"`)),
  ).toEqual([['error', 'The matrix makes 20806 scenarios; a file has 10000 at most.', 10]]);
});

test('markers of a matrix are texts like any other where there is none', async () => {
  const plain = FILE.replace(/\[matrix\][^[]*tone.*\n.*\n/, '').replaceAll(/"\{\{matrix\.model\.(good|bad)\}\}"/g, '1');
  const { scenarios, matrices } = await run(plain.replace('"{{case.word}}"', '"{{case.word}}"'));
  expect([scenarios.length, matrices]).toEqual([2, undefined]);
});

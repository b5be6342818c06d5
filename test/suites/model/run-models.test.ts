import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  MODEL_CELL_STATES,
  type ModelReport,
  mergeShards,
  type ProgressRow,
  renderReport,
  runShard,
  type SuiteReport,
} from '../../../src/index.ts';
import { CONFORM, runModels as run, says, specsIn } from './a-spec.ts';

function modelsIn({ results }: SuiteReport): readonly ModelReport[] {
  return results.filter((one) => one.kind === 'model');
}

function statesIn(report: SuiteReport): Readonly<Record<string, string>> {
  const states = modelsIn(report).flatMap(({ cells }) => cells.map(({ state }) => state));
  expect(states.filter((state) => !MODEL_CELL_STATES.includes(state))).toEqual([]);
  return Object.fromEntries(
    modelsIn(report).flatMap(({ cells }) => cells.map(({ model, test: id, state }) => [`${model} ${id}`, state])),
  );
}

test('each test of each model is a cell with a verdict of its own', async () => {
  const cwd = specsIn({
    echo: `
- model: echo/good
  tests:${says('hello')}
- model: echo/wrong
  tests:${says('hello')}
- model: echo/deaf
  tests:${says('hello')}
- model: echo/busy
  tests:${says('hello')}
`,
    fatal: `- model: echo/fatal\n  tests:${says('hello')}`,
  });
  const report = await run(cwd);
  expect(statesIn(report)).toEqual({
    'echo/good says hello': 'passed',
    'echo/wrong says hello': 'failed',
    'echo/deaf says hello': 'error',
    'echo/busy says hello': 'flaky',
    'echo/fatal says hello': 'error',
  });
  expect(report.gate).toMatchObject({ verdict: 'fail', reasons: ['model echo failed.', 'model fatal failed.'] });
});

test('an error that several tests of a model have is shown once, with their names', async () => {
  const cwd = specsIn({
    echo: `- model: echo/deaf\n  tests:${says('hello')}${says('you')}${says('all')}
- model: echo/good\n  tests:${says('hello')}`,
  });
  const report = await run(cwd, { maxRetries: 0 });
  const [model] = modelsIn(report);
  expect(model?.reasons).toEqual(['3 tests did not pass: says hello, says you, says all of echo/deaf.']);
  const messages = model?.cells.flatMap(({ message }) => message ?? []) ?? [];
  expect(messages).toEqual([messages[0], messages[0], messages[0]]);
  for (const reporter of ['text', 'markdown']) {
    const text = renderReport(report, { reporter, columns: 400 });
    expect(text.split(messages[0] as string).length).toBe(2);
    expect(text).toMatch(/tests +says hello, says you, says all\n/);
    expect(text).toContain(reporter === 'text' ? '! 3 tests of echo/deaf' : '<code>3 tests</code> of');
  }
});

test('what failed beside others is asked once more alone, and a pass then is flaky', async () => {
  const spec = { echo: `- model: echo/moody\n  tests:${says('hello')}` };
  const report = await run(specsIn(spec));
  expect(statesIn(report)).toEqual({ 'echo/moody says hello': 'flaky' });
  // Both answers are paid for.
  expect(modelsIn(report)[0]?.cells[0]).toMatchObject({ retries: 1, tokens: 10 });
  expect(report.gate.verdict).toBe('pass');
  expect(renderReport(report, { reporter: 'text', columns: 120 })).toContain(
    '1 test was asked again to rule out flakes, one at a time where an answer had failed, and passed then.',
  );
  const strict = await run(specsIn(spec), { failOnFlaky: true });
  expect(strict.gate.verdict).toBe('fail');
  const alone = await run(specsIn(spec), { testConcurrency: 1 });
  expect(statesIn(alone)).toEqual({ 'echo/moody says hello': 'failed' });
});

test.each([0, 2])(
  'a process that dies or hangs costs the test that it did so for, with %i retries',
  async (maxRetries) => {
    const four = ['a', 'b', 'c', 'd'].map((word) => says(word)).join('');
    const models = ['good', 'fatal', 'slow', 'fine'];
    const spec = models.map(
      (name) => `- model: echo/${name}\n  tests:${/good|fine/.test(name) ? four : says('hello')}\n`,
    );
    const cwd = specsIn({ echo: spec.join('') });
    const report = await run(cwd, { maxRetries, retryBaseDelay: 0, actionTimeout: 1, testConcurrency: 5 });
    const states = Object.entries(statesIn(report)).filter(([, state]) => state !== 'passed' && state !== 'flaky');
    expect(Object.fromEntries(states)).toEqual({
      'echo/fatal says hello': 'error',
      'echo/slow says hello': 'timed_out',
    });
    expect(modelsIn(report)[0]?.cells.length).toBe(10);
  },
);

test('an answer that comes too late costs its own test', async () => {
  const cwd = specsIn({
    echo: `- model: echo/slow\n  tests:${says('hello')}\n- model: echo/good\n  tests:${says('hello')}`,
  });
  const report = await run(cwd, { actionTimeout: 0.3, maxRetries: 0 });
  expect(statesIn(report)).toEqual({ 'echo/slow says hello': 'timed_out', 'echo/good says hello': 'passed' });
});

test('the time limit of a model goes before that of its plug-in, and that before the one of all', async () => {
  const conform = `${CONFORM}
[conform.plugin-overrides.echo]
action-timeout = 0.2
[conform.model-overrides."echo/slow"]
action-timeout = 0.1
`;
  const cwd = specsIn(
    { echo: `- model: echo/slow\n  tests:${says('hello')}` },
    conform.replace('max-retries = 1', 'max-retries = 0'),
  );
  const [result] = modelsIn(await run(cwd));
  expect(result?.cells[0]).toMatchObject({ state: 'timed_out', message: expect.stringContaining('100 ms') });
});

test.each([1, 3, 40])('as many questions are asked at once as -t says, and no more: %i', async (testConcurrency) => {
  const cwd = specsIn({
    echo: `
- model: echo/crowd
  tests:
    - name: at once
      input: { messages: [{ role: user, content: [{ text: "${testConcurrency}" }] }] }
      validators: ["text-includes:${testConcurrency} at once"]
`,
  });
  const report = await run(cwd, { testConcurrency, trials: 100, concurrency: 2 });
  expect(statesIn(report)).toEqual({ 'echo/crowd at once': 'passed' });
});

test('while models are asked, each has a line with all of its trials', async () => {
  const conform = CONFORM.replace('echo = []', 'deaf = ["PASSK_NO_SUCH_KEY"]');
  const cwd = specsIn(
    {
      echo: `
- model: echo/good
  tests:${says('hello')}${says('you')}
- model: echo/wrong
  tests:${says('hello')}
- model: echo/busy
  tests:${says('hello')}
- model: echo/deaf
  tests:${says('hello')}
`,
      slow: `- model: echo/slow\n  tests:${says('hello')}`,
      deaf: `- model: a/b\n  tests:${says('hello')}`,
    },
    conform,
  );
  const seen: (readonly ProgressRow[])[] = [];
  await run(cwd, {
    testConcurrency: 2,
    actionTimeout: 0.5,
    maxRetries: 1,
    retryBaseDelay: 0,
    onProgress: (event) => {
      if (event.kind === 'progress') seen.push(event.rows ?? []);
    },
  });
  const brief = ({ name, counts }: ProgressRow): string =>
    `${name}: ${Object.entries(counts)
      .flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]))
      .join(', ')}`;
  expect(seen.at(-1)?.map(brief)).toEqual([
    'deaf: a/b: 1 skipped',
    'echo/good: 2 passed',
    'echo/wrong: 1 failed',
    'echo/busy: 1 flaky',
    'echo/deaf: 1 error',
    'slow: echo/slow: 1 timed_out',
  ]);
  const totals = seen.map((rows) => rows.map(({ counts }) => Object.values(counts).reduce((sum, one) => sum + one, 0)));
  expect(new Set(totals.map((row) => row.join()))).toEqual(new Set(['1,2,1,1,1,1']));
  const running = seen.map((rows) => rows.reduce((sum, { counts }) => sum + counts.running, 0));
  expect(Math.max(...running)).toBeGreaterThan(0);
  expect(Math.max(...running)).toBeLessThanOrEqual(4);
});

test('the time of a run is that from its start to its end, not that of its slowest plug-in', async () => {
  const slow = `- model: echo/slow\n  tests:${says('hello')}`;
  const cwd = specsIn({ one: slow, two: slow });
  const { timing } = await run(cwd, { actionTimeout: 0.4, maxRetries: 0, pluginConcurrency: 1 });
  expect(timing.durationMs).toBeGreaterThan(780);
});

test('the last lines that an entry printed are shown with a failure, and --logs keeps all of them', async () => {
  const cwd = specsIn({ echo: `- model: echo/good\n  tests:${says('hello')}` });
  writeFileSync(
    path.join(cwd, 'specs', 'echo', 'entry.mjs'),
    `export function generate() {
  for (let line = 1; line <= 100; line++) console.log(\`line \${line}.\`);
  return { message: { role: 'model', content: [{ text: 'no' }] }, finishReason: 'stop' };
}\n`,
  );
  const [result] = modelsIn(await run(cwd, { logs: 'logs', maxRetries: 0 }));
  expect(result?.cells[0]?.log).toContain('line 100.');
  expect(result?.cells[0]?.log).not.toContain('line 1.');
  const kept = readFileSync(path.join(cwd, 'logs', 'echo@js.log'), 'utf8');
  expect(kept).toBe(Array.from({ length: 100 }, (_, line) => `line ${line + 1}.\n`).join(''));
});

test('the command that shows a failure has only flags that trace takes', async () => {
  const cwd = specsIn({ echo: `- model: echo/wrong\n  tests:${says('hello')}` });
  const [result] = modelsIn(await run(cwd, { logs: 'logs', maxRetries: 0 }));
  expect(result?.cells[0]?.replay).toBe(
    "passk trace specs/echo/model-conformance.yaml --part 'echo: echo/wrong: says hello' --trial 0 --seed 0 --allow-run --max-retries 0",
  );
});

test('any JSON is valid, and only a schema asks for more', async () => {
  const asked = (name: string, validator: string): string => `
    - name: ${name}
      input:
        messages: [{ role: user, content: [{ text: "1" }] }]
        output: { format: json, schema: { type: object, properties: { name: { type: string } } } }
      validators: [${validator}]`;
  const tests = `${asked('JSON', 'valid-json')}${asked('a profile', 'matches-schema')}`;
  const report = await run(specsIn({ echo: `- model: echo/good\n  tests:${tests}` }));
  expect(statesIn(report)).toEqual({ 'echo/good JSON': 'passed', 'echo/good a profile': 'failed' });
});

test('k of n samples decide a test, and each is counted', async () => {
  const spec = { echo: `- model: echo/moody\n  tests:${says('hello')}` };
  const [most] = modelsIn(await run(specsIn(spec), { samples: '2/3' }));
  expect(most?.cells[0]).toMatchObject({
    state: 'passed',
    trials: { requested: 3, passed: 2, failed: 1 },
    tokens: 15,
    tokensPerSuccess: 7.5,
  });
  // One failure of three: of two trials drawn, one in three pairs passes.
  expect(most?.cells[0]?.passHatK.find(({ k }) => k === 2)?.value).toBeCloseTo(1 / 3, 12);
  const [all] = modelsIn(await run(specsIn(spec), { samples: '3/3' }));
  expect(all?.cells[0]).toMatchObject({ state: 'failed', trials: { requested: 3, passed: 2, failed: 1 } });
});

test('a plug-in without its variables is skipped with their names, and a run that skips everything has no verdict', async () => {
  const conform = CONFORM.replace('echo = []', 'echo = ["PASSK_NO_SUCH_KEY"]');
  const cwd = specsIn({ echo: `- model: echo/good\n  tests:${says('hello')}` }, conform);
  const report = await run(cwd);
  expect(modelsIn(report)).toMatchObject([
    { verdict: 'skipped', missingEnv: ['PASSK_NO_SUCH_KEY'], cells: [{ state: 'skipped' }] },
  ]);
  expect(report.gate).toMatchObject({
    verdict: 'insufficient',
    reasons: ['Everything was skipped, so nothing was tried.'],
  });
});

test('the report sums up what the tests used, and has no matrix of tests that were skipped', async () => {
  const cwd = specsIn(
    {
      echo: `- model: echo/good\n  tests:${says('hello')}${says('you')}\n- model: echo/wrong\n  tests:${says('hello')}`,
      idle: `- model: idle/good\n  tests:${says('hello')}`,
    },
    CONFORM.replace('echo = []', 'idle = ["PASSK_NO_SUCH_KEY"]'),
  );
  const report = await run(cwd, { testConcurrency: 1 });
  for (const reporter of ['text', 'markdown'] as const) {
    const text = renderReport(report, { reporter, columns: 120 });
    expect(text).toContain('15 tokens, 8 for each success');
    expect(text).not.toContain('0 tokens');
    expect(text).not.toContain('idle/good');
  }
  expect(renderReport(report, { reporter: 'html' })).toContain('15 tokens, 8 for each success');
});

test('what needs a grant is refused by name before anything is asked', async () => {
  const cwd = specsIn({ echo: `- model: echo/good\n  tests:${says('hello')}` });
  await expect(run(cwd, { permissions: {} })).rejects.toThrow(/needs --allow-run=/);
});

test('a broken spec file costs its own plug-in, where the run may go on', async () => {
  const cwd = specsIn({ broken: '- model: [a', echo: `- model: echo/good\n  tests:${says('hello')}` });
  await expect(run(cwd)).rejects.toMatchObject({ code: 'INPUT', issues: [{ code: 'yaml_syntax' }] });
  const report = await run(cwd, { keepGoing: true });
  expect(statesIn(report)).toEqual({ 'echo/good says hello': 'passed' });
});

test('two tests of one name are two cells, and each is asked again by itself', async () => {
  const cwd = specsIn({
    echo: `
- model: echo/wrong
  tests:
    - name: twin
      input: { messages: [{ role: user, content: [{ text: something }] }] }
      validators: ["text-includes:something"]
    - name: twin
      input: { messages: [{ role: user, content: [{ text: hello }] }] }
      validators: ["text-includes:hello"]
`,
  });
  expect(statesIn(await run(cwd))).toEqual({ 'echo/wrong twin': 'passed', 'echo/wrong twin #2': 'failed' });
});

test('a recorded run repeats without asking anybody, to the byte, for any number of workers', async () => {
  const cwd = specsIn({
    echo: `- model: echo/moody\n  tests:${says('hello', '\n      stream: false')}\n- model: echo/good\n  tests:${says('hi', '\n      stream: true')}`,
  });
  const cassette = path.join(cwd, 'run.tape');
  const notes = path.join(cwd, 'notes');
  process.env['ECHO_NOTES'] = notes;
  try {
    await run(cwd, { record: cassette, permissions: { run: true, env: ['ECHO_NOTES'] }, trials: 5 });
  } finally {
    delete process.env['ECHO_NOTES'];
  }
  const asked = readFileSync(notes, 'utf8');
  const bytes = async (workers: number): Promise<string> => {
    const report = await run(cwd, { replay: cassette, permissions: {}, workers, trials: 5 });
    return JSON.stringify({ ...report, timing: null });
  };
  const one = await bytes(0);
  expect(await bytes(1)).toBe(one);
  expect(await bytes(2)).toBe(one);
  expect(readFileSync(notes, 'utf8')).toBe(asked);
  expect(asked.split('\n').length - 1).toBe(10);
});

test('10,000 trials of a recorded matrix repeat to the byte, for any number of workers', async () => {
  const cwd = specsIn({
    echo: `
- model: echo/good
  supports: [multiturn]
  tests:${says('hello')}${says('hi', '\n      stream: true')}
- model: echo/wrong
  tests:${says('hello')}${says('else')}`,
  });
  const replay = path.join(cwd, 'run.tape');
  await run(cwd, { record: replay, trials: 2000, testConcurrency: 32 });
  const bytes = async (workers: number): Promise<string> => {
    const report = await run(cwd, { replay, permissions: {}, workers, trials: 2000 });
    const [result] = modelsIn(report);
    expect(result?.cells.map(({ trials }) => trials.executed)).toEqual([2000, 2000, 2000, 2000, 2000]);
    return JSON.stringify({ ...report, timing: null });
  };
  const one = await bytes(0);
  for (const workers of [1, 3]) expect(await bytes(workers)).toBe(one);
});

test('a recorded run repeats the question that was asked again alone', async () => {
  const cwd = specsIn({ echo: `- model: echo/moody\n  tests:${says('hello')}` });
  const record = path.join(cwd, 'run.tape');
  expect(statesIn(await run(cwd, { record }))).toEqual({ 'echo/moody says hello': 'flaky' });
  expect(statesIn(await run(cwd, { replay: record, permissions: {} }))).toEqual({ 'echo/moody says hello': 'flaky' });
});

test('shards of a run merge into its report, and a journal that was cut off goes on', async () => {
  const cwd = specsIn({
    echo: `- model: echo/good\n  tests:${says('hello')}${says('hi')}\n- model: echo/wrong\n  tests:${says('hello')}`,
  });
  const whole = await run(cwd);
  const options = { cwd, only: 'models' as const, permissions: { run: true }, workers: 0 };
  const shards = [1, 2].map(async (index) => (await runShard({ ...options, shard: { index, count: 2 } })).bytes);
  const merged = await mergeShards((await Promise.all(shards)).map((bytes, at) => ({ name: `${at}`, bytes })));
  expect(statesIn(merged.report)).toEqual(statesIn(whole));
  expect(merged.report.gate).toEqual(whole.gate);
  const folder = path.join(cwd, 'journal');
  await run(cwd, { journal: { folder, resume: false } });
  const resumed = await run(cwd, { journal: { folder, resume: true } });
  expect(statesIn(resumed)).toEqual(statesIn(whole));
});

test('a queue is refused, because its workers cannot ask what this process starts', async () => {
  const cwd = specsIn({ echo: `- model: echo/good\n  tests:${says('hello')}` });
  await expect(run(cwd, { queue: 'redis://127.0.0.1:1' })).rejects.toThrow('"echo: echo/good: says hello" asks models');
});

test('an image of several megabytes is judged whole, and no report shows its bytes', async () => {
  const cwd = specsIn({
    echo: `
- model: echo/large
  supports: [output-image]
  tests:
    - name: a sound
      input: { messages: [{ role: user, content: [{ text: hi }] }] }
      validators: ["valid-media:audio"]
`,
  });
  const report = await run(cwd);
  expect(statesIn(report)).toEqual({ 'echo/large output-image': 'passed', 'echo/large a sound': 'failed' });
  expect(JSON.stringify(report).length).toBeLessThan(100_000);
});

test('words of a model never reach a report as markup or control characters, nor do bytes of its data URIs', async () => {
  const cwd = specsIn({
    echo: `- model: echo/wrong\n  tests:${says('hello')}\n- model: echo/rude\n  tests:${says('hello you')}
- model: echo/loud\n  tests:${says('hello')}`,
  });
  const report = await run(cwd, { maxRetries: 0 });
  const [wrong, rude, loud] = modelsIn(report)[0]?.cells ?? [];
  expect(wrong?.answer).toBe('something [/bold] else');
  const cut = '[/bold] \u001b[31m<script>alert(1)</script> data:image/png;base64,…15,000 bytes long long';
  expect([
    rude?.answer?.slice(0, cut.length),
    loud?.message?.slice('answer: '.length, 'answer: '.length + cut.length),
  ]).toEqual([cut, cut]);
  for (const reporter of ['text', 'markdown', 'html', 'json', 'junit', 'tap', 'github', 'ndjson'] as const) {
    const text = renderReport(report, { reporter, columns: 80 });
    expect(text.includes('\u001b')).toBe(false);
    expect(text).not.toMatch(/A{100}|(?:long ){4000}/);
    // In JSON and in a block of code it is a text; elsewhere it would be a command.
    if (reporter === 'html' || reporter === 'junit') expect(text).not.toContain('<script>alert');
  }
});

test('a known failure does not fail the run, a new one does, and so does one that passes by now', async () => {
  const spec = {
    echo: `- model: echo/wrong\n  tests:${says('hello')}${says('something')}`,
  };
  const verdict = async (known: string): Promise<readonly unknown[]> => {
    const cwd = specsIn(spec);
    writeFileSync(path.join(cwd, 'known.txt'), known);
    const report = await run(cwd, { expectedFailures: 'known.txt' });
    return [report.gate.verdict, ...modelsIn(report).flatMap(({ reasons }) => reasons)];
  };
  const fails = 'echo: echo/wrong: says hello';
  expect(await verdict(`# since May\n${fails}\nother: x: y\n`)).toEqual(['pass']);
  expect(await verdict('')).toEqual(['fail', '1 test did not pass: says hello of echo/wrong.']);
  expect(await verdict(`${fails}\necho: echo/wrong: says something\n`)).toEqual([
    'fail',
    '1 test passed though expected to fail: says something of echo/wrong.',
  ]);
  await expect(verdict('says hello\n')).rejects.toMatchObject({
    issues: [{ message: '"says hello" is no name of a test.', at: { file: 'known.txt', line: 1, column: 1 } }],
  });
  await expect(verdict('echo: echo/wrong: says helo\n')).rejects.toMatchObject({
    issues: [{ code: 'unknown_test', at: { file: 'known.txt', line: 1, column: 1 } }],
  });
});

test('known failures of a plug-in that is nowhere are told, and those of one that is left out are not', async () => {
  const cwd = specsIn({
    echo: `- model: echo/one\n  tests:${says('hello')}`,
    other: `- model: other/one\n  tests:${says('x')}`,
  });
  writeFileSync(path.join(cwd, 'known.txt'), '# known\nehco: echo/one: says hello\nother@js: other/one: says x\n');
  const told = async (paths: readonly string[]): Promise<readonly unknown[]> => {
    const { notices } = await run(cwd, { paths, expectedFailures: 'known.txt' });
    return notices.map(({ code, severity, at, hint }) => [code, severity, at?.file, at?.line, hint]);
  };
  const stray = ['unknown_plugin', 'warning', 'known.txt', 2, 'Did you mean "echo"?'];
  expect(await told(['specs'])).toEqual([stray]);
  expect(await told(['specs/echo'])).toEqual([stray]);
});

test('runtimes of one spec file are compared test by test with the first', async () => {
  const conform = `${CONFORM}
[conform.runtimes.other]
specs-dir = "specs"
plugins-dir = "plugins"
entry-filename = "other.mjs"
default-runner = "reflection"
`;
  const cwd = specsIn({ echo: `- model: echo/good\n  tests:${says('hello')}${says('hi')}` }, conform);
  writeFileSync(
    path.join(cwd, 'specs', 'echo', 'other.mjs'),
    `export const generate = ({ input }) => ({
  message: { role: 'model', content: [{ text: input.messages[0].content[0].text === 'hi' ? 'hi' : 'no' }] },
  finishReason: 'stop',
});\n`,
  );
  const report = await run(cwd, { runner: 'in-process' });
  expect(modelsIn(report).map(({ name, parity }) => [name, parity])).toEqual([
    ['echo@js', undefined],
    [
      'echo@other',
      {
        runtime: 'js',
        compared: 2,
        differences: [{ model: 'echo/good', test: 'says hello', state: 'failed', first: 'passed' }],
      },
    ],
  ]);
  const text = renderReport(report, { reporter: 'text' }).replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    '1 of 2 tests ended as with js; other differs in says hello of echo/good (failed, passed with js).',
  );
  expect(text).toContain('echo/good ✗ FAIL ✓ pass');
});

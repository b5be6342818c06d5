import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFolder, runPassk } from '../cli/run-passk.ts';
import { artifacts, REPORTERS, spellings } from './canary.ts';

const ENTRY = fileURLToPath(new URL('./leaky-entry.mjs', import.meta.url));
const KEY = 'sk-canary/"Plugin"+0xBADC0DE==%ü';

const CONFORM = `
[conform]
max-retries = 1
retry-base-delay = 0
[conform.env]
leaky = ["CANARY_KEY"]
[conform.runtimes.js]
specs-dir = "specs"
plugins-dir = "plugins"
entry-filename = "entry.mjs"
default-runner = "in-process"
`;

const SPEC = ['good', 'refuse', 'busy', 'dies']
  .map(
    (model) => `
- model: leaky/${model}
  tests:
    - name: tells
      stream: true
      input: { messages: [{ role: user, content: [{ text: hello }] }] }
      validators: ["text-includes:no such word"]
`,
  )
  .join('');

test('what a plug-in repeats of its key stands in no answer, error, log, report, cassette or journal', {
  timeout: 60_000,
}, async () => {
  const cwd = aFolder();
  const specs = path.join(cwd, 'specs', 'leaky');
  for (const folder of [specs, path.join(cwd, 'out')]) mkdirSync(folder, { recursive: true });
  cpSync(ENTRY, path.join(specs, 'entry.mjs'));
  writeFileSync(path.join(cwd, 'conform.toml'), CONFORM);
  writeFileSync(path.join(specs, 'model-conformance.yaml'), SPEC);
  const env = { CANARY_KEY: KEY };
  const check = ['model', 'check', '--allow-run', '--allow-env=CANARY_KEY', '--logs=logs'];
  const out = REPORTERS.map((name) => `--reporter=${name}:out/${name}`);
  const ended = [
    await runPassk([...check, '--record=run.tape', '--journal=journal', ...out, '--verbose'], { cwd, env }),
    await runPassk([...check, '--json'], { cwd, env }),
    await runPassk([...check, '--shard=1/1', '--out=one.shard'], { cwd, env }),
    await runPassk(['merge', 'one.shard', '--verbose'], { cwd }),
  ];
  expect(ended.map(({ status }) => status)).toEqual([1, 1, 0, 1]);
  const found = artifacts(cwd, ended);
  const { results } = JSON.parse(ended[1]?.stdout ?? '') as SuiteReport;
  const cells = results.flatMap((result) => (result.kind === 'model' ? result.cells : []));
  // All of it happened: the key was there, and was told everywhere.
  const shown = '[secret CANARY_KEY]';
  expect(cells.map(({ model, state }) => `${model} ${state}`)).toEqual([
    'leaky/good failed',
    'leaky/refuse error',
    'leaky/busy error',
    'leaky/dies error',
  ]);
  expect(cells.map(({ message, answer }) => `${message} ${answer}`.includes('secret'))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  for (const { log } of cells) expect(log).toContain(shown);
  // Models have no trials that could be trajectories.
  const written = REPORTERS.filter((name) => name !== 'atif');
  for (const name of written) expect(found.get(`out/${name}`)?.length ?? 0).toBeGreaterThan(100);
  expect(found.get('out/text')).toContain(shown);
  expect(found.get('run.tape')).toContain(shown);
  expect(found.get('logs/leaky@js.log')).toContain(`started with ${shown}`);
  expect(found.get('logs/leaky@js.log')).toContain(`dies of ${shown}`);
  const leaks = [...found].filter(
    ([name, text]) => name !== 'specs/leaky/entry.mjs' && spellings(KEY).some((spelling) => text.includes(spelling)),
  );
  expect(leaks.map(([name]) => name)).toEqual([]);
});

import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type LintedModels, lintModels, loadSuite, type LoadSuiteOptions, modelSpecs } from '../../../src/index.ts';
import { aFolder } from '../../runners/a-runner.ts';
import { allGone, childrenOf } from '../../support/processes.ts';
import { CONFORM, says, specsIn } from './a-spec.ts';

const load = (cwd: string, options: LoadSuiteOptions = {}) =>
  loadSuite({ cwd, paths: ['.'], only: 'models', ...options });

const ONE = `- model: echo/good\n  tests:${says('hello')}`;

/** Each problem as `code line:column`. */
async function problemsOf(spec: string, conform = CONFORM): Promise<readonly string[]> {
  const { issues } = await load(specsIn({ echo: spec }, conform));
  return issues.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);
}

test('a model without supports and tests has the nine default tests, in the order of the list', async () => {
  const { definitions } = await load(specsIn({ echo: '- model: echo/good' }));
  const [suite] = definitions.filter((one) => one.kind === 'model');
  expect(suite?.models[0]?.tests.map(({ id }) => id)).toEqual([
    'tool-request',
    'structured-output',
    'multiturn',
    'system-role',
    'input-image-base64',
    'input-image-url',
    'streaming-multiturn',
    'streaming-tool-request',
    'streaming-structured-output',
  ]);
});

test('a single mapping is a list of one, and tests alone have no default ones beside them', async () => {
  const { scenarios, issues } = await load(
    specsIn({ echo: `model: echo/good\ntests:${says('hello').replaceAll('\n    ', '\n  ')}` }),
  );
  expect(issues).toEqual([]);
  expect(scenarios.map(({ name }) => name)).toEqual(['echo: echo/good: says hello']);
});

test('unknown fields of what is asked are kept, signatures and roles included', async () => {
  const spec = `
- model: echo/good
  tests:
    - name: again
      input:
        messages:
          - role: model
            content:
              - toolRequest: { name: weather, input: { city: Rome } }
                metadata: { thoughtSignature: abc }
          - role: tool
            content: [{ toolResponse: { name: weather, output: 21C } }]
        config: { odd: [1, { deep: true }] }
      validators: ["text-includes:21"]
`;
  const { scenarios } = await load(specsIn({ echo: spec }));
  const subject = scenarios[0]?.subject;
  expect(subject?.kind === 'model' ? subject.test.input : null).toEqual({
    messages: [
      {
        role: 'model',
        content: [{ toolRequest: { name: 'weather', input: { city: 'Rome' } }, metadata: { thoughtSignature: 'abc' } }],
      },
      { role: 'tool', content: [{ toolResponse: { name: 'weather', output: '21C' } }] },
    ],
    config: { odd: [1, { deep: true }] },
  });
});

test('every problem of a spec file is told at once, each at its place', async () => {
  const spec = `- model: a/b
  supports: [tool-requst, streaming-multiturn]
  tsts: []
  tests:
    - name: x
      input: {messages: [{role: usr, content: hi}]}
      validators: [text-include:s, "stream-text-includes:x", "valid-json:q", 7]
- supports: [multiturn]
- model: c/d
  supports: []
- model: a/b
`;
  expect(await problemsOf(spec)).toEqual([
    'not_allowed 2:14',
    'unknown_key 3:3',
    'wrong_type 7:78',
    'bad_value 6:33',
    'wrong_type 6:47',
    'unknown_validator 7:20',
    'unfit_validator 7:36',
    'unknown_validator 7:62',
    'missing_key 8:3',
    'asserts_nothing 10:3',
    'duplicate_name 11:10',
  ]);
});

test.each([
  ['an empty file', '', 'unknown_kind'],
  ['a list of nothing', '[]', 'asserts_nothing 1:1'],
  ['a table of models', 'models:\n  a/b: {}\n', 'wrong_type 1:1'],
  ['broken YAML', '- model: [a', 'yaml_syntax'],
  ['tests without a value', '- model: a/b\n  tests:\n', 'wrong_type 2:9'],
])('%s is an error of the file, never a test that passes', async (_, spec, problem) => {
  const { issues, scenarios } = await load(specsIn({ echo: spec }));
  expect(scenarios).toEqual([]);
  const found = issues
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);
  if (problem !== 'unknown_kind') expect(found[0]).toContain(problem);
  expect(found.length).toBeGreaterThan(0);
});

test('wrong values and unknown keys of conform.toml are errors at their places, never defaults', async () => {
  const conform = `[conform]
concurency = 3
test-concurrency = 0
runner = "fast"
[conform.plugin-overrides.x]
action-timeout = "2"
[conform.runtimes.js]
specs-dir = 3
`;
  expect(await problemsOf(ONE, conform)).toEqual([
    'unknown_key 2:1',
    'out_of_range 3:20',
    'not_allowed 4:10',
    'wrong_type 6:18',
    'wrong_type 8:13',
  ]);
});

test('a pyproject.toml with [tool.conform] serves as well', async () => {
  const cwd = specsIn({ echo: ONE }, '');
  writeFileSync(path.join(cwd, 'pyproject.toml'), CONFORM.replaceAll('[conform', '[tool.conform'));
  writeFileSync(path.join(cwd, 'conform.toml'), '[conform]\n');
  const { definitions } = await load(cwd, { conform: 'pyproject.toml' });
  expect(definitions.map(({ name }) => name)).toEqual(['echo']);
});

test('a spec file behind a symbolic link is read under the name of the link', async () => {
  const cwd = specsIn({ echo: ONE });
  const place = path.join(cwd, 'elsewhere');
  mkdirSync(place);
  writeFileSync(path.join(place, 'model-conformance.yaml'), ONE);
  mkdirSync(path.join(cwd, 'specs', 'linked'));
  symlinkSync(path.join(place, 'model-conformance.yaml'), path.join(cwd, 'specs', 'linked', 'model-conformance.yaml'));
  writeFileSync(path.join(cwd, 'specs', 'linked', 'entry.mjs'), '');
  const { definitions } = await load(cwd, { paths: ['specs'] });
  expect(definitions.map(({ name }) => name)).toEqual(['echo', 'linked']);
});

test('a spec file may be JSON, in a folder by its name and with any name where it is named', async () => {
  const cwd = specsIn({ echo: ONE });
  const spec = JSON.stringify([{ model: 'echo/good', supports: ['multiturn'] }], null, '\t');
  const folder = path.join(cwd, 'specs', 'json');
  mkdirSync(folder);
  for (const name of ['model-conformance.json', 'other.json', 'entry.mjs'])
    writeFileSync(path.join(folder, name), name === 'entry.mjs' ? '' : spec);
  expect(modelSpecs(['json'], { cwd })).toEqual([path.join(folder, 'model-conformance.json')]);
  const found = await load(cwd, { paths: ['specs'] });
  expect(found.definitions.map(({ file }) => file)).toEqual([
    'specs/echo/model-conformance.yaml',
    'specs/json/model-conformance.json',
  ]);
  const named = await load(cwd, { paths: ['specs/json/other.json'] });
  expect([named.issues, named.scenarios.map(({ name }) => name)]).toEqual([[], ['json: echo/good: multiturn']]);
  for (const runs of [
    '{"schema": "passk-report/1", "scenarios": []}',
    '[{"model": "m", "task": "a", "passed": true}]',
  ]) {
    writeFileSync(path.join(folder, 'other.json'), runs);
    expect((await load(cwd, { paths: ['specs/json/other.json'] })).issues).toMatchObject([
      { code: 'not_a_contract', hint: expect.stringContaining('passk score FILE') },
    ]);
  }
});

test('each runtime with an entry gives a suite of its own', async () => {
  const conform = `${CONFORM}
[conform.runtimes.other]
specs-dir = "specs"
plugins-dir = "plugins"
entry-filename = "entry.mjs"
default-runner = "reflection"
[conform.runtimes.absent]
specs-dir = "specs"
plugins-dir = "plugins"
entry-filename = "entry.none"
`;
  const cwd = specsIn({ echo: ONE }, conform);
  const { definitions } = await load(cwd);
  expect(definitions.map(({ name }) => name)).toEqual(['echo@js', 'echo@other']);
  const one = await load(cwd, { runtimes: ['other'] });
  expect(one.definitions.map(({ name }) => name)).toEqual(['echo']);
  const { issues } = await load(cwd, { runtimes: ['othr'] });
  expect(issues).toMatchObject([{ code: 'unknown_runtime', hint: 'Did you mean "other"?' }]);
});

test('a spec file that nothing serves is an error, with the entries that it could have', async () => {
  const conform = CONFORM.replace('entry.mjs', 'conformance_entry.mjs');
  const { issues, scenarios } = await load(specsIn({ echo: ONE }, conform));
  expect(scenarios).toEqual([]);
  expect(issues).toMatchObject([
    {
      code: 'no_entry',
      severity: 'error',
      message: 'Nothing registers these models: the folder has no conformance_entry.mjs (js).',
      at: { line: 1, column: 10 },
    },
  ]);
});

test('what the command line says goes before the plug-in, and that before all', async () => {
  const conform = `${CONFORM}
[conform.plugin-overrides.echo]
test-concurrency = 2
`;
  const cwd = specsIn({ echo: ONE, plain: ONE }, conform);
  const atOnce = async (options: LoadSuiteOptions = {}): Promise<readonly unknown[]> => {
    const { scenarios } = await load(cwd, options);
    return scenarios.map(({ subject }) => (subject.kind === 'model' ? subject.access.atOnce : null));
  };
  expect(await atOnce()).toEqual([2, 3]);
  expect(await atOnce({ testConcurrency: 5 })).toEqual([5, 5]);
});

test('the runner is that of the command line, else of conform.toml, else of the runtime, else the one that can be there', async () => {
  const runners = async (conform: string, options: LoadSuiteOptions = {}): Promise<readonly unknown[]> => {
    const { definitions, issues } = await load(specsIn({ echo: ONE }, conform), options);
    const told = issues.map(({ code, severity }) => `${severity} ${code}`);
    return [...definitions.flatMap((one) => (one.kind === 'model' ? [one.runner] : [])), ...told];
  };
  const reflection = CONFORM.replace('"in-process"', '"reflection"');
  expect(await runners(CONFORM)).toEqual(['in-process']);
  expect(await runners(reflection)).toEqual(['reflection']);
  expect(await runners(CONFORM.replace('[conform]', '[conform]\nrunner = "reflection"'))).toEqual(['reflection']);
  expect(await runners(reflection, { runner: 'in-process' })).toEqual(['in-process']);
  expect(await runners(CONFORM, { runner: 'auto' })).toEqual(['in-process']);
  expect(await runners(CONFORM.replace('"in-process"', '"native"'))).toEqual(['reflection', 'warning other_runner']);
});

test('a model in TOML needs no Genkit: its place stands beside its tests', async () => {
  const cwd = specsIn({});
  writeFileSync(
    path.join(cwd, 'small.toml'),
    `[model]
name = "local/small"
provider = "openai-compatible"
base_url = "http://127.0.0.1:9/v1"
trials = 4
min_pass_rate = 0.5

[[model.tests]]
name = "hello"
validators = ["text-not-empty"]
[model.tests.input]
messages = [{ role = "user", content = [{ text = "hello" }] }]
`,
  );
  const { scenarios, issues } = await load(cwd, { paths: ['small.toml'] });
  expect(issues).toEqual([]);
  expect(scenarios).toMatchObject([
    {
      name: 'local/small: hello',
      trials: 4,
      subject: {
        access: {
          runner: 'direct',
          endpoints: {
            'local/small': { provider: 'openai-compatible', model: 'small', baseUrl: 'http://127.0.0.1:9/v1' },
          },
        },
      },
    },
  ]);
});

test('words stand for plug-ins, files and settings, and one that names nothing is refused with what is near', () => {
  const cwd = specsIn({ echo: ONE, other: ONE });
  const at = (plugin: string): string => path.join(cwd, 'specs', plugin, 'model-conformance.yaml');
  expect(modelSpecs([], { cwd })).toEqual([at('echo'), at('other')]);
  expect(modelSpecs(['other'], { cwd })).toEqual([at('other')]);
  expect(modelSpecs(['conform.toml'], { cwd })).toEqual([at('echo'), at('other')]);
  expect(modelSpecs(['specs/echo'], { cwd })).toEqual(['specs/echo']);
  expect(() => modelSpecs(['ecko'], { cwd })).toThrow('"ecko" is no file or folder, and no plug-in has that name.');
});

test('a conform.toml that is not there or cannot be read goes before the words that it does not know', () => {
  const cwd = specsIn({ echo: ONE });
  writeFileSync(path.join(cwd, 'broken.toml'), 'a = ');
  for (const conform of ['broken.toml', 'nowhere.toml']) {
    expect(() => modelSpecs(['echo'], { cwd, conform })).toThrow(
      `The conform.toml cannot be used; nothing was run: ${conform}`,
    );
  }
});

test('a plug-in that nothing names is told with what would name it', async () => {
  const hint = async (cwd: string): Promise<string | undefined> => {
    const { issues } = await lintModels(['echo'], { cwd });
    return issues.find(({ code }) => code === 'unknown_plugin')?.hint;
  };
  expect(await hint(aFolder())).toBe(
    'Plug-ins have names by a conform.toml, and there is none here or above; --conform names one.',
  );
  expect(await hint(specsIn({ echo: ONE }, CONFORM.replace('specs-dir = "specs"\n', '')))).toBe(
    'conform.toml does not say where specs are: write specs-dir for a runtime, or say --specs-dir.',
  );
});

test('lint says which runtime does not tell where its specs are', async () => {
  const cwd = specsIn({ echo: ONE }, CONFORM.replace('specs-dir = "specs"\n', ''));
  expect(problems(await lintModels([], { cwd }))).toEqual([
    'conform.toml:7:19 warning missing_key: The runtime "js" has no specs-dir, so its plug-ins cannot be named.',
  ]);
});

test('a runtime that conform.toml does not have, and a folder without spec files, are told at once', async () => {
  const cwd = specsIn({ echo: ONE });
  const refused = (words: readonly string[], options: LoadSuiteOptions): unknown => {
    try {
      return modelSpecs(words, { cwd, ...options });
    } catch (error) {
      return error;
    }
  };
  for (const words of [[], ['echo'], ['conform.toml']]) {
    expect(refused(words, { runtimes: ['jss'] })).toMatchObject({
      code: 'USAGE',
      message: 'conform.toml has no runtime "jss".',
      hint: 'Did you mean "js"?',
    });
  }
  // A server that runs already may have any name.
  expect(refused([], { runtimes: ['go'], runnerUrl: 'http://127.0.0.1:1' })).toHaveLength(1);
  mkdirSync(path.join(cwd, 'none'));
  for (const specsDir of ['none', 'nowhere']) {
    expect(refused([], { specsDir })).toMatchObject({
      code: 'USAGE',
      message: `There is no spec file in ${specsDir}: no folder in it has a model-conformance.yaml.`,
    });
  }
  const nowhere = specsIn({}, CONFORM.replace('specs-dir = "specs"', 'specs-dir = "spec"'));
  expect(problems(await lintModels([], { cwd: nowhere }))).toEqual([
    'conform.toml:8:13 error no_specs: There is no spec file in spec: no folder in it has a model-conformance.yaml.',
    expect.stringContaining('missing_folder'),
    expect.stringContaining('unused_key'),
  ]);
});

test('a folder without conform.toml and spec files says what would be one', async () => {
  const [issue] = (await lintModels([], { cwd: aFolder() })).issues;
  expect([issue?.message, issue?.hint]).toEqual([
    'Folder "." has no spec file.',
    'Write a model-conformance.yaml that begins with `- model: NAME`, or a .toml file with [model].',
  ]);
});

const problems = ({ issues }: LintedModels): readonly string[] =>
  issues.map(
    ({ severity, code, message, at }) => `${at?.file}:${at?.line}:${at?.column} ${severity} ${code}: ${message}`,
  );

test('lint names plug-ins without spec or entry, what is never used, and variables that are missing, each with its place', async () => {
  const conform = `${CONFORM.replace('echo = []', 'ecko = []\necho = ["PASSK_NO_SUCH_KEY"]')}
[conform.model-overrides."no/model"]
action-timeout = 3
`;
  const cwd = specsIn({ echo: ONE }, conform);
  for (const plugin of ['echo', 'bare']) {
    mkdirSync(path.join(cwd, 'plugins', plugin, 'src', 'deep'), { recursive: true });
    writeFileSync(path.join(cwd, 'plugins', plugin, 'src', 'deep', 'models.ts'), '');
  }
  const linted = await lintModels([], { cwd });
  expect(problems(linted)).toEqual([
    'specs/echo/model-conformance.yaml:1:1 warning missing_env: "echo" would be skipped: PASSK_NO_SUCH_KEY is not set.',
    'conform.toml:9:13 error missing_spec: The plug-in "bare" brings models in js, and has no spec: bare/model-conformance.yaml is missing.',
    'conform.toml:11:18 error missing_entry: The plug-in "bare" brings models in js, and has no entry: bare/entry.mjs is missing.',
    'conform.toml:6:1 warning unused_key: [conform.env] speaks of ecko, which has no spec.',
    'conform.toml:14:26 warning unused_key: [conform.model-overrides] speaks of no/model, which no spec tests.',
  ]);
  expect(linted.issues.find(({ code }) => code === 'unused_key')?.hint).toBe('Did you mean "echo"?');
});

test('lint tells what is wrong with a conform.toml that finds no spec file', async () => {
  const cwd = specsIn({}, `${CONFORM}concurency = 3\n`.replace('specs-dir = "specs"', 'specs-dir = 3'));
  expect(problems(await lintModels([], { cwd })).slice(0, 2)).toEqual([
    'conform.toml:8:13 error wrong_type: "conform.runtimes.js.specs-dir" must be a string, not the integer 3.',
    'conform.toml:12:1 error unknown_key: "conform.runtimes.js.concurency" is not a known key.',
  ]);
});

test('lint of one file or plug-in says nothing of the others', async () => {
  const cwd = specsIn({ echo: ONE });
  for (const plugin of ['echo', 'bare']) {
    mkdirSync(path.join(cwd, 'plugins', plugin, 'src'), { recursive: true });
    writeFileSync(path.join(cwd, 'plugins', plugin, 'src', 'models.ts'), '');
  }
  for (const word of ['specs/echo/model-conformance.yaml', 'specs/echo', 'echo']) {
    expect(problems(await lintModels([word], { cwd }))).toEqual([]);
  }
  rmSync(path.join(cwd, 'specs', 'echo', 'entry.mjs'));
  const levels = async (word: string): Promise<readonly string[]> =>
    (await lintModels([word], { cwd })).issues.map(({ severity, code }) => `${severity} ${code}`);
  expect(await levels('specs/echo/model-conformance.yaml')).toEqual(['warning no_entry']);
  expect(await levels('echo')).toEqual(['warning no_entry', 'error missing_entry']);
});

test('lint looks in the folders of the command line, and tells those that are not there', async () => {
  const cwd = specsIn({ echo: ONE }, CONFORM.replace('"plugins"', '"nowhere"'));
  const [absent] = problems(await lintModels([], { cwd }));
  expect(absent).toBe(
    'conform.toml:9:15 warning missing_folder: The runtime "js" names a folder that is not there in plugins-dir.',
  );
  // Whoever names the plug-in looks for its sources there, too; whoever names its file does not.
  expect(problems(await lintModels(['echo'], { cwd }))).toEqual([absent]);
  expect(problems(await lintModels(['specs/echo'], { cwd }))).toEqual([]);
  const absentFlag = { code: 'missing_folder', message: '--plugins-dir names a folder that is not there.' };
  for (const words of [[], ['echo'], ['specs/echo']]) {
    expect((await lintModels(words, { cwd, pluginsDir: 'none' })).issues).toMatchObject([absentFlag]);
  }
  mkdirSync(path.join(cwd, 'others', 'bare', 'src'), { recursive: true });
  writeFileSync(path.join(cwd, 'others', 'bare', 'src', 'models.ts'), '');
  const { issues } = await lintModels([], { cwd, pluginsDir: 'others' });
  expect(issues.map(({ code }) => code)).toEqual(['missing_spec', 'missing_entry']);
});

test('lint of a file elsewhere names it as seen from here', async () => {
  const cwd = specsIn({ echo: '- model: a/b\n  supports: [tool-requst]\n' });
  const linted = await lintModels(['specs/echo/model-conformance.yaml'], { cwd });
  expect(linted.files).toEqual(['specs/echo/model-conformance.yaml']);
  expect(problems(linted)).toEqual([expect.stringMatching(/^specs\/echo\/model-conformance\.yaml:2:14 error /)]);
});

test('lint starts each entry where it is asked to, and says how long that took or why it does not start', async () => {
  const conform = `${CONFORM.replace('echo = []', 'good = []\ngone = []\nneedy = ["PASSK_LINT_KEY"]')}
[conform.runtimes.other]
specs-dir = "specs"
entry-command = ["node"]
entry-filename = "other.mjs"
default-runner = "reflection"
`;
  const cwd = specsIn({ good: ONE, gone: ONE, needy: ONE }, conform);
  const broken = path.join(cwd, 'specs', 'gone', 'other.mjs');
  writeFileSync(broken, 'process.stderr.write(`no such package\\n`); process.exit(3);');
  process.env['PASSK_LINT_KEY'] = 'sk-0123456789';
  onTestFinished(() => {
    delete process.env['PASSK_LINT_KEY'];
  });
  const before = new Set(childrenOf(process.pid));
  const linted = await lintModels([], { cwd, start: true, logs: 'logs', permissions: { run: true } });
  expect(
    linted.entries?.map(({ plugin, runtime, runner, seconds }) => [plugin, runtime, runner, seconds !== null]),
  ).toEqual([
    ['gone', 'js', 'in-process', true],
    ['gone', 'other', 'reflection', false],
    ['good', 'js', 'in-process', true],
    ['needy', 'js', 'in-process', false],
  ]);
  expect(problems(linted)).toEqual([
    expect.stringMatching(
      /^conform\.toml:17:1 error entry_start: The entry of "gone" does not start in other by reflection: The entry ended with exit code 3; its last lines: no such package\.$/,
    ),
    expect.stringMatching(
      /error entry_start: The entry of "needy" .* Plug-in "needy" needs --allow-env=PASSK_LINT_KEY\.$/,
    ),
  ]);
  expect(readFileSync(path.join(cwd, 'logs', 'gone@other.log'), 'utf8')).toBe('no such package\n');
  expect(await allGone(childrenOf(process.pid).filter((pid) => !before.has(pid)))).toBe(true);
});

test('an entry that never becomes ready is ended after its time', async () => {
  const cwd = specsIn({ echo: ONE }, CONFORM.replace('[conform]', '[conform]\nstartup-timeout = 1'));
  const wait = 'await new Promise(() => setInterval(() => undefined, 1000));';
  writeFileSync(path.join(cwd, 'specs', 'echo', 'entry.mjs'), wait);
  const before = new Set(childrenOf(process.pid));
  const { entries } = await lintModels([], { cwd, start: true, permissions: { run: true } });
  expect(entries?.map(({ problems: why }) => why)).toEqual([['The entry module was not ready after 1000 ms.']]);
  expect(await allGone(childrenOf(process.pid).filter((pid) => !before.has(pid)))).toBe(true);
});

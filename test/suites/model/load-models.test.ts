import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lintModels, loadSuite, type LoadSuiteOptions, modelSpecs } from '../../../src/index.ts';
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

test('lint names plug-ins without spec or entry, what is never used, and variables that are missing', async () => {
  const conform = `${CONFORM.replace('echo = []', 'gone = []\necho = ["PASSK_NO_SUCH_KEY"]')}
[conform.model-overrides."no/model"]
action-timeout = 3
`;
  const cwd = specsIn({ echo: ONE }, conform);
  for (const plugin of ['echo', 'bare']) {
    mkdirSync(path.join(cwd, 'plugins', plugin, 'src', 'deep'), { recursive: true });
    writeFileSync(path.join(cwd, 'plugins', plugin, 'src', 'deep', 'models.ts'), '');
  }
  const { issues } = await lintModels([], { cwd });
  expect(issues.map(({ code, severity, message }) => `${severity} ${code}: ${message}`)).toEqual([
    'error missing_spec: The plug-in "bare" brings models in js, and has no spec: bare/model-conformance.yaml is missing.',
    'error missing_entry: The plug-in "bare" brings models in js, and has no entry: bare/entry.mjs is missing.',
    'warning unused_key: [conform.env] speaks of gone, which has no spec.',
    'warning unused_key: [conform.model-overrides] speaks of no/model, which no spec tests.',
    'warning missing_env: "echo" would be skipped: PASSK_NO_SUCH_KEY is not set.',
  ]);
});

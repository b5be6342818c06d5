import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { listPlugins, loadSuite, runSuite, type ScenarioDefinition, traceTrial } from '../../src/index.ts';
import { builtinImporters } from '../../src/importers/builtin.ts';
import { inFolder } from './contract-runs.ts';
import { builtinRunners } from '../../src/runners/builtin.ts';
import { judged } from '../support/sampled.ts';

const plugins = [fileURLToPath(new URL('./fixtures/user-nodes.mjs', import.meta.url))];

declare module '../../src/types/definitions/node-keys.ts' {
  interface NodeKeys {
    readonly shout: { readonly inputFrom: string; readonly trouble?: string };
    readonly chatty: object;
    readonly picky: { readonly number: number };
  }
}

function aShout(trouble: string | undefined): ScenarioDefinition {
  return {
    name: `shout ${trouble ?? 'well'}`,
    trials: 3,
    workflow: {
      inline: {
        name: 'shout',
        startNodes: [{ name: 'main', source: 'manual' }],
        nodes: [{ id: 's', type: 'shout', inputFrom: 'trigger.word', ...(trouble !== undefined && { trouble }) }],
      },
    },
    trigger: { payload: { word: 'hi' } },
    expected: { final: { equals: 'HI' } },
  };
}

test('a node type of a user module runs in workers, and what it does wrong breaks its own trials only', async () => {
  const report = await runSuite({ scenarios: [aShout(undefined), aShout('throw'), aShout('exit')], plugins });
  expect(report.scenarios.map(({ trials }) => [trials.passed, trials.broken])).toEqual([
    [3, 0],
    [0, 3],
    [0, 3],
  ]);
  expect(report.scenarios.map(judged).map(({ failures }) => failures[0]?.brokenBy ?? null)).toEqual([
    null,
    expect.stringMatching(/^`begin` of the node type "shout" failed at user-nodes\.mjs:\d+:\d+: a planted error/),
    expect.stringContaining('exited with code 3'),
  ]);
});

test.each([
  ['create', 'a planted error'],
  ['stepless', 'it gave no step, which has a list `reads` and a function `begin`'],
])('a node type that fails to make a node is told with the node, whoever asked for it: %s', async (trouble, why) => {
  await expect(runSuite({ scenarios: [aShout(trouble)], plugins })).rejects.toMatchObject({
    code: 'PLUGIN',
    message: expect.stringContaining(`Node "s": \`create\` of the node type "shout" failed: ${why}`),
  });
});

test('two plug-ins with one word are told with their modules, and one that is named twice is one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-plugins-'));
  const again = path.join(folder, 'again.mjs');
  writeFileSync(again, `export { shout } from ${JSON.stringify(pathToFileURL(plugins[0] ?? '').href)};\n`);
  try {
    expect(await listPlugins({ plugins: [...plugins, ...plugins] })).toEqual(await listPlugins({ plugins }));
    await expect(listPlugins({ plugins: [...plugins, again] })).rejects.toMatchObject({
      code: 'PLUGIN',
      message: 'Plug-in again.mjs: there is another node "shout" in user-nodes.mjs.',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['promise', 'a promise'],
  ['nothing', 'no move'],
  ['unknown', 'a move of kind "dnoe"'],
])('a step that returns no move breaks its trials at once and says so: %s', async (trouble, found) => {
  const report = await runSuite({ scenarios: [aShout(trouble)], plugins });
  expect(report.scenarios[0]?.trials).toMatchObject({ passed: 0, broken: 3 });
  expect(judged(report.scenarios[0]).failures[0]?.brokenBy).toBe(
    `Node type "shout" returned ${found}: a step returns at once an object of kind done, end, error, pause, ask.`,
  );
});

test('user code gets a worker even when none is asked for, with the same report', async () => {
  const scenarios = [aShout(undefined)];
  const [inline, pooled] = [
    await runSuite({ scenarios, plugins, workers: 0 }),
    await runSuite({ scenarios, plugins, workers: 2 }),
  ];
  expect({ ...inline, timing: null }).toEqual({ ...pooled, timing: null });
  expect(inline.timing.executor).toBe('workers');
});

test('a module that is no plug-in is refused with what a plug-in looks like', async () => {
  const own = fileURLToPath(new URL('./scenarios.ts', import.meta.url));
  await expect(runSuite({ scenarios: [aShout(undefined)], plugins: [own] })).rejects.toMatchObject({ code: 'PLUGIN' });
  await expect(runSuite({ scenarios: [aShout(undefined)], plugins: ['./absent.mjs'] })).rejects.toMatchObject({
    code: 'PLUGIN',
    message: expect.stringContaining('absent.mjs'),
  });
});

test('a plug-in whose schema cannot be enforced is refused with what is wrong with it', async () => {
  const odd = fileURLToPath(new URL('./fixtures/odd-schema.mjs', import.meta.url));
  await expect(loadSuite({ scenarios: [aShout(undefined)], plugins: [odd] })).rejects.toMatchObject({
    code: 'PLUGIN',
    message: expect.stringMatching(
      /^The schema of plug-in "vague" cannot be enforced: #\/properties\/how\/type: unknown type/,
    ),
  });
});

test('a listed plug-in says where it is from', async () => {
  const listed = await listPlugins({ plugins });
  expect(listed.find(({ type }) => type === 'shout')).toEqual({
    kind: 'node',
    type: 'shout',
    summary: 'Upper case.',
    origin: 'user',
  });
  expect(listed.filter(({ kind, origin }) => kind === 'node' && origin === 'passk')).toHaveLength(24);
});

test('a runner of a user module is listed beside those of passk, and cannot take the word of one', async () => {
  const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
  const listed = await listPlugins({ plugins: [fixture('user-runner.mjs')] });
  expect(listed.filter(({ kind }) => kind === 'runner')).toEqual([
    ...builtinRunners.map(({ type, summary }) => ({ kind: 'runner', type, summary, origin: 'passk' })),
    { kind: 'runner', type: 'parrot', summary: 'Says what it was asked.', origin: 'user' },
  ]);
  await expect(listPlugins({ plugins: [fixture('second-native.mjs')] })).rejects.toMatchObject({
    code: 'PLUGIN',
    message: 'There is already a runner "native".',
    hint: 'Give the plug-in in second-native.mjs another `type`.',
  });
});

test('every format of recorded runs is listed', async () => {
  const listed = await listPlugins();
  const formats = listed.filter(({ kind }) => kind === 'importer');
  expect(formats).toEqual(
    builtinImporters.map(({ type, summary }) => ({ kind: 'importer', type, summary, origin: 'passk' })),
  );
});

test('a trace of user code that dies says so instead of ending the process', async () => {
  const folder = mkdtempSync(`${tmpdir()}/passk-trace-`);
  try {
    const node = 'id = "s"\ntype = "shout"\ninput_from = "trigger.word"\ntrouble = "exit"';
    const start = '[[start_nodes]]\nname = "main"\nsource = "manual"';
    writeFileSync(
      `${folder}/exit.toml`,
      `name = "exit"\n[workflow]\ninline = '''\nname = "w"\n${start}\n[[nodes]]\n${node}\n'''\n[expected]\nstatus = "completed"\n`,
    );
    const { result } = await traceTrial({ file: `${folder}/exit.toml`, trial: 0, plugins });
    expect(result).toMatchObject({ verdict: 'broken', outcome: null, brokenBy: expect.stringContaining('code: 3') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what user code prints reaches the caller and not the output of the process', async () => {
  const said: string[] = [];
  const report = await runSuite({
    scenarios: [
      {
        name: 'chatty',
        workflow: {
          inline: {
            name: 'chatty',
            startNodes: [{ name: 'main', source: 'manual' }],
            nodes: [{ id: 'c', type: 'chatty' }],
          },
        },
        expected: { lastNode: 'c' },
      },
    ],
    plugins,
    onOutput: (text) => said.push(text),
  });
  expect(report.summary.passed).toBe(1);
  expect(said.join('')).toBe('said by user code\n');
});

test('a node type of a user checks its nodes at load, and the problem points at the key', async () => {
  const inline = {
    name: 'picky',
    startNodes: [{ name: 'main', source: 'manual' as const }],
    nodes: [{ id: 'p', type: 'picky' as const, number: 3 }],
  };
  const scenario = { name: 'picky', workflow: { inline }, expected: { lastNode: 'p' } };
  const { issues } = await loadSuite({ scenarios: [scenario], plugins });
  expect(issues).toMatchObject([
    { code: 'odd_number', message: 'Scenario "picky": nodes[0].number: Node "p" wants an even number.' },
  ]);
});

test('a generator whose schema cannot be enforced is refused before a file is checked by it', async () => {
  const schema = "{ type: 'objekt' }";
  const text = `export const own = { kind: 'generator', type: 'own', summary: 'Own.', generate() {}, schema: ${schema} };`;
  await inFolder({ 'own.mjs': text }, async (cwd) => {
    await expect(loadSuite({ cwd, scenarios: [aShout(undefined)], plugins: ['./own.mjs'] })).rejects.toThrow(
      'The schema of plug-in "own" cannot be enforced: #/type: unknown type "objekt"',
    );
  });
});

test.each([
  ["kind: 'runner', judges: 'text-includes'", '`judges` of "odd" is no list of validators.'],
  ["kind: 'runner', atOnce: 0", '`atOnce` of "odd" is no whole number from 1.'],
  ["kind: 'generator', schema: 5", '`schema` of "odd" is no JSON Schema.'],
])('a plug-in with %s is refused: %s', async (fields, message) => {
  const text = `const f = () => undefined; export const odd = { type: 'odd', summary: 'Odd.', open: f, generate: f, ${fields} };`;
  await inFolder({ 'odd.mjs': text }, async (cwd) => {
    const refused = { code: 'PLUGIN', message: `Plug-in odd.mjs: ${message}` };
    await expect(listPlugins({ cwd, plugins: ['./odd.mjs'] })).rejects.toMatchObject(refused);
  });
});

test('a runner cannot be called as what passk says in place of one', async () => {
  for (const type of ['auto', 'direct']) {
    const text = `export const own = { kind: 'runner', type: '${type}', summary: 'Own.', open: async () => undefined };`;
    await inFolder({ 'own.mjs': text }, async (cwd) => {
      const taken = { code: 'PLUGIN', message: `There is already a runner "${type}".` };
      await expect(listPlugins({ cwd, plugins: ['./own.mjs'] })).rejects.toMatchObject(taken);
    });
  }
});

test('plug-ins of a CommonJS module are found, however it exports them', async () => {
  const own = "{ kind: 'runner', type: 'own', summary: 'Own.', open: async () => undefined }";
  for (const text of [`exports.own = ${own};`, `module.exports = { own: ${own} };`, `module.exports = ${own};`]) {
    await inFolder({ 'own.cjs': text }, async (cwd) => {
      const listed = await listPlugins({ cwd, plugins: ['./own.cjs'] });
      expect(listed.filter(({ origin }) => origin === 'user')).toEqual([
        { kind: 'runner', type: 'own', summary: 'Own.', origin: 'user' },
      ]);
    });
  }
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { certify } from '../../src/release/certify/certify.ts';
import { checkCertificate } from '../../src/release/certify/check-certificate.ts';
import { findSubject } from '../../src/release/certify/certified-subject.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import type { RunSuiteOptions } from '../../src/settings/options.ts';
import { aFolder, aGreeting } from '../cli/run-passk.ts';
import { CONFORM, says } from '../suites/model/a-spec.ts';

type Files = Readonly<Record<string, string>>;

const KEYS = makeKeys();
const ISSUED = '2026-11-25T12:00:00.000Z';
const SCHEMA = '{"type": "object", "required": ["way"]}\n';
const REPLY = '{"way": "left"}';

/** A workflow of one node that asks the model, and of what else is in it. */
const asking = (nodes: string, edges: string): string => `name = "asking"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "Which way?", output_schema = "way.schema.json" },
${nodes}
  { id = "done", type = "terminate" },
]
edges = [${edges}]
`;

const CHILD = asking('', '{ from = "ask", to = "done" }');

/** Each reads what the others do not. */
const PURE: Readonly<Record<string, { readonly files: Files; readonly paths: readonly string[] }>> = {
  'a workflow, its child and a schema': {
    paths: ['scenarios/a.toml'],
    files: {
      'scenarios/a.toml': `name = "a"
trials = 4
workflow = { path = "flows/main.toml" }
[intel]
turns = [{ content = '${REPLY}' }, { content = '${REPLY}' }]
[expected]
last_node = "done"
`,
      'scenarios/flows/main.toml': asking(
        '  { id = "again", type = "call", workflow = "flows/child.toml" },',
        '{ from = "ask", to = "again" }, { from = "again", to = "done" }',
      ),
      'scenarios/flows/child.toml': CHILD,
      'scenarios/flows/way.schema.json': SCHEMA,
    },
  },
  'a fixture and the workflow beside it': {
    paths: ['fixture.toml'],
    files: {
      'fixture.toml': `start = "main"
[mocks]
intel = ['${REPLY}']
[expected]
last_node = "done"
`,
      'way.schema.json': SCHEMA,
      'workflow.toml': CHILD,
    },
  },
  'a contract in YAML, its workflow, a profile and a schema': {
    paths: ['way.contract.yaml'],
    files: {
      'calm.profile.yaml': 'name: calm\nchaos:\n  tool_faults: []\n',
      'reply.schema.json': SCHEMA,
      'way.contract.yaml': `contract:
  name: way
  trials: 4
  invariants:
    - {id: shape, type: json_schema, schema: reply.schema.json}
  chaos_matrix:
    - {name: calm, profile: calm.profile.yaml}
workflow: flow.toml
intel:
  turns:
    - content: '${REPLY}'
`,
      'flow.toml': `name = "flow"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "Which way?" },
  { id = "reply", type = "respond", body_template = "{{content}}", content_type = "text/plain", input_from = "ask" },
]
edges = [{ from = "ask", to = "reply" }]
`,
    },
  },
};

async function aProject(files: Files): Promise<string> {
  const cwd = aFolder();
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(cwd, file)), { recursive: true });
    await writeFile(path.join(cwd, file), text);
  }
  return cwd;
}

/** Calls `use` while a file has another byte that means nothing. */
async function withByte<T>(file: string, use: () => Promise<T>): Promise<T> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, `${text}\n`);
  try {
    return await use();
  } finally {
    await writeFile(file, text);
  }
}

describe('a certificate ends with any byte of', () => {
  test.each(Object.entries(PURE))('%s', async (_, { files, paths }) => {
    const cwd = await aProject(files);
    const { verdict, certificate } = await certify({
      cwd,
      paths,
      workers: 0,
      key: KEYS.privateKey,
      out: 'a.cert',
      at: ISSUED,
    });
    expect([verdict, certificate?.body.paths]).toEqual(['pass', paths]);
    const folder = Object.keys(files).every((file) => file.startsWith('scenarios/')) ? 'scenarios' : '';
    const names = Object.keys(files).map((file) => path.posix.relative(folder, file));
    expect(certificate?.body.subject.files.map(({ name }) => name)).toEqual(names.sort());
    const check = async () => {
      const { checks } = await checkCertificate({ cwd, certificate: 'a.cert', at: ISSUED });
      return checks.filter(({ holds }) => !holds).map(({ message }) => message);
    };
    expect(await check()).toEqual([]);
    for (const name of names) {
      expect(await withByte(path.join(cwd, folder, name), check)).toEqual([
        `These files are not as certified: ${name}.`,
      ]);
    }
    expect(await check()).toEqual([]);
  });

  const found = async (options: RunSuiteOptions) => (await findSubject(options, {})).subject.files;

  test.each<[string, { readonly files: Files; readonly options: RunSuiteOptions }]>([
    [
      'the module of an agent',
      {
        files: {
          'agent.mjs': 'export default () => "Hello.";\n',
          'agent.toml': `[contract]
name = "hello"
prompts = ["Hi"]
[[contract.invariants]]
id = "speaks"
type = "output_not_empty"
[[contract.chaos_matrix]]
name = "calm"
[agent]
module = "agent.mjs"
`,
        },
        options: { paths: ['agent.toml'], permissions: { run: ['./agent.mjs'] } },
      },
    ],
    [
      'an agent in Python',
      {
        files: {
          'agent.py': 'def answer(prompt): return "Hello."\n',
          'agent.toml': `name = "hi"
[agent]
type = "python"
endpoint = "agent:answer"
[user]
opening = "Hi"
[expected]
says = ["Hello"]
`,
        },
        options: { paths: ['agent.toml'], permissions: { run: ['python3'] } },
      },
    ],
    [
      'the world of a session',
      {
        files: {
          'till.toml': `name = "till"
[session]
world = "world.mjs"
[[tasks]]
name = "look"
user = { opening = "What is in it?" }
gold = { calls = [] }
agents = [{ name = "a", turns = [{ says = "Nothing." }] }]
`,
          'world.mjs': `export default {
  state: { sum: 0 },
  tools: { get_sum: { run: (state) => state.sum } },
};
`,
        },
        options: { paths: ['till.toml'], permissions: { run: ['./world.mjs'] } },
      },
    ],
    [
      'a plug-in',
      {
        files: {
          'a.toml': aGreeting(),
          'word.mjs': `export default {
  kind: 'similarity',
  type: 'word',
  summary: 'Equal words.',
  create: () => (a, b) => (a === b ? 1 : 0),
};
`,
        },
        options: { paths: ['a.toml'], plugins: ['./word.mjs'] },
      },
    ],
    [
      'a spec of models, its entry, and what says how they are asked',
      {
        files: {
          'conform.toml': CONFORM,
          'known.txt': '# nothing fails\n',
          'specs/echo/entry.mjs': 'export {};\n',
          'specs/echo/model-conformance.yaml': `- model: echo/good\n  tests:${says('hi')}\n`,
        },
        options: {
          paths: ['specs/echo/model-conformance.yaml'],
          expectedFailures: 'known.txt',
          permissions: { run: true },
        },
      },
    ],
  ])('%s', async (_, { files, options }) => {
    const cwd = await aProject(files);
    const before = await found({ cwd, ...options });
    expect(before.map(({ name }) => name)).toEqual(Object.keys(files).sort());
    for (const changed of before) {
      const after = await withByte(path.join(cwd, changed.name), () => found({ cwd, ...options }));
      const others = after.filter(
        ({ name, sha256 }) => !before.some((one) => one.name === name && one.sha256 === sha256),
      );
      expect(others.map(({ name }) => name)).toEqual([changed.name]);
    }
  });
});

describe('the paths of a certificate', () => {
  test('are looked at from the folder in which it is checked, and from elsewhere by their names', async () => {
    const cwd = await aProject({ 'scenarios/a.toml': aGreeting(), 'scenarios/b.toml': aGreeting({ name: 'other' }) });
    const issued = { cwd, workers: 0, key: KEYS.privateKey, out: 'a.cert', at: ISSUED };
    expect((await certify({ ...issued, paths: ['scenarios'] })).certificate?.body.paths).toEqual([
      'scenarios/a.toml',
      'scenarios/b.toml',
    ]);
    const check = (options: object) =>
      checkCertificate({ cwd, certificate: path.join(cwd, 'a.cert'), at: ISSUED, ...options });
    expect((await check({})).holds).toBe(true);
    expect((await check({ cwd: path.join(cwd, 'scenarios'), paths: ['a.toml', 'b.toml'] })).holds).toBe(true);
    // Files that are not there are not those that were certified.
    expect((await check({ cwd: path.join(cwd, 'scenarios') })).holds).toBe(false);
    // Bytes that were swapped between files are other files.
    await writeFile(path.join(cwd, 'scenarios/a.toml'), aGreeting({ name: 'other' }));
    await writeFile(path.join(cwd, 'scenarios/b.toml'), aGreeting());
    expect((await check({})).checks.filter(({ holds }) => !holds).map(({ code }) => code)).toEqual(['FILES']);
  });

  test('lead to no file outside of the folder unless it is named', async () => {
    const cwd = await aProject({ 'a.toml': aGreeting(), 'deployed/none.txt': '' });
    const folder = path.join(cwd, 'deployed');
    await certify({ cwd: folder, paths: ['../a.toml'], workers: 0, key: KEYS.privateKey, out: 'a.cert', at: ISSUED });
    const check = (options: object) => checkCertificate({ cwd: folder, certificate: 'a.cert', at: ISSUED, ...options });
    await expect(check({})).rejects.toMatchObject({
      code: 'USAGE',
      message: 'The certificate is about ../a.toml, which lies outside of this folder.',
    });
    expect((await check({ paths: ['../a.toml'] })).holds).toBe(true);
  });

  test('run no module unless it is named', async () => {
    const cwd = await aProject({
      'say.toml':
        "name = 'say'\n[[start_nodes]]\nname = 'main'\nsource = 'manual'\nentry_node = 'end'\n[[nodes]]\nid = 'end'\ntype = 'terminate'\n",
      'a.mjs': "export default { name: 'a', workflow: { path: 'say.toml' }, expected: { status: 'completed' } };",
    });
    const { certificate } = await certify({
      cwd,
      paths: ['a.mjs'],
      workers: 0,
      key: KEYS.privateKey,
      out: 'a.cert',
      at: ISSUED,
    });
    expect(certificate?.body.subject.files.map(({ name }) => name)).toEqual(['a.mjs', 'say.toml']);
    const check = (options: object) => checkCertificate({ cwd, certificate: 'a.cert', at: ISSUED, ...options });
    await expect(check({})).rejects.toMatchObject({
      code: 'USAGE',
      message: 'The certificate is about a.mjs, which is a module, and would be run.',
    });
    expect((await check({ paths: ['a.mjs'] })).holds).toBe(true);
  });
});

test('a certificate holds for no scenario of its files that a tag had left out', async () => {
  const task = (name: string, says: string): string => `[[tasks]]
name = "${name}"
tags = ["${name}"]
user = { opening = "Go on." }
expected = { says = ["done"] }
agents = [{ name = "a", turns = [{ says = "${says}" }] }]
`;
  const cwd = await aProject({ 'till.toml': `name = "till"\n[session]\n${task('easy', 'done')}${task('hard', 'no')}` });
  const shared = { cwd, paths: ['till.toml'], at: ISSUED };
  const { verdict } = await certify({
    ...shared,
    trials: 32,
    tags: ['easy'],
    workers: 0,
    key: KEYS.privateKey,
    out: 'a.cert',
  });
  expect(verdict).toBe('pass');
  const broken = async (tags?: readonly string[]) => {
    const { checks } = await checkCertificate({
      ...shared,
      certificate: 'a.cert',
      ...(tags !== undefined && { tags }),
    });
    return checks.filter(({ holds }) => !holds).map(({ message }) => message);
  };
  expect([await broken(), await broken(['easy'])]).toEqual([
    ['Scenarios of these files were not tried: till: hard.'],
    [],
  ]);
});

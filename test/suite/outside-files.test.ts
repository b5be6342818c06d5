import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSuite, type PermissionOptions } from '../../src/index.ts';
import { workflowIn } from '../support/as-workflow.ts';

const CANARY = 'canary of a file outside';

/** A folder `suite` beside a folder `secrets` whose file is neither TOML nor JSON. */
function aPlace(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-outside-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['suite', 'secrets']) mkdirSync(path.join(folder, name));
  for (const name of ['key', 'key.toml']) writeFileSync(path.join(folder, 'secrets', name), `${CANARY}: "`);
  return folder;
}

function aScenario(node: string): string {
  return `name = "s"\n[workflow]\ninline = '''\nname = "w"\nstart_nodes = [{ name = "main", source = "manual", entry_node = "n" }]\nnodes = [{ id = "n", ${node} }]\nedges = []\n'''\n[trigger]\npayload = { items = [] }\n[[intel.turns]]\ncontent = "{}"\n[expected]\nstatus = "completed"\n`;
}

const model = (schema: string): string =>
  aScenario(`type = "llm_infer", backend = "default", prompt = "x", output_schema = "${schema}"`);

test.each([
  ['a workflow', 'name = "s"\n[workflow]\npath = "../secrets/key"\n[expected]\nstatus = "completed"\n'],
  ['a child', aScenario('type = "call", workflow = "../secrets/key", input_from = "trigger"')],
  ['a schema', model('../secrets/key')],
  ['a schema through the folder', model('${SCENARIO_DIR}/../secrets/key')],
  ['a schema behind a link', model('link')],
])('%s outside of the suite is not opened, and the grant that would do it is named', async (_, text) => {
  const folder = aPlace();
  writeFileSync(path.join(folder, 'suite/s.toml'), text);
  symlinkSync('../secrets/key', path.join(folder, 'suite/link'));
  const issuesOf = async (permissions: PermissionOptions) =>
    (await loadSuite({ cwd: path.join(folder, 'suite'), paths: ['.'], permissions })).issues;
  const told = JSON.stringify(await issuesOf({}));
  expect(told).toContain('lies outside of the project');
  expect(told).toContain(`--allow-read=${folder}/secrets`);
  expect(told).not.toContain(CANARY);
  expect(JSON.stringify(await issuesOf({ read: [`${folder}/secrets`] }))).not.toContain('lies outside');
});

test('a scenario file that is a link to the outside is opened only where it was named itself, and not shown', async () => {
  const folder = aPlace();
  symlinkSync('../secrets/key.toml', path.join(folder, 'suite/s.toml'));
  const cwd = path.join(folder, 'suite');
  const told = async (paths: readonly string[]) => JSON.stringify((await loadSuite({ cwd, paths })).issues);
  expect(await told(['.'])).toContain('lies outside');
  expect(await told(['.'])).not.toContain(CANARY);
  expect(await told(['s.toml'])).toContain('not valid TOML');
  expect(await told(['s.toml'])).not.toContain(CANARY);
});

/** A project with a `corpus` whose only scenario runs a child of its sibling folder `fixtures`, as agentd's corpus does. */
function aProject(marker: string): string {
  const folder = aPlace();
  const corpus = path.join(folder, 'project/crates/conformance/corpus/composition');
  mkdirSync(corpus, { recursive: true });
  mkdirSync(path.join(corpus, '../../fixtures'));
  if (marker !== '') writeFileSync(path.join(folder, 'project', marker), '');
  writeFileSync(
    path.join(corpus, '../../fixtures/child.toml'),
    'name = "child"\nstart_nodes = [{ name = "main", source = "manual", entry_node = "t" }]\nnodes = [{ id = "t", type = "terminate" }]\n',
  );
  const child = '${SCENARIO_DIR}/../../fixtures/child.toml';
  writeFileSync(path.join(corpus, 's.toml'), aScenario(`type = "call", workflow = "${child}"`));
  return folder;
}

test.each(['.git', 'passk.toml', 'passk.config.mjs'])(
  'a suite runs from any folder when what it names lies in its project, whose mark is %s',
  async (marker) => {
    const folder = aProject(marker);
    const corpus = 'project/crates/conformance/corpus';
    const froms = [
      { cwd: path.join(folder, 'secrets'), paths: [`../${corpus}`] },
      { cwd: path.join(folder, 'suite'), paths: [path.join(folder, corpus)] },
      { cwd: folder, paths: [corpus] },
      { cwd: path.join(folder, corpus), paths: ['composition/s.toml'] },
      { cwd: path.join(folder, corpus), paths: ['**/*.toml'] },
    ];
    for (const from of froms) {
      const { scenarios, issues } = await loadSuite(from);
      expect([from, issues.filter(({ severity }) => severity === 'error'), scenarios.length]).toEqual([from, [], 1]);
    }
  },
);

test('without a mark the project is the folder that is loaded', async () => {
  const folder = aProject('');
  const corpus = path.join(folder, 'project/crates/conformance/corpus');
  const { issues } = await loadSuite({ cwd: path.join(folder, 'secrets'), paths: [corpus] });
  expect(issues.map(({ code }) => code)).toContain('file_outside');
});

test('a mark in a folder that anyone may write to makes no project', async () => {
  const folder = aProject('.git');
  chmodSync(path.join(folder, 'project'), 0o777);
  const corpus = path.join(folder, 'project/crates/conformance/corpus');
  const { issues } = await loadSuite({ cwd: path.join(folder, 'secrets'), paths: [corpus] });
  expect(issues.map(({ code }) => code)).toContain('file_outside');
});

test('a link in a project that leads out of it is not followed', async () => {
  const folder = aProject('.git');
  const fixtures = path.join(folder, 'project/crates/conformance/fixtures');
  rmSync(path.join(fixtures, 'child.toml'));
  symlinkSync(path.join(folder, 'secrets/key'), path.join(fixtures, 'child.toml'));
  const corpus = path.join(folder, 'project/crates/conformance/corpus');
  const { issues } = await loadSuite({ cwd: path.join(folder, 'suite'), paths: [corpus] });
  expect(issues.map(({ code }) => code)).toContain('file_outside');
  expect(JSON.stringify(issues)).not.toContain(CANARY);
});

test('what lies above the suite but below the current folder may be named', async () => {
  const folder = aPlace();
  writeFileSync(path.join(folder, 'suite/s.toml'), model('../schema.json'));
  writeFileSync(path.join(folder, 'schema.json'), '{"type": "object"}');
  expect((await loadSuite({ cwd: folder, paths: ['suite'] })).issues).toEqual([]);
});

test('what one file may read because it was named itself is not shown to those that name it', async () => {
  const folder = aPlace();
  writeFileSync(path.join(folder, 'secrets/key.toml'), `name = "${CANARY}"\n[workflow]\npath = "a.toml"\n`);
  symlinkSync('../secrets/key.toml', path.join(folder, 'suite/a.toml'));
  writeFileSync(path.join(folder, 'suite/b.toml'), 'name = "b"\n[workflow]\npath = "a.toml"\n');
  const { loaded } = await loadSuite({ cwd: path.join(folder, 'suite'), paths: ['a.toml', '.'] });
  expect(loaded.map(({ file }) => file)).toEqual(['a.toml', 'b.toml']);
  expect(JSON.stringify(loaded[0]?.issues)).toContain(CANARY);
  expect(JSON.stringify(loaded[1]?.issues)).toContain('lies outside');
  expect(JSON.stringify(loaded[1]?.issues)).not.toContain(CANARY);
});

test('scenarios that name the same workflow file have the same workflow, and its problems are told once', async () => {
  const folder = aPlace();
  const cwd = path.join(folder, 'suite');
  const nodes = `start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]\nnodes = [{ id = "n", type = "read_env", key = "A" }]\n`;
  writeFileSync(path.join(folder, 'w.toml'), `name = "w"\n${nodes}`);
  writeFileSync(path.join(folder, 'broken.toml'), 'name = "x"\nnodes = 1\n');
  const names = ['one', 'two', 'three', 'four'];
  for (const [at, name] of names.entries()) {
    const workflow = at < 2 ? '../w.toml' : '../broken.toml';
    const text = `name = "${name}"\n[workflow]\npath = "${workflow}"\n[expected]\nstatus = "completed"\n`;
    writeFileSync(path.join(cwd, `${name}.toml`), text);
  }
  const load = (paths: readonly string[]) => loadSuite({ cwd, paths, permissions: { read: true } });
  const together = await load(['.']);
  const [one, two] = together.scenarios.map(workflowIn);
  expect(together.scenarios.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(two?.workflow).toBe(one?.workflow);
  expect(together.issues.filter(({ at }) => at?.file.endsWith('broken.toml'))).toHaveLength(1);
  const alone = await Promise.all(names.map((name) => load([`${name}.toml`])));
  const told = (file: string) => together.loaded.find((row) => row.file === file);
  for (const { loaded } of alone) for (const row of loaded) expect(told(row.file)).toEqual(row);
});

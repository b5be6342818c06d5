import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSuite, type PermissionOptions } from '../../src/index.ts';

const CANARY = 'canary of a file outside';

/** A folder `suite` beside a folder `secrets` whose file is neither TOML nor JSON. */
function aPlace(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-outside-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['suite', 'secrets']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, 'secrets/key'), `${CANARY}: "`);
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
  expect(told).toContain('lies outside of the folder that is loaded');
  expect(told).toContain(`--allow-read=${folder}/secrets`);
  expect(told).not.toContain(CANARY);
  expect(JSON.stringify(await issuesOf({ read: [`${folder}/secrets`] }))).not.toContain('lies outside');
});

test('a scenario file that is a link to the outside is opened only where it was named itself', async () => {
  const folder = aPlace();
  symlinkSync('../secrets/key', path.join(folder, 'suite/s.toml'));
  const cwd = path.join(folder, 'suite');
  const told = async (paths: readonly string[]) => JSON.stringify((await loadSuite({ cwd, paths })).issues);
  expect(await told(['.'])).toContain('lies outside');
  expect(await told(['.'])).not.toContain(CANARY);
  expect(await told(['s.toml'])).toContain(CANARY);
});

test('what lies above the suite but below the current folder may be named', async () => {
  const folder = aPlace();
  writeFileSync(path.join(folder, 'suite/s.toml'), model('../schema.json'));
  writeFileSync(path.join(folder, 'schema.json'), '{"type": "object"}');
  expect((await loadSuite({ cwd: folder, paths: ['suite'] })).issues).toEqual([]);
});

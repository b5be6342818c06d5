import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSuite } from '../../src/index.ts';
import { judged } from '../support/sampled.ts';

const SCENARIO = `
name = "disk"

[workflow]
inline = '''
name = "disk"
start_nodes = [{ name = "main", source = "manual", entry_node = "folder" }]
nodes = [
  { id = "folder", type = "create_dir", path_from = "trigger.folder" },
  { id = "first", type = "write_file", path_from = "trigger.first", content_from = "trigger.text" },
  { id = "run", type = "shell_run", command = "/usr/bin/printf", args_from = "trigger.args" },
  { id = "second", type = "write_file", path_from = "trigger.second", content_from = "trigger.text" },
]
edges = [{ from = "folder", to = "first" }, { from = "first", to = "run" }, { from = "run", to = "second" }]
[budget]
max_fs_write_mb = 1
'''

[trigger.payload]
folder = "\${SCENARIO_DIR}/out/made"
first = "\${SCENARIO_DIR}/out/first"
second = "\${SCENARIO_DIR}/out/second"
args = ["%s", "done"]
text = "${'x'.repeat(600_000)}"

[expected]
status = "errored"
errored_node = "second"
reason_contains = "budget.fs_write exceeded: 600000 bytes written, 600000 more would pass"
`;

test('files and programs that are granted are real, and the budget counts what is written to disk', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-granted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const out = path.join(folder, 'out');
  mkdirSync(out);
  writeFileSync(path.join(folder, 'disk.toml'), SCENARIO);
  const permissions = { read: [out], write: [out], run: ['printf'] };
  const { scenarios } = await runSuite({ cwd: folder, paths: ['disk.toml'], trials: 3, workers: 0, permissions });
  expect(scenarios.map(judged).map(({ trials, effects }) => [trials.passed, effects])).toEqual([
    [3, ['process', 'file']],
  ]);
  expect(readdirSync(out).sort()).toEqual(['first', 'made']);
  expect(readFileSync(path.join(out, 'first'), 'utf8').length).toBe(600_000);
});

test('what is not granted stays in memory', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-granted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'disk.toml'), SCENARIO);
  const { scenarios } = await runSuite({
    cwd: folder,
    paths: ['disk.toml'],
    trials: 1,
    workers: 0,
    permissions: { run: ['printf'] },
  });
  expect(scenarios.map(({ trials }) => trials.passed)).toEqual([1]);
  expect(existsSync(path.join(folder, 'out'))).toBe(false);
});

const CHECKED = `
name = "checked"

[workflow]
inline = '''
name = "checked"
start_nodes = [{ name = "main", source = "manual", entry_node = "note" }]
nodes = [
  { id = "note", type = "write_file", path_from = "trigger.note", content_from = "trigger.text" },
  { id = "copy", type = "shell_run", command = "/bin/cp", args_from = "trigger.args" },
]
edges = [{ from = "note", to = "copy" }]
'''

[trigger.payload]
note = "\${SCENARIO_DIR}/out/note"
text = "noted"
args = ["SOURCE", "TARGET"]

[expected.files]
exist = ["\${SCENARIO_DIR}/out", "\${SCENARIO_DIR}/out/note", "\${SCENARIO_DIR}/out/copy"]
absent = ["\${SCENARIO_DIR}/out/other"]
contain = { "\${SCENARIO_DIR}/out/note" = "noted", "\${SCENARIO_DIR}/out/copy" = "before" }
`;

test('expectations on files see the disk where it may be read, and else what the trial itself wrote there', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-granted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const out = path.join(folder, 'out');
  mkdirSync(out);
  writeFileSync(path.join(folder, 'before'), 'was there before');
  const text = CHECKED.replace('SOURCE', path.join(folder, 'before')).replace('TARGET', path.join(out, 'copy'));
  writeFileSync(path.join(folder, 'checked.toml'), text);
  const failed = async (read: readonly string[]): Promise<readonly string[]> => {
    const permissions = { read, write: [out], run: ['cp'] };
    const { scenarios } = await runSuite({ cwd: folder, paths: ['checked.toml'], workers: 0, permissions });
    return scenarios
      .map(judged)
      .flatMap(({ failures }) => failures.flatMap(({ findings }) => findings.map(({ check }) => check)));
  };
  expect(await failed([out])).toEqual([]);
  expect(await failed([])).toEqual([
    'files exist "${SCENARIO_DIR}/out/copy"',
    'files contain "${SCENARIO_DIR}/out/copy"',
  ]);
});

test('where no node uses files, expectations still see what granted programs left on a disk that may be read', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-granted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = path.join(folder, 'made');
  const text = `name = "made"
[workflow]
inline = '''
name = "made"
start_nodes = [{ name = "main", source = "manual", entry_node = "make" }]
nodes = [{ id = "make", type = "shell_run", command = "/usr/bin/touch", args_from = "trigger.args" }]
edges = []
'''
[trigger]
payload = { args = ["${made}"] }
[expected.files]
exist = ["${made}"]
`;
  writeFileSync(path.join(folder, 'made.toml'), text);
  const permissions = { run: ['touch'], read: [folder] };
  const { scenarios } = await runSuite({ cwd: folder, paths: ['made.toml'], workers: 0, permissions });
  expect(scenarios.map(judged).map(({ trials, effects }) => [trials.passed, effects])).toEqual([
    [1, ['process', 'file']],
  ]);
});

test('real files that are the same give the same report, however long they took to be read', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-granted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'words.txt'), 'words');
  const start = 'start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]';
  const nodes = 'nodes = [{ id = "n", type = "read_file", path_from = "trigger.path" }]';
  const inline = `name = "w"\n${start}\n${nodes}\nedges = []\n`;
  const trigger = '[trigger]\npayload = { path = "${SCENARIO_DIR}/words.txt" }\n';
  const text = `name = "reads"\n[workflow]\ninline = '''\n${inline}'''\n${trigger}[expected]\nstatus = "failed"\n`;
  writeFileSync(path.join(folder, 'reads.toml'), text);
  const permissions = { read: [folder] };
  const report = async () => {
    const { timing: _, ...lasting } = await runSuite({ cwd: folder, trials: 3, workers: 0, permissions });
    return lasting;
  };
  const first = await report();
  expect(judged(first.scenarios[0]).failures[0]?.trace?.events.at(-1)).toMatchObject({
    kind: 'end',
    outcome: { elapsedUs: 0 },
  });
  expect(await report()).toEqual(first);
});

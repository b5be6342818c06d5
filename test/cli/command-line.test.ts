import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';
import { afterWork } from '../support/processes.ts';
import { loadErrorsOf } from '../../src/types/reports/scenario-report.ts';

test('bare paths mean run: the report is on stdout and nothing on stderr', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  const { status, stdout, stderr } = await runPassk(['a.toml'], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('greeting');
});

test('a failing scenario exits with 1 and names the command that shows the trial', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ lastNode: 'greet' }));
  const { status, stdout } = await runPassk(['a.toml'], { cwd });
  expect(status).toBe(1);
  const command = /passk (trace .*)$/m.exec(stdout)?.[1] ?? '';
  const traced = await runPassk(command.split(' '), { cwd });
  expect(traced.status).toBe(0);
  expect(traced.stdout).toContain('Hello, Ada.');
  expect(traced.stdout).toContain('last_node');
});

test('--json prints one JSON document that is the report', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  const { status, stdout, stderr } = await runPassk(['a.toml', '--json', '--trials', '20'], { cwd });
  const report = JSON.parse(stdout) as SuiteReport;
  expect({ status, stderr, schema: report.schema, passed: report.summary.trials.passed }).toEqual({
    status: 0,
    stderr: '',
    schema: 'passk-report/3',
    passed: 20,
  });
});

test('reporters write whole files beside the text on stdout, make their folders, and leave no draft', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  const args = ['run', 'a.toml', '-r', 'json:reports/new/report.json', '-r', 'reference-json:reference.json'];
  const { status, stdout } = await runPassk(args, { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain('greeting');
  expect(JSON.parse(readFileSync(path.join(cwd, 'reports/new/report.json'), 'utf8')).schema).toBe('passk-report/3');
  expect(readdirSync(cwd).sort()).toEqual(['a.toml', 'reference.json', 'reports']);
});

test.each([
  ['a file in place of a folder', 'json:a.toml/report.json', 'a part of the path is not a folder'],
  ['a folder in its place', 'json:.', 'there is a folder in its place'],
  ['an unknown reporter', 'jsno:report.json', 'There is no reporter "jsno"'],
])('%s ends it before a trial has run, with exit code 2', async (_name, reporter, message) => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 1_000_000_000 }));
  const { status, stdout, stderr } = await runPassk(['a.toml', '--reporter', reporter], { cwd });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test.each([
  [['--trails', '3', 'corpus'], 'Did you mean --trials?'],
  [['valdiate', 'corpus'], 'Did you mean the command "validate"?'],
  [['run', '--trials', 'many'], 'Expected a whole number of at least 1.'],
  [['run', '--min-pass-rate', '95'], 'for 95 write 0.95'],
  [['run', '--sampler', 'seded'], 'Allowed choices are seeded, reference, exhaustive.'],
  [['run', '--json', '--reporter', 'text'], 'both write to standard output'],
  [['help', 'valdiate'], 'Did you mean "passk help validate"?'],
  [['trace'], "missing required argument 'file'"],
  [['run', 'missing.toml'], 'missing.toml'],
  [['run', '--name', '/(/'], 'is not a pattern'],
  [['plugins', '--plugin', './missing.mjs'], 'missing.mjs'],
])('%j is refused with exit code 2 and says why', async (args, message) => {
  const { status, stdout, stderr } = await runPassk(args, { cwd: aFolder() });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
});

test.each([
  ['scenaros', 'Did you mean the folder "scenarios"?'],
  ['expors', 'Did you mean the command "export" or the folder "exports"?'],
  ['frst', 'Did you mean the file "first"?'],
  ['replay', 'Recorded sessions are run with the contract that lists them: passk contract run FILE.'],
  ['nothing-like-it', 'passk --help lists the commands.'],
])('a first word that is neither a command nor a path, %s, is told with what was meant', async (word, hint) => {
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'scenarios'));
  mkdirSync(path.join(cwd, 'exports'));
  writeFileSync(path.join(cwd, 'first'), '');
  const { status, stderr } = await runPassk([word, '--json'], { cwd });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `passk: "${word}" is neither a command nor a file or folder.\n${hint}\n`,
  });
});

test.each([
  ['open', 'reprt.json'],
  ['merge', 'reprt.json'],
  ['run a.toml --baseline', 'reprt.json'],
  ['run a.toml --replay', 'reprt.json'],
])('%s offers the file that was meant by a path', async (command, file) => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  writeFileSync(path.join(cwd, 'report.json'), '');
  const { status, stderr } = await runPassk([...command.split(' '), file], { cwd });
  expect(status).toBe(2);
  expect(stderr).toMatch(/Did you mean ".*report\.json"\?/);
});

test('an empty folder is an error that says what to do', async () => {
  const { status, stderr } = await runPassk([], { cwd: aFolder() });
  expect(status).toBe(2);
  expect(stderr).toContain('passk init');
});

test('a mistake in a file is shown with its place, and nothing runs', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'bad.toml'), aGreeting({ top: 'trails = 3' }));
  writeFileSync(path.join(cwd, 'good.toml'), aGreeting({ name: 'good' }));
  const { status, stdout, stderr } = await runPassk(['.'], { cwd });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('bad.toml:3:1');
  expect(stderr).toContain('"trials"');
  expect(stderr).toContain('--keep-going runs the one file that loads.');
});

test('--keep-going runs the rest and still exits with 2', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'bad.toml'), 'name = ');
  writeFileSync(path.join(cwd, 'good.toml'), aGreeting({ name: 'good' }));
  const { status, stdout } = await runPassk(['.', '--keep-going', '--json'], { cwd });
  const report = JSON.parse(stdout) as SuiteReport;
  expect(status).toBe(2);
  expect(report.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['bad.toml', 'load_error'],
    ['good', 'passed'],
  ]);
});

test('--keep-going gives each bad file one failed row, a link that leads nowhere as well', async () => {
  const cwd = aFolder();
  symlinkSync('nothing.toml', path.join(cwd, 'gone.toml'));
  writeFileSync(path.join(cwd, 'good.toml'), aGreeting({ name: 'good' }));
  const { status, stdout } = await runPassk(['.', '--keep-going', '--json'], { cwd });
  const report = JSON.parse(stdout) as SuiteReport;
  expect(status).toBe(2);
  expect(report.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['gone.toml', 'load_error'],
    ['good', 'passed'],
  ]);
  expect(report.scenarios.flatMap(loadErrorsOf)[0]?.hint).toBe('It is a link that leads nowhere.');
});

test('a problem that no single file has stops the run, also with --keep-going', async () => {
  const cwd = aFolder();
  for (const file of ['a.toml', 'b.toml']) writeFileSync(path.join(cwd, file), aGreeting({ name: 'twice' }));
  const doubled = await runPassk(['.', '--keep-going'], { cwd });
  expect(doubled).toMatchObject({ status: 2, stdout: '' });
  expect(doubled.stderr).toContain('Scenario name "twice" is used by a.toml and by b.toml.');
  expect(doubled.stderr).not.toContain('--keep-going');
  const absent = await runPassk(['a.toml', 'c.toml', '--keep-going'], { cwd });
  expect(absent).toMatchObject({ status: 2, stdout: '' });
  expect(absent.stderr).toContain('"c.toml" does not exist');
});

test('validate prints every problem and runs nothing', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'good.toml'), aGreeting());
  const good = await runPassk(['validate'], { cwd });
  expect(good).toMatchObject({ status: 0, stdout: '1 file: no problems.\n', stderr: '' });
  writeFileSync(path.join(cwd, 'bad.toml'), aGreeting({ name: 'bad', top: 'trails = 3' }));
  const bad = await runPassk(['validate', '--json'], { cwd });
  expect(bad.status).toBe(2);
  expect(JSON.parse(bad.stdout)).toMatchObject({ errors: 1, files: ['bad.toml', 'good.toml'] });
});

test('list shows what the same filters would run', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ name: 'alpha', top: 'tags = ["fast"]' }));
  writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'beta' }));
  const { status, stdout } = await runPassk(['list', '--tag', 'fast'], { cwd });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: 'scenario  trials  file    tags\nalpha     8       a.toml  fast\n',
  });
  const none = await runPassk(['list', '--tag', 'slow'], { cwd });
  expect({ status: none.status, stdout: none.stdout }).toEqual({ status: 2, stdout: '' });
  expect(none.stderr).toContain('No name or tag matches');
  for (const filter of [
    ['--tag', 'slow'],
    ['--name', 'gamma'],
  ]) {
    const checked = await runPassk(['validate', ...filter], { cwd });
    expect({ status: checked.status, stdout: checked.stdout }).toEqual({ status: 2, stdout: '' });
    expect(checked.stderr).toContain('No name or tag matches');
  }
  const nothing = await runPassk(['run', '--tag', 'slow'], { cwd });
  expect(nothing.stderr).toContain('2 files loaded, but no name or tag matches; `passk list` shows them.');
});

test('schema prints a JSON Schema of each kind of file, and refuses other kinds', async () => {
  for (const kind of ['scenario', 'contract', 'workflow', 'config', 'rollout', 'report', 'trace']) {
    const { status, stdout } = await runPassk(['schema', kind]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $id: `urn:passk:schema:${kind}`, type: 'object' });
  }
  expect(await runPassk(['schema'])).toEqual(await runPassk(['schema', 'scenario']));
  expect((await runPassk(['schema', 'reports'])).status).toBe(2);
});

test('plugins lists every word a scenario may name', async () => {
  const { status, stdout } = await runPassk(['plugins', '--json']);
  expect(status).toBe(0);
  const types = (JSON.parse(stdout) as { readonly type: string }[]).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['llm_infer', 'switch', 'json']));
});

test('--version prints the version and --help the commands', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await runPassk(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  const help = await runPassk(['--help']);
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(help.stdout).toContain('passk init');
  const ofGroup = await runPassk(['help', 'contract', 'validate']);
  expect(ofGroup).toEqual(await runPassk(['contract', 'validate', '--help']));
  expect(ofGroup.stdout).toMatch(/^Usage: passk contract validate /);
});

test('colour is in a report only when it was asked for', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  const ansi = '\u001b[';
  expect((await runPassk(['a.toml'], { cwd })).stdout).not.toContain(ansi);
  expect((await runPassk(['a.toml'], { cwd, env: { FORCE_COLOR: '1' } })).stdout).toContain(ansi);
  expect((await runPassk(['a.toml', '--no-color'], { cwd, env: { FORCE_COLOR: '1' } })).stdout).not.toContain(ansi);
});

test('a report fits a narrow terminal', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ name: 'a scenario with quite a long name that goes on and on' }));
  const { stdout } = await runPassk(['a.toml'], { cwd, env: { COLUMNS: '40' } });
  expect(stdout.split('\n').filter((line) => line.length > 40)).toEqual([]);
});

test('a reader that closes the pipe early is no failure', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  const { status, stderr } = await runPassk(['schema'], { cwd, meanwhile: (child) => child.stdout?.destroy() });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

/**
 * A scenario whose every trial takes half an hour, step by step, although it asks nobody but passk: no budget ends it
 * before. Each step looks through a text that is half as long as a value may be.
 */
function anEndlessTrial(): string {
  return `name = "endless"
trials = 2
timeout_ms = 3600000
[workflow]
inline = '''
name = "endless"
start_nodes = [{ name = "main", source = "manual", entry_node = "fill" }]
nodes = [
  { id = "fill", type = "template_render", template = "{{}}", input_from = "trigger.part" },
  { id = "read", type = "read_file", path_from = "fill.rendered", retry = { max_attempts = 4294967295, backoff_ms = 0 } },
]
edges = [{ from = "fill", to = "read" }]
'''
[trigger]
payload = { part = "/${'a/'.repeat(250_000)}" }
[expected]
status = "completed"
`;
}

describe('a trial that does not end', () => {
  test('holds nothing up: Ctrl-C ends the run with a report', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), anEndlessTrial());
    writeFileSync(path.join(cwd, 'b.toml'), aGreeting());
    const { status, stdout, stderr } = await runPassk(['.', '--json', '--workers', '0'], {
      cwd,
      meanwhile: (child) => afterWork(child.pid, 700, () => child.kill('SIGINT')),
    });
    expect({ status, stderr }).toEqual({
      status: 130,
      stderr: 'passk: stopping; the report covers what has run. Ctrl-C again stops at once.\n',
    });
    const { scenarios } = JSON.parse(stdout) as SuiteReport;
    expect(scenarios.map(({ trials }) => [trials.executed, trials.passed])).toEqual([
      [0, 0],
      [8, 8],
    ]);
  });

  test('is shown by trace from a worker, which is ended', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), anEndlessTrial());
    const { signal, stdout } = await runPassk(['trace', 'a.toml'], {
      cwd,
      meanwhile: (child) => afterWork(child.pid, 700, () => child.kill('SIGINT')),
    });
    expect({ signal, stdout }).toEqual({ signal: 'SIGINT', stdout: '' });
  });
});

test('the first Ctrl-C ends the run with a partial report and 130', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 4_000_000_000 }));
  const { status, stdout, stderr } = await runPassk(['a.toml', '--json', '--workers', '2'], {
    cwd,
    meanwhile: (child) => afterWork(child.pid, 350, () => child.kill('SIGINT')),
  });
  expect(status).toBe(130);
  expect(stderr).toContain('stopping');
  const report = JSON.parse(stdout) as SuiteReport;
  expect(report.partial).toBe(true);
  expect(report.summary.trials.executed).toBeLessThan(4_000_000_000);
});

test('the second Ctrl-C ends the process at once, without a report', async () => {
  // What is in flight may land after the first one, which takes seconds here.
  const server = await anHttpServer(() => undefined);
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'a.toml'),
    aGreeting()
      .replace(/type = "template_render"[^[]*/, 'type = "http_request"\nmethod = "GET"\nurl_from = "trigger.url"\n\n')
      .replace('{ name = "Ada" }', `{ url = "${server.origin}/" }`),
  );
  let said = '';
  const { status, signal, stdout, stderr } = await runPassk(['a.toml', `--allow-net=127.0.0.1:${server.port}`], {
    cwd,
    meanwhile: (child) => {
      const waiting = setInterval(() => {
        if (server.seen.length === 0) return;
        clearInterval(waiting);
        child.stderr?.on('data', (text: string) => {
          said += text;
          if (said.includes('stopping')) child.kill('SIGINT');
        });
        child.kill('SIGINT');
      }, 10);
    },
  });
  expect({ status, signal, stdout, stderr }).toEqual({
    status: null,
    signal: 'SIGINT',
    stdout: '',
    stderr: 'passk: stopping; the report covers what has run. Ctrl-C again stops at once.\n',
  });
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

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
    schema: 'passk-report/1',
    passed: 20,
  });
});

test('reporters write whole files beside the text on stdout, and leave no draft', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  const args = ['run', 'a.toml', '-r', 'json:report.json', '-r', 'reference-json:reference.json'];
  const { status, stdout } = await runPassk(args, { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain('greeting');
  expect(JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8')).schema).toBe('passk-report/1');
  expect(readdirSync(cwd).sort()).toEqual(['a.toml', 'reference.json', 'report.json']);
});

test.each([
  ['a folder that is not there', 'json:nowhere/report.json', 'the folder does not exist'],
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
  [['valdiate', 'corpus'], 'Did you mean validate?'],
  [['run', '--trials', 'many'], 'Expected a whole number of at least 1.'],
  [['run', '--min-pass-rate', '95'], 'for 95 write 0.95'],
  [['run', '--sampler', 'seded'], 'Allowed choices are seeded, reference, exhaustive.'],
  [['run', '--json', '--reporter', 'text'], 'both write to standard output'],
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
  expect(none.stderr).toContain('no name or tag matches');
});

test('init writes a first scenario that validates and passes, and never overwrites it', async () => {
  const cwd = aFolder();
  const made = await runPassk(['init'], { cwd });
  expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(path.join(cwd, 'scenarios')).sort()).toEqual(['first.toml', 'scenario.schema.json']);
  expect(await runPassk(['validate', 'scenarios'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  expect(await runPassk(['scenarios'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  const file = path.join(cwd, 'scenarios/first.toml');
  writeFileSync(file, '# mine');
  const again = await runPassk(['init'], { cwd });
  expect(again.status).toBe(2);
  expect(again.stderr).toContain('exists already and stays as it is');
  expect(readFileSync(file, 'utf8')).toBe('# mine');
});

test('schema prints a JSON Schema of each kind of file', async () => {
  for (const args of [['schema'], ['schema', 'workflow']]) {
    const { status, stdout } = await runPassk(args);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object' });
  }
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

test('the first Ctrl-C ends the run with a partial report and 130', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 4_000_000_000 }));
  const { status, stdout, stderr } = await runPassk(['a.toml', '--json', '--workers', '2'], {
    cwd,
    meanwhile: (child) => setTimeout(() => child.kill('SIGINT'), 1500),
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

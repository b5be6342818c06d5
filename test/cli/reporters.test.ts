import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../importers/otlp/an-otel.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

const PLUGIN = fileURLToPath(new URL('./fixtures/reporters.mjs', import.meta.url));

/** A folder with a scenario that passes and one that does not. */
function aSuite(): string {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'good.toml'), aGreeting({ name: 'good' }));
  writeFileSync(path.join(cwd, 'wrong.toml'), aGreeting({ name: 'wrong', lastNode: 'greet' }));
  return cwd;
}

/** The line of `wrong.toml` that does not hold. */
const WRONG_LINE =
  aGreeting({ lastNode: 'greet' })
    .split('\n')
    .findIndex((line) => line.startsWith('last_node =')) + 1;

test('several reporters write at once, each to its own place', async () => {
  const cwd = aSuite();
  const args = ['.', '-r', 'markdown', '-r', 'junit:junit.xml', '-r', 'tap:run.tap', '-r', 'ndjson:run.ndjson'];
  const { status, stdout, stderr } = await runPassk(args, { cwd });
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toContain('## ✗ passk: gate failed');
  expect(readFileSync(path.join(cwd, 'junit.xml'), 'utf8')).toContain(
    '<testsuites name="passk" tests="2" failures="1"',
  );
  expect(readFileSync(path.join(cwd, 'run.tap'), 'utf8')).toMatch(/^TAP version 14\n1\.\.2\n/);
  expect(kindsOf(readFileSync(path.join(cwd, 'run.ndjson'), 'utf8')).filter((kind) => kind !== 'progress')).toEqual([
    ...['loaded', 'planned', 'scenario', 'scenario', 'end'],
  ]);
});

test('ndjson on stdout is written while the run goes on', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 4_000_000_000 }));
  const { status, stdout } = await runPassk(['a.toml', '-r', 'ndjson'], {
    cwd,
    meanwhile: (child) => {
      let seen = '';
      child.stdout?.on('data', (text: string) => {
        // Only a line that comes before the end can be answered by a Ctrl-C.
        if (!seen.includes('"progress"')) {
          seen += text;
          if (seen.includes('"progress"')) child.kill('SIGINT');
        }
      });
    },
  });
  expect(status).toBe(130);
  const kinds = kindsOf(stdout);
  expect([...kinds.slice(0, 3), ...kinds.slice(-2)]).toEqual(['loaded', 'planned', 'progress', 'scenario', 'end']);
});

test('github annotates the line that does not hold, after the text report, and adds to the summary of the step', async () => {
  const cwd = aSuite();
  const summary = path.join(cwd, 'summary.md');
  writeFileSync(summary, 'Said before.\n');
  const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: path.dirname(cwd), GITHUB_ACTIONS: 'true' };
  const { status, stdout } = await runPassk(['.', '-r', 'github'], { cwd, env });
  expect(status).toBe(1);
  const lines = stdout.split('\n');
  const after = lines.slice(lines.findIndex((line) => line.startsWith('::')));
  expect(after[0]).toMatch(
    new RegExp(`^::error file=${path.basename(cwd)}/wrong.toml,line=${WRONG_LINE},col=13,title=wrong%3A last_node`),
  );
  expect(after.at(-2)).toBe('::notice title=passk::Gate failed; 1 of 2 scenarios passed, 16 trials, seed 0.');
  expect(readFileSync(summary, 'utf8')).toMatch(/^Said before\.\n## ✗ passk: gate failed\n/);
});

test('github annotates the problems of files that keep the run from starting', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'bad.toml'), aGreeting({ top: 'trails = 3' }));
  const { status, stdout } = await runPassk(['.', '-r', 'github'], { cwd });
  expect(status).toBe(2);
  expect(stdout).toMatch(/^::error file=bad\.toml,line=3,col=1,title=passk::[^\n]+\n$/);
});

test('a full step summary is named and left as it is', async () => {
  const cwd = aSuite();
  const summary = path.join(cwd, 'summary.md');
  writeFileSync(summary, 'x'.repeat(1024 * 1024));
  const { status, stderr } = await runPassk(['.', '-r', 'github'], { cwd, env: { GITHUB_STEP_SUMMARY: summary } });
  expect({ status, stderr }).toEqual({ status: 2, stderr: 'passk: The step summary is full: GitHub takes 1 MiB.\n' });
  expect(readFileSync(summary, 'utf8')).toHaveLength(1024 * 1024);
});

test('a reporter of a user module is used and listed like any other', async () => {
  const cwd = aSuite();
  const { status, stdout } = await runPassk(['.', '--plugin', PLUGIN, '-r', 'names'], { cwd });
  expect({ status, stdout }).toEqual({ status: 1, stdout: 'good passed\nwrong failed\n' });
  const listed = await runPassk(['plugins', '--plugin', PLUGIN, '--json'], { cwd });
  expect(JSON.parse(listed.stdout)).toContainEqual({
    kind: 'reporter',
    type: 'names',
    summary: 'Names and verdicts, one a line.',
    origin: 'user',
  });
});

test('a reporter that breaks is named, at the end or at an event; the others finish and the exit code is 2', async () => {
  const cwd = aSuite();
  const reporters = ['broken-pen:pen.txt', 'broken-ear:ear.txt', 'names:names.txt', 'json'];
  const args = ['good.toml', '--plugin', PLUGIN, ...reporters.flatMap((word) => ['-r', word])];
  const { status, stdout, stderr } = await runPassk(args, { cwd });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(
      /^passk: The broken-ear reporter broke at [\w-]+\.mjs:\d+:\d+: the ear is broken\.\npassk: The broken-pen reporter broke at [\w-]+\.mjs:\d+:\d+: the pen is broken\.\n$/,
    ),
  });
  expect(JSON.parse(stdout).schema).toBe('passk-report/3');
  expect(readFileSync(path.join(cwd, 'names.txt'), 'utf8')).toBe('good passed\n');
  expect(readFileSync(path.join(cwd, 'ear.txt'), 'utf8')).toBe('heard\n');
});

test.each([
  [['-r', 'junti'], 'Did you mean "junit"?'],
  [['-r', 'zzz'], 'Known reporters: text, json,'],
  [['-r', 'json', '-r', 'github'], 'both write to standard output'],
  [['-r', 'github', '-r', 'github'], 'both write to standard output'],
  [['--plugin', PLUGIN, '-r', 'names', '-r', 'tap'], 'both write to standard output'],
])('%j is refused before anything runs', async (args, message) => {
  const { status, stdout, stderr } = await runPassk(['.', ...args], { cwd: aSuite() });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});

function kindsOf(lines: string): readonly string[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).kind);
}

test('otlp is sent to a collector that is granted, and one that is not is refused before anything runs', async () => {
  const collector = await startReceiver();
  onTestFinished(() => collector.close());
  const cwd = aSuite();
  const args = ['good.toml', '--reporter', `otlp:${collector.url}`, '--reporter', 'ndjson:run.ndjson'];
  const refused = await runPassk(args, { cwd });
  const { host } = new URL(collector.url);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain(`needs --allow-net=${host}.`);
  expect([collector.received, existsSync(path.join(cwd, 'run.ndjson'))]).toEqual([[], false]);
  const granted = await runPassk([...args, `--allow-net=${host}`], { cwd });
  expect({ status: granted.status, stderr: granted.stderr }).toEqual({ status: 0, stderr: '' });
  expect(collector.received.map((one) => one.path)).toEqual(['/v1/traces']);
});

test('a URL among the reporters of a settings file is sent to, and no name of a folder', async () => {
  const collector = await startReceiver();
  onTestFinished(() => collector.close());
  const cwd = aSuite();
  const { host } = new URL(collector.url);
  writeFileSync(path.join(cwd, 'passk.toml'), `reporters = ["text", "otlp:${collector.url}"]\n`);
  const { status } = await runPassk(['good.toml', '--trust', `--allow-net=${host}`], { cwd });
  expect([status, collector.received.map((one) => one.path)]).toEqual([0, ['/v1/traces']]);
  expect(existsSync(path.join(cwd, 'http:'))).toBe(false);
});

test('a collector that refuses a report is an error of the report, whatever the gate says', async () => {
  const collector = await startReceiver(() => ({ status: 401, body: '{"message":"who are you?"}' }));
  onTestFinished(() => collector.close());
  const cwd = aSuite();
  const { host } = new URL(collector.url);
  const args = ['good.toml', '--reporter', `otlp:${collector.url}`, `--allow-net=${host}`];
  const { status, stderr } = await runPassk(args, { cwd });
  expect(status).toBe(2);
  expect(stderr).toBe(`passk: The otlp report was not taken as a whole by ${collector.url}: HTTP 401: who are you?.\n`);
});

test('a reporter of a user module that changes the report breaks, and changes neither others nor the verdict', async () => {
  const cwd = aSuite();
  const change = "render(report) { report.gate.verdict = 'pass'; return ''; }";
  const text = `export const own = { kind: 'reporter', type: 'own', summary: 'Own.', ${change} };`;
  writeFileSync(path.join(cwd, 'own.mjs'), text);
  const { status, stdout, stderr } = await runPassk(['.', '--plugin', './own.mjs', '-r', 'own:own.txt', '--json'], {
    cwd,
  });
  expect({ status, verdict: JSON.parse(stdout).gate.verdict }).toEqual({ status: 2, verdict: 'fail' });
  expect(stderr).toMatch(
    /^passk: The own reporter broke at own\.mjs:1:\d+: Cannot assign to read only property 'verdict'/,
  );
});

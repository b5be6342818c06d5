import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/index.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

const RUN = ['release', 'run', 'a.toml', '--tier', 'dev', '--candidate-version', '1', '--out', 'release.json'];

function aProject(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  return { cwd, env: { PASSK_RELEASE_KEY: makeKeys().privateKey } };
}

test('a release is reported as a page, as JSON and to GitHub, beside its record on stdout', async () => {
  const { cwd, env } = aProject();
  const summary = path.join(cwd, 'summary.md');
  const reporters = ['html:release.html', 'json:report.json', 'github'].flatMap((reporter) => ['--reporter', reporter]);
  const { status, stdout, stderr } = await runPassk([...RUN, ...reporters], {
    cwd,
    env: { ...env, GITHUB_STEP_SUMMARY: summary },
  });
  expect([status, stderr]).toEqual([3, '']);
  expect(stdout).toContain('verdict       insufficient');
  expect(stdout).toMatch(/^::notice title=passk::/m);
  expect(readFileSync(summary, 'utf8')).toContain('| axis | verdict | measured |');
  expect(readFileSync(path.join(cwd, 'release.html'), 'utf8')).toContain('Cost of a success');
  const report = JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8')) as SuiteReport;
  expect([report.gate.verdict, report.release?.verdict]).toEqual(['insufficient', 'insufficient']);
});

test('a reporter that wants standard output has it alone, and not beside --json', async () => {
  const { cwd, env } = aProject();
  const markdown = await runPassk([...RUN, '--reporter', 'markdown'], { cwd, env });
  expect(markdown.stdout).toContain('### Release');
  expect(markdown.stdout).not.toContain('signed by');
  const both = await runPassk([...RUN, '--json', '--reporter', 'markdown'], { cwd, env });
  expect([both.status, both.stdout]).toEqual([2, '']);
  expect(both.stderr).toContain('both write to standard output');
});

test('a report that cannot be written is told with exit code 2, before anything runs', async () => {
  const { cwd, env } = aProject();
  const { status, stderr } = await runPassk([...RUN, '--reporter', 'html:a.toml/release.html'], { cwd, env });
  expect(status).toBe(2);
  expect(stderr).toContain('a part of the path is not a folder');
});

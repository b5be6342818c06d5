import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFolder, runPassk } from './run-passk.ts';

test('init writes a first scenario that validates and passes, and never overwrites it', async () => {
  const cwd = aFolder();
  const made = await runPassk(['init'], { cwd });
  expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(path.join(cwd, 'scenarios')).sort()).toEqual(['first.toml', 'scenario.schema.json']);
  expect(await runPassk(['validate', 'scenarios'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  expect(await runPassk(['scenarios'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  const file = path.join(cwd, 'scenarios/first.toml');
  // The commands in its comments are for the folder where it was written from.
  expect(readFileSync(file, 'utf8')).toContain('# Run it: passk scenarios/first.toml ');
  writeFileSync(file, '# mine');
  const again = await runPassk(['init'], { cwd });
  expect(again.status).toBe(2);
  expect(again.stderr).toContain('exists already and stays as it is');
  expect(readFileSync(file, 'utf8')).toBe('# mine');
});

test('init names the schema of the package that is installed, which is never out of date, and copies one elsewhere', async () => {
  const cwd = aFolder();
  const schemas = path.join(cwd, 'node_modules/passk/dist/schema');
  mkdirSync(schemas, { recursive: true });
  for (const kind of ['scenario', 'contract']) writeFileSync(path.join(schemas, `${kind}.json`), '{}');
  const made = await runPassk(['init', 'deep/er'], { cwd });
  expect(made.stdout).toContain('Wrote deep/er/first.toml.');
  expect(readdirSync(path.join(cwd, 'deep/er'))).toEqual(['first.toml']);
  const [line = ''] = readFileSync(path.join(cwd, 'deep/er/first.toml'), 'utf8').split('\n');
  expect(line).toBe('#:schema ../../node_modules/passk/dist/schema/scenario.json');
  await runPassk(['init', '--contract'], { cwd });
  expect(readdirSync(path.join(cwd, 'contracts'))).toEqual(['first.toml']);
  // This package is older than sessions.
  await runPassk(['init', '--session'], { cwd });
  expect(readdirSync(path.join(cwd, 'sessions')).sort()).toEqual(['first.toml', 'session.schema.json']);
});

test('init --contract writes a first contract that validates, and fails where its comments say', async () => {
  const cwd = aFolder();
  const made = await runPassk(['init', '--contract'], { cwd });
  expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
  expect(made.stdout).toContain('passk contract run contracts');
  expect(readdirSync(path.join(cwd, 'contracts')).sort()).toEqual(['contract.schema.json', 'first.toml']);
  expect(await runPassk(['contract', 'validate', 'contracts'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  const run = await runPassk(['contract', 'run', 'contracts'], { cwd });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 1, stderr: '' });
  expect(run.stdout.replace(/\s+/g, ' ')).toContain(
    '2 critical cells failed: no-invented-price in shop-down, no-invented-price in shop-flaky.',
  );
  // Red cells are annotated where the file has their rule.
  const { stdout } = await runPassk(['contract', 'run', 'contracts', '-r', 'github'], { cwd });
  const lines = readFileSync(path.join(cwd, 'contracts/first.toml'), 'utf8').split('\n');
  const places = [...stdout.matchAll(/^::error file=contracts\/first\.toml,line=(\d+)/gm)].map(([, line]) =>
    Number(line),
  );
  expect(places.map((line) => lines.slice(line - 1, line + 1))).toEqual([
    ['[[contract.invariants]]', 'id = "no-invented-price"'],
    ['[[contract.invariants]]', 'id = "no-invented-price"'],
  ]);
});

test('init --session writes tasks that tell a careful agent from a hasty one', async () => {
  const cwd = aFolder();
  const made = await runPassk(['init', '--session'], { cwd });
  expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(path.join(cwd, 'sessions')).sort()).toEqual(['first.toml', 'session.schema.json']);
  expect(await runPassk(['validate', 'sessions'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  expect(await runPassk(['audit', 'set', 'sessions'], { cwd })).toMatchObject({ status: 0 });
  const { status, stdout } = await runPassk(['sessions', '--json'], { cwd });
  const { gate } = JSON.parse(stdout) as SuiteReport;
  expect(status).toBe(1);
  expect(gate.reasons).toEqual([expect.stringContaining('· hasty: ')]);
});

test('init --agent writes questions for the address that it is given, and says how to grant it', async () => {
  const cwd = aFolder();
  const made = await runPassk(['init', 'asked', '--agent', 'https://agent.example/chat'], { cwd });
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toContain('passk asked --allow-net=agent.example');
  expect(readFileSync(path.join(cwd, 'asked/first.toml'), 'utf8')).toContain('endpoint = "https://agent.example/chat"');
  expect(await runPassk(['validate', 'asked'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  const wrong = await runPassk(['init', '--agent', 'agent.example'], { cwd });
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
  expect(wrong.stderr).toContain('Write a whole address');
});

test.each([
  ['github', '.github/workflows/passk.yml'],
  ['gitlab', '.gitlab-ci.yml'],
])('init --ci %s writes a file of its own that runs the folder, and never overwrites one', async (service, file) => {
  const cwd = aFolder();
  expect(await runPassk(['init', '--ci', service, 'our tests'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  const text = readFileSync(path.join(cwd, file), 'utf8');
  expect(JSON.stringify(parseYaml(text))).toContain("npx passk 'our tests' --gate");
  expect(await runPassk(['init', '--ci', service], { cwd })).toMatchObject({ status: 2, stdout: '' });
  expect(readFileSync(path.join(cwd, file), 'utf8')).toBe(text);
});

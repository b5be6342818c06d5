import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/index.ts';
import { PASSK } from './run-passk.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'passk-few-files-'));
  writeFileSync(
    path.join(cwd, 'agent.mjs'),
    'export default () => new Promise((resolve) => setTimeout(resolve, 300, "hello"));\n',
  );
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const AGENTS: Readonly<Record<string, string>> = {
  program: 'type = "command"\ncommand = ["sh", "-c", "sleep 0.3; echo hello"]',
  module: 'module = "agent.mjs"',
};

// A process may open so many files here that it can start a few agents, but not forty.
test.skipIf(process.platform === 'win32').each(Object.keys(AGENTS))(
  'where the machine starts no more agents their trials are broken, and neither fail nor end the run: %s',
  (kind) => {
    writeFileSync(
      path.join(cwd, `${kind}.toml`),
      `[contract]
name = "hello"
trials = 40
prompts = ["hello?"]
[[contract.invariants]]
id = "greets"
type = "contains"
value = "hello"
severity = "critical"
[agent]
${AGENTS[kind]}
stateless = true
concurrency = 40
`,
    );
    const args = [
      PASSK,
      'contract',
      'run',
      `${kind}.toml`,
      '--allow-run=sh',
      '--allow-run=./agent.mjs',
      '--concurrency',
      '40',
      '--json',
    ];
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, ...args],
      { cwd, encoding: 'utf8' },
    );
    expect([status, stderr.includes('internal error')]).toEqual([3, false]);
    const [result] = (JSON.parse(stdout) as SuiteReport).results;
    const cell = result?.kind === 'contract' ? result.cells[0] : undefined;
    // What was judged is what was answered.
    expect(cell).toMatchObject({ state: 'broken', why: expect.stringContaining('ulimit -n') });
    expect(cell?.obeyed).toBe(cell?.judged);
  },
);

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

/** A scenario whose node remembers how often it was run, and answers otherwise from then on. */
function aForgetfulSuite(runs: number): string {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `let runs = 0;
export const stateful = {
  kind: 'node', type: 'stateful', summary: 'Remembers.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => ({ kind: 'done', output: runs++ < ${runs} ? 'new' : 'old' }) }),
};
`,
  );
  const scenario = aGreeting({ trials: 4096 }).replace(/type = "template_render"[^[]*/, 'type = "stateful"\n\n');
  const expected = '[[expected.values]]\nnode = "greet"\nequals = "new"\n';
  writeFileSync(path.join(cwd, 'a.toml'), scenario + expected);
  return cwd;
}

const ARGS = ['run', 'a.toml', '--plugin', './nodes.mjs', '--workers', '1'];

test.each([
  ['in one of its first trials, in a thread', 'thread', 3, 3],
  ['in one of its first trials, in a process', 'process', 3, 3],
  // The first trial and ten compared ones pass before it.
  ['only in a trial that is sampled later', 'thread', 11, 1000],
])(
  '--dedupe ends with 4 and the trial where a plug-in with a memory is found out %s',
  async (_, isolation, runs, trial) => {
    const cwd = aForgetfulSuite(runs);
    const { status, stdout, stderr } = await runPassk([...ARGS, '--dedupe', '--isolation', isolation], { cwd });
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toContain(`Trial ${trial} of "greeting" differs from another one with the same answers.`);
    expect(stderr).toContain('run it without --dedupe');
  },
);

test('--dedupe counts the same whether a worker died by chance or not', async () => {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs';
export const stateful = {
  kind: 'node', type: 'stateful', summary: 'Ends its worker once.', needs: () => [], labels: () => [],
  create: () => ({
    reads: [],
    begin: () => {
      if (existsSync('died')) return { kind: 'done', output: 'new' };
      writeFileSync('died', '');
      process.exit(3);
    },
  }),
};
`,
  );
  const scenario = aGreeting({ trials: 9000 }).replace(/type = "template_render"[^[]*/, 'type = "stateful"\n\n');
  writeFileSync(path.join(cwd, 'a.toml'), scenario);
  const trials: unknown[] = [];
  for (let run = 0; run < 2; run++) {
    const { stdout } = await runPassk([...ARGS, '--dedupe', '--json'], { cwd });
    trials.push((JSON.parse(stdout) as { readonly summary: { readonly trials: object } }).summary.trials);
  }
  expect(trials[0]).toMatchObject({ passed: 9000, broken: 0 });
  expect(trials[1]).toEqual(trials[0]);
});

test('--dedupe counts the same whether a worker dies by chance or not while culprits of its block are looked for', async () => {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs';
let runs = 0;
export const deadly = {
  kind: 'node', type: 'deadly', summary: 'Ends its worker at one answer, and once by chance.', needs: () => [],
  labels: () => [],
  create: () => ({
    reads: [{ from: 'path', path: 'ask.content' }],
    begin: ([answer]) => {
      if (answer === 'deadly') {
        writeFileSync('culprit', '');
        process.exit(3);
      }
      if (++runs === 6 && existsSync('culprit') && !existsSync('chance')) {
        writeFileSync('chance', '');
        process.kill(process.pid, 'SIGKILL');
      }
      return { kind: 'done', output: 'fine' };
    },
  }),
};
`,
  );
  writeFileSync(
    path.join(cwd, 'a.toml'),
    `name = "deadly"
trials = 9000
min_pass_rate = 0.5
[workflow]
inline = '''
name = "deadly"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [{ id = "ask", type = "llm_infer", backend = "default", prompt = "hi" }, { id = "n", type = "deadly" }]
edges = [{ from = "ask", to = "n" }]
'''
[[intel.turns]]
variants = [{ content = "good", weight = 1999 }, { content = "fair", weight = 1999 }, { content = "deadly", weight = 1 }]
[expected]
status = "completed"
`,
  );
  const counts: { readonly broken: number; readonly deduplicated: number }[] = [];
  for (let run = 0; run < 2; run++) {
    rmSync(path.join(cwd, 'culprit'), { force: true });
    const { stdout } = await runPassk([...ARGS, '--isolation', 'process', '--dedupe', '--json'], { cwd });
    counts.push((JSON.parse(stdout) as SuiteReport).summary.trials);
  }
  expect(existsSync(path.join(cwd, 'chance'))).toBe(true);
  expect(counts[0]?.broken).toBeGreaterThan(0);
  expect(counts[0]?.deduplicated).toBeGreaterThan(0);
  expect(counts[1]).toEqual(counts[0]);
});

test('without --dedupe such a plug-in fails the trials in which it answers otherwise', async () => {
  const { status, stdout } = await runPassk([...ARGS, '--json'], { cwd: aForgetfulSuite(4000) });
  const { summary } = JSON.parse(stdout) as { readonly summary: { readonly trials: object } };
  expect(status).toBe(1);
  expect(summary.trials).toMatchObject({ passed: 4000, failed: 96, broken: 0 });
});

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import type { ScenarioReport } from '../../src/types/reports/scenario-report.ts';
import { allGone, childrenOf } from '../support/processes.ts';
import { aFolder, PASSK, runPassk } from './run-passk.ts';
import { judged, sampled } from '../support/sampled.ts';

const ISOLATED = ['--plugin', './nodes.mjs', '--isolation', 'process'];

/** A folder with scenarios whose one node runs this code in their trials. */
function aSuite(code: string, { trials = 3, bad = '' } = {}): string {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `import fs, { existsSync, writeFileSync, writeSync } from 'node:fs';
export const trouble = {
  kind: 'node', type: 'trouble', summary: 'Trouble.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => { ${code}; return { kind: 'done', output: 'fine' }; } }),
};
export const pid = {
  kind: 'node', type: 'pid', summary: 'Tells where it runs.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => { writeFileSync('pid', String(process.pid)); return { kind: 'done', output: 'fine' }; } }),
};`,
  );
  for (const [name, type, top] of [
    ['bad', 'trouble', bad],
    ['good', 'merge', ''],
    ['pid', 'pid', ''],
  ]) {
    if (name === 'pid' && bad === '') continue;
    writeFileSync(
      path.join(cwd, `${name}.toml`),
      `name = "${name}"
trials = ${trials}
${top}
[workflow]
inline = '''
name = "${name}"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "n"
type = "${type}"
'''
[trigger]
kind = "manual"
[expected]
status = "completed"
`,
    );
  }
  return cwd;
}

interface Told {
  readonly scenarios: readonly {
    readonly name: string;
    readonly trials: { readonly passed: number; readonly broken: number };
    readonly failures: readonly { readonly brokenBy: string | null; readonly replay: string }[];
  }[];
}

describe('--isolation process', () => {
  test.each([
    ['process.abort()', 'worker was ended by SIGABRT while running this trial'],
    ['process.exit(5)', 'worker exited with code 5 while running this trial'],
    ["process.kill(process.pid, 'SIGKILL'); for (;;);", 'worker was ended by SIGKILL while running this trial'],
  ])('%s costs its own trials, with a cause and a way to see it again', async (code, cause) => {
    const cwd = aSuite(code);
    const page = path.join(cwd, 'report.html');
    const { status, stdout, stderr } = await runPassk(['run', '.', '--json', '-r', `html:${page}`, ...ISOLATED], {
      cwd,
    });
    const { scenarios } = JSON.parse(stdout) as Told;
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(scenarios.map(({ name, trials: { passed, broken } }) => [name, passed, broken])).toEqual([
      ['bad', 0, 3],
      ['good', 3, 0],
    ]);
    expect(scenarios[0]?.failures[0]).toMatchObject({
      brokenBy: cause,
      replay: 'passk trace bad.toml --trial 0 --seed 0 --plugin ./nodes.mjs',
    });
    const traced = await runPassk(['trace', 'bad.toml', ...ISOLATED], { cwd });
    expect(traced.status).toBe(0);
    expect(traced.stdout).toContain(cause.replace(' while running this trial', ''));
    expect(existsSync(page)).toBe(true);
  });

  test.runIf(process.platform === 'linux').each([
    ['goes from trial to trial', ''],
    ['is busy for ever', 'for (;;);'],
  ])('kill -9 of passk leaves no process behind, not even one that %s', async (_, code) => {
    const cwd = aSuite(`globalThis.told ??= writeFileSync('pid', String(process.pid)) ?? true; ${code}`, {
      trials: 100_000_000,
    });
    const pidFile = path.join(cwd, 'pid');
    let children: readonly number[] = [];
    await runPassk(['run', 'bad.toml', ...ISOLATED], {
      cwd,
      meanwhile: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') return;
          clearInterval(timer);
          children = childrenOf(child.pid);
          child.kill('SIGKILL');
        }, 10);
      },
    });
    expect(children).toContain(Number(readFileSync(pidFile, 'utf8')));
    expect(await allGone(children)).toBe(true);
  });

  test('can stand in passk.toml, and takes only the two words', async () => {
    const cwd = aSuite('process.abort()');
    writeFileSync(path.join(cwd, 'passk.toml'), 'isolation = "process"\nplugins = ["./nodes.mjs"]\n');
    const { status } = await runPassk(['run', '.', '--trust'], { cwd });
    expect(status).toBe(3);
    const refused = await runPassk(['run', '.', '--isolation', 'container'], { cwd });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('thread, process');
  });
});

describe('isolation = "process" in a scenario file', () => {
  const OWN = { bad: 'isolation = "process"' };

  test('costs its own trials, while the plug-ins of other scenarios stay on threads', async () => {
    const cwd = aSuite('process.abort()', OWN);
    let passk: number | undefined;
    const { status, stdout, stderr } = await runPassk(['run', '.', '--json', '--plugin', './nodes.mjs'], {
      cwd,
      meanwhile: ({ pid }) => {
        passk = pid;
      },
    });
    const { scenarios } = JSON.parse(stdout) as Told;
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(scenarios.map(({ name, trials: { passed, broken } }) => [name, passed, broken])).toEqual([
      ['bad', 0, 3],
      ['good', 3, 0],
      ['pid', 3, 0],
    ]);
    expect(Number(readFileSync(path.join(cwd, 'pid'), 'utf8'))).toBe(passk);
    const replay = 'passk trace bad.toml --trial 0 --seed 0 --plugin ./nodes.mjs';
    expect(scenarios[0]?.failures[0]).toMatchObject({
      brokenBy: 'worker was ended by SIGABRT while running this trial',
      replay,
    });
    const traced = await runPassk(replay.split(' ').slice(1), { cwd });
    expect(traced.status).toBe(0);
    expect(traced.stdout).toContain('worker was ended by SIGABRT');
  });

  test('changes no byte of a report', async () => {
    const reports = await Promise.all(
      ['isolation = "process"', 'isolation = "thread"', '# isolation'].map(async (bad) => {
        const { stdout } = await runPassk(['run', '.', '--json', '--plugin', './nodes.mjs'], {
          cwd: aSuite('', { bad }),
        });
        const { timing: _, ...report } = JSON.parse(stdout) as { readonly timing: unknown };
        return JSON.stringify(report);
      }),
    );
    expect(new Set(reports).size).toBe(1);
  });

  test('may be written down after a crash: --resume goes on, in a process', async () => {
    const code =
      "if (!existsSync('died')) { writeFileSync('died', ''); process.kill(process.pid, 'SIGKILL'); for (;;); }";
    const cwd = aSuite(code, { trials: 8000 });
    const args = ['run', 'bad.toml', '--json', '--plugin', './nodes.mjs', '--workers', '1', '--journal', 'kept'];
    const killed = await runPassk(args, { cwd });
    expect({ signal: killed.signal, stdout: killed.stdout }).toEqual({ signal: 'SIGKILL', stdout: '' });
    const file = path.join(cwd, 'bad.toml');
    writeFileSync(file, `isolation = "process"\n${readFileSync(file, 'utf8')}`);
    const { status, stdout } = await runPassk([...args, '--resume'], { cwd });
    const { scenarios } = JSON.parse(stdout) as Told;
    expect({ status, trials: scenarios[0]?.trials }).toEqual({
      status: 0,
      trials: expect.objectContaining({ passed: 8000, broken: 0 }),
    });
  });

  test('leaves no trace in the report but under timing, and stands in the commands that a reader copies', async () => {
    const cwd = aSuite("throw new Error('planted')");
    const reports: Told[] = [];
    for (const isolation of ['thread', 'process']) {
      const args = ['run', '.', '--plugin', './nodes.mjs', '--isolation', isolation];
      const { stdout } = await runPassk([...args, '--json'], { cwd });
      const { timing, ...lasting } = JSON.parse(stdout) as Told & { readonly timing: { readonly isolation?: string } };
      reports.push(lasting);
      expect(timing.isolation).toBe(isolation === 'process' ? 'process' : undefined);
      const { stdout: text } = await runPassk(args, { cwd, env: { COLUMNS: '200' } });
      expect(text.includes('--plugin ./nodes.mjs --isolation process')).toBe(isolation === 'process');
    }
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[0]?.scenarios[0]?.failures[0]?.replay).toBe(
      'passk trace bad.toml --trial 0 --seed 0 --plugin ./nodes.mjs',
    );
  });

  test('takes only the two words, and says so at the place', async () => {
    const { status, stderr } = await runPassk(['run', 'bad.toml', '--plugin', './nodes.mjs'], {
      cwd: aSuite('', { bad: 'isolation = "proces"' }),
    });
    expect(status).toBe(2);
    expect(stderr).toContain('bad.toml:3:13');
    expect(stderr).toContain('Did you mean "process"?');
  });
});

describe.each(['thread', 'process'])('in a %s, a trial that', (isolation) => {
  test.each([
    ['floods its output', "for (let i = 0; i < 3000; i++) console.log('x'.repeat(1000))", 'passed'],
    ['leaves timers behind', 'setInterval(() => {}, 1000)', 'passed'],
    ['gives back a value that holds itself', "const o = {}; o.o = o; return { kind: 'done', output: o }", 'broken'],
    ['gives back a gigantic value', "return { kind: 'done', output: 'x'.repeat(2 ** 24) }", 'failed'],
  ])('%s costs no other, and the report stays clean', async (_, code, end) => {
    const cwd = aSuite(code);
    const args = ['run', '.', '--json', '--plugin', './nodes.mjs', '--isolation', isolation];
    const { status, stdout } = await runPassk(args, { cwd });
    const { scenarios } = JSON.parse(stdout) as Told;
    expect(status).toBe({ passed: 0, failed: 1, broken: 3 }[end]);
    expect(scenarios.map(({ name, trials: { passed, broken } }) => [name, passed, broken])).toEqual([
      ['bad', end === 'passed' ? 3 : 0, end === 'broken' ? 3 : 0],
      ['good', 3, 0],
    ]);
  });
});

/** A user without any process, who may read passk: the limit counts for each user. */
const NOBODY = ['--reuid=64999', '--clear-groups'];
const canBeNobody =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...NOBODY, process.execPath, PASSK, '--version']).status === 0;

test.runIf(canBeNobody).each(['thread', 'process'])(
  'a machine that starts no more workers is an error, never a wait: %s (needs root)',
  (isolation) => {
    const cwd = aSuite('');
    spawnSync('chmod', ['755', cwd]);
    const command = `ulimit -u 18; exec "$0" "$@"`;
    const args = [PASSK, 'run', '.', '--workers', '64', '--trials', '100000', '--plugin', './nodes.mjs'];
    const { status, stderr } = spawnSync(
      'setpriv',
      [...NOBODY, 'bash', '-c', command, process.execPath, ...args, '--isolation', isolation],
      { cwd, encoding: 'utf8', timeout: 60_000 },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^passk: (The system starts no more worker threads|Workers cannot be started)/m);
  },
);

describe('a node in a thread that uses the descriptors of passk', () => {
  test.each([
    ['writes text', "writeSync(1, 'spoilt ä');"],
    ['writes bytes', "fs.writeSync(1, Buffer.from('not spoilt ä no'), 4, 9);"],
    [
      'writes later',
      "fs.write(1, 'spoilt ä', (error, count) => { if (error || count !== 9) throw new Error('bad'); });",
    ],
    ['writes a file', "writeFileSync(1, 'spoilt ä');"],
    ['has a stream', "fs.createWriteStream('', { fd: 1 }).end('spoilt ä');"],
    ['closes them', "writeSync(2, 'spoilt ä'); fs.closeSync(0); fs.closeSync(1); fs.closeSync(2);"],
  ])('%s: the report stays whole, and what it wrote is on stderr', async (_, code) => {
    const cwd = aSuite(code, { trials: 1 });
    const { status, stdout, stderr } = await runPassk(['run', 'bad.toml', '--json', '--plugin', './nodes.mjs'], {
      cwd,
    });
    expect({ status, stderr, summary: (JSON.parse(stdout) as SuiteReport).summary.trials.passed }).toEqual({
      status: 0,
      stderr: 'spoilt ä\n',
      summary: 1,
    });
  });
});

/** Trials of a scenario in which something is drawn. */
const DRAWN = 600;

/** Nodes that do something on one of the two answers of a model, and leave the same behind each time. */
function aDrawnSuite(code: string): string {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `export const trouble = {
  kind: 'node', type: 'trouble', summary: 'Trouble.', needs: () => [], labels: () => [],
  create: () => ({
    reads: [{ from: 'path', path: 'ask.content' }],
    begin: ([said]) => { if (said === 'bad') { ${code} } return { kind: 'done', output: 'fine' }; },
  }),
};`,
  );
  writeFileSync(
    path.join(cwd, 'drawn.toml'),
    `name = "drawn"
trials = ${DRAWN}
min_pass_rate = 0.5
[workflow]
inline = '''
name = "drawn"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "hi" },
  { id = "n", type = "trouble" },
]
edges = [{ from = "ask", to = "n" }]
'''
[trigger]
kind = "manual"
[[intel.turns]]
[[intel.turns.variants]]
content = "good"
weight = 49
[[intel.turns.variants]]
content = "bad"
[expected]
status = "completed"
`,
  );
  return cwd;
}

describe('a node that does something in one of fifty trials', () => {
  async function reportOf(cwd: string, flags: readonly string[]): Promise<ScenarioReport> {
    const { stdout } = await runPassk(['run', '.', '--json', '--plugin', './nodes.mjs', ...flags], { cwd });
    const { scenarios } = JSON.parse(stdout) as SuiteReport;
    const [only] = scenarios as [ScenarioReport];
    // The command names the isolation.
    return { ...judged(only), failures: judged(only).failures.map((failure) => ({ ...failure, replay: '' })) };
  }

  test.each([
    ['setImmediate(() => { throw new Error("late"); });', 'did not catch Error "late" while running this trial'],
    ['Promise.reject(new Error("late"));', 'did not catch Error "late" while running this trial'],
    [
      'Array.prototype.push = () => { throw new Error("no push"); };',
      'changed Array.prototype.push, which all code in its worker shares while running this trial',
    ],
  ])(
    'it breaks the same trials wherever they run: %s',
    async (code, cause) => {
      const cwd = aDrawnSuite(code);
      const [one, ...others] = await Promise.all(
        [
          ['--workers', '1'],
          ['--workers', '3'],
          ['--workers', '2', '--isolation', 'process'],
        ].map((flags) => reportOf(cwd, flags)),
      );
      expect(sampled(one).brokenCauses).toEqual([
        { cause, count: DRAWN - (sampled(one).turns[0]?.served[0] ?? 0), lowestTrial: expect.any(Number) },
      ]);
      expect(one?.trials.broken).toBeGreaterThan(10);
      expect(others).toEqual([one, one]);
    },
    120_000,
  );
});

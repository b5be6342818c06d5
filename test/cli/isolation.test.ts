import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import type { ScenarioReport } from '../../src/types/reports/scenario-report.ts';
import { allGone, childrenOf } from '../support/processes.ts';
import { aDrawnSuite, aTroubledSuite, DRAWN } from './a-troubled-suite.ts';
import { PASSK, runPassk } from './run-passk.ts';
import { judged, sampled } from '../support/sampled.ts';

const ISOLATED = ['--plugin', './nodes.mjs', '--isolation', 'process'];

/** Name, passed and broken trials of each. */
function countsOf(scenarios: Told['scenarios']): readonly (readonly [string, number, number])[] {
  return scenarios.map(({ name, trials: { passed, broken } }) => [name, passed, broken]);
}

interface Told {
  readonly scenarios: readonly {
    readonly name: string;
    readonly verdict: string;
    readonly trials: { readonly passed: number; readonly broken: number };
    readonly failures: readonly { readonly brokenBy: string | null; readonly replay: string }[];
  }[];
}

describe('--isolation process', () => {
  test('a trial that ends its process costs its own scenario, with a cause and a way to see it again', async () => {
    const causes = {
      aborts: 'worker was ended by SIGABRT while running this trial',
      exits: 'worker exited with code 5 while running this trial',
      'is killed': 'worker was ended by SIGKILL while running this trial',
    };
    const cwd = aTroubledSuite({
      aborts: 'process.abort()',
      exits: 'process.exit(5)',
      'is killed': "process.kill(process.pid, 'SIGKILL'); for (;;);",
    });
    const page = path.join(cwd, 'report.html');
    const { status, stdout, stderr } = await runPassk(['run', '.', '--json', '-r', `html:${page}`, ...ISOLATED], {
      cwd,
    });
    const { scenarios } = JSON.parse(stdout) as Told;
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(countsOf(scenarios)).toEqual([
      ['aborts', 0, 3],
      ['exits', 0, 3],
      ['good', 3, 0],
      ['is killed', 0, 3],
    ]);
    for (const [name, cause] of Object.entries(causes)) {
      expect(scenarios.find((one) => one.name === name)?.failures[0]).toMatchObject({
        brokenBy: cause,
        replay: expect.stringContaining(' --trial 0 --seed 0 --plugin ./nodes.mjs'),
      });
      const traced = await runPassk(['trace', `${name}.toml`, ...ISOLATED], { cwd });
      expect(traced.status).toBe(0);
      expect(traced.stdout).toContain(cause.replace(' while running this trial', ''));
    }
    expect(existsSync(page)).toBe(true);
  });

  test.runIf(process.platform === 'linux').each([
    ['goes from trial to trial', ''],
    ['is busy for ever', 'for (;;);'],
  ])('kill -9 of passk leaves no process behind, not even one that %s', async (_, code) => {
    const cwd = aTroubledSuite(
      { bad: `globalThis.told ??= writeFileSync('pid', String(process.pid)) ?? true; ${code}` },
      {
        trials: 100_000_000,
      },
    );
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
    const cwd = aTroubledSuite({ bad: 'process.exit(5)' }, { trials: 1 });
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
    const cwd = aTroubledSuite({ bad: 'process.abort()' }, OWN);
    let passk: number | undefined;
    const { status, stdout, stderr } = await runPassk(['run', '.', '--json', '--plugin', './nodes.mjs'], {
      cwd,
      meanwhile: ({ pid }) => {
        passk = pid;
      },
    });
    const { scenarios } = JSON.parse(stdout) as Told;
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(countsOf(scenarios)).toEqual([
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
          cwd: aTroubledSuite({ bad: '' }, { bad }),
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
    const cwd = aTroubledSuite({ bad: code }, { trials: 8000 });
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
    const cwd = aTroubledSuite({ bad: "throw new Error('planted')" });
    const reports: Told[] = [];
    for (const isolation of ['thread', 'process']) {
      const args = ['run', '.', '--plugin', './nodes.mjs', '--isolation', isolation, '-r', 'json:report.json'];
      const { stdout: text } = await runPassk(args, { cwd, env: { COLUMNS: '200' } });
      const { timing, ...lasting } = JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8')) as Told & {
        readonly timing: { readonly isolation?: string };
      };
      reports.push(lasting);
      expect(timing.isolation).toBe(isolation === 'process' ? 'process' : undefined);
      expect(text.includes('--plugin ./nodes.mjs --isolation process')).toBe(isolation === 'process');
    }
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[0]?.scenarios[0]?.failures[0]?.replay).toBe(
      'passk trace bad.toml --trial 0 --seed 0 --plugin ./nodes.mjs',
    );
  });

  test('takes only the two words, and says so at the place', async () => {
    const { status, stderr } = await runPassk(['run', 'bad.toml', '--plugin', './nodes.mjs'], {
      cwd: aTroubledSuite({ bad: '' }, { bad: 'isolation = "proces"' }),
    });
    expect(status).toBe(2);
    expect(stderr).toContain('bad.toml:3:13');
    expect(stderr).toContain('Did you mean "process"?');
  });
});

test.each(['thread', 'process'])(
  'in a %s, trials that flood, leave timers, or give back what nobody can hold cost no other, and the report stays clean',
  async (isolation) => {
    const cwd = aTroubledSuite({
      'floods its output': "for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000))",
      'gives back a gigantic value': "return { kind: 'done', output: 'x'.repeat(2 ** 24) }",
      'gives back a value that holds itself': "const o = {}; o.o = o; return { kind: 'done', output: o }",
      'leaves timers behind': 'setInterval(() => {}, 1000)',
    });
    const args = ['run', '.', '--json', '--plugin', './nodes.mjs', '--isolation', isolation];
    const { status, stdout } = await runPassk(args, { cwd });
    const { scenarios } = JSON.parse(stdout) as Told;
    expect(status).toBe(1);
    expect(scenarios.map((one) => [one.verdict, one.name, one.trials.passed, one.trials.broken])).toEqual([
      ['passed', 'floods its output', 3, 0],
      ['failed', 'gives back a gigantic value', 0, 0],
      ['failed', 'gives back a value that holds itself', 0, 3],
      ['passed', 'good', 3, 0],
      ['passed', 'leaves timers behind', 3, 0],
    ]);
  },
);

/** A user without any process, who may read passk: the limit counts for each user. */
const NOBODY = ['--reuid=64999', '--clear-groups'];
const canBeNobody =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...NOBODY, process.execPath, PASSK, '--version']).status === 0;

test.runIf(canBeNobody).each(['thread', 'process'])(
  'a machine that starts no more workers is an error, never a wait: %s (needs root)',
  (isolation) => {
    const cwd = aTroubledSuite({ bad: '' });
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

test('nodes in a thread may use the descriptors of passk: the report stays whole, and what they wrote is on stderr', async () => {
  const codes = {
    closes: "writeSync(2, 'closes ä'); fs.closeSync(0); fs.closeSync(1); fs.closeSync(2);",
    'has a stream': "fs.createWriteStream('', { fd: 1 }).end('has a stream ä');",
    'writes a file': "writeFileSync(1, 'writes a file ä');",
    'writes bytes': "fs.writeSync(1, Buffer.from('not writes bytes ä no'), 4, 15);",
    'writes later':
      "fs.write(1, 'writes later ä', (error, count) => { if (error || count !== 15) throw new Error('bad'); });",
    'writes text': "writeSync(1, 'writes text ä');",
  };
  const cwd = aTroubledSuite(codes, { trials: 1 });
  const { status, stdout, stderr } = await runPassk(['run', '.', '--json', '--plugin', './nodes.mjs'], { cwd });
  expect(status).toBe(0);
  expect(countsOf((JSON.parse(stdout) as Told).scenarios)).toEqual(
    [...Object.keys(codes), 'good'].sort().map((name) => [name, 1, 0]),
  );
  // In the order in which they came.
  expect(stderr.split('ä').sort()).toEqual(['\n', ...Object.keys(codes).map((name) => `${name} `)]);
});

test('nodes that spoil one of fifty trials break the same ones wherever they run', async () => {
  const late: unknown = expect.stringMatching(
    /^did not catch Error "late" at nodes\.mjs:\d+:\d+ while running this trial$/,
  );
  const causes: Readonly<Record<string, unknown>> = {
    changes: 'changed Array.prototype.push, which all code in its worker shares while running this trial',
    rejects: late,
    throws: late,
  };
  const cwd = aDrawnSuite({
    changes: 'Array.prototype.push = () => { throw new Error("no push"); };',
    rejects: 'Promise.reject(new Error("late"));',
    throws: 'setImmediate(() => { throw new Error("late"); });',
  });
  const reportsOf = async (flags: readonly string[]): Promise<readonly ScenarioReport[]> => {
    const { stdout } = await runPassk(['run', '.', '--json', '--plugin', './nodes.mjs', ...flags], { cwd });
    // The command names the isolation.
    return (JSON.parse(stdout) as SuiteReport).scenarios.map((one) => ({
      ...judged(one),
      failures: judged(one).failures.map((failure) => ({ ...failure, replay: '' })),
    }));
  };
  const [one = [], ...others] = await Promise.all(
    [
      ['--workers', '1'],
      ['--workers', '3'],
      ['--workers', '2', '--isolation', 'process'],
    ].map(reportsOf),
  );
  expect(one.map((scenario) => [scenario.name, sampled(scenario).brokenCauses])).toEqual(
    Object.entries(causes).map(([name, cause], at) => [
      name,
      [{ cause, count: DRAWN - (sampled(one[at]).turns[0]?.served[0] ?? 0), lowestTrial: expect.any(Number) }],
    ]),
  );
  for (const scenario of one) expect(sampled(scenario).trials.broken).toBeGreaterThan(2);
  expect(others).toEqual([one, one]);
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aRedis, skipsRedis } from '../queue/a-redis.ts';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aWorker } from './a-worker.ts';
import { aFolder, aGreeting, PASSK, runPassk } from './run-passk.ts';
import { afterWork } from '../support/processes.ts';

const TRIALS = 4_000_000;

/** A JSON report without what may differ between equal runs. */
function untimed(json: string): unknown {
  const { timing: _, ...report } = JSON.parse(json) as Record<string, unknown>;
  return report;
}

/** A scenario that reads a file of its folder. */
function aReader(): string {
  return `name = "reads"
trials = 5
[workflow]
inline = '''
name = "reads"
start_nodes = [{ name = "main", source = "manual", entry_node = "read" }]
nodes = [{ id = "read", type = "read_file", path_from = "trigger.path" }]
edges = []
'''
[trigger]
payload = { path = "\${SCENARIO_DIR}/data.txt" }
[policy.fs]
read = ["\${SCENARIO_DIR}/**"]
[[expected.values]]
node = "read"
path = "content"
equals = "good"
`;
}

function aSuite(trials = TRIALS): string {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials }));
  writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'other', trials, lastNode: 'greet' }));
  return cwd;
}

describe('--journal and --resume', () => {
  test('leave no file behind unless they are asked to', async () => {
    const cwd = aSuite(10);
    await runPassk(['run', '.'], { cwd });
    expect(readdirSync(cwd).sort()).toEqual(['a.toml', 'b.toml']);
    await runPassk(['run', '.', '--journal', 'kept'], { cwd });
    expect(readdirSync(cwd).sort()).toEqual(['a.toml', 'b.toml', 'kept']);
    expect(readdirSync(path.join(cwd, 'kept'))).toEqual(['run.journal']);
  });

  test('Ctrl-C once reports what has run and keeps it; --resume finishes', async () => {
    const cwd = aSuite(200_000_000);
    const stopped = await runPassk(['run', '.', '--journal', 'j', '--json'], {
      cwd,
      meanwhile: (child) => afterWork(child.pid, 700, () => child.kill('SIGINT')),
    });
    const { partial, summary } = untimed(stopped.stdout) as {
      partial: boolean;
      summary: { trials: { executed: number } };
    };
    expect({ status: stopped.status, partial }).toEqual({ status: 130, partial: true });
    const again = await runPassk(['run', '.', '--journal', 'j', '--resume', '--json'], {
      cwd,
      meanwhile: (child) => afterWork(child.pid, 700, () => child.kill('SIGINT')),
    });
    // Every trial of the first report is there again, and none is lost.
    expect(again.stderr).toContain(`passk: ${summary.trials.executed} trials are in the journal;`);
  });

  test('repeat no old results of the real world: --resume after the end says so and runs anew', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aReader());
    writeFileSync(path.join(cwd, 'data.txt'), 'good');
    const run = () => runPassk(['run', 'a.toml', '--allow-read=data.txt', '--resume', '--json'], { cwd });
    const passedIn = ({ stdout }: { readonly stdout: string }): unknown =>
      (untimed(stdout) as { readonly summary: { readonly trials: unknown } }).summary.trials;
    expect(passedIn(await run())).toMatchObject({ executed: 5, passed: 5 });
    writeFileSync(path.join(cwd, 'data.txt'), 'bad');
    const again = await run();
    expect([again.status, passedIn(again)]).toMatchObject([1, { executed: 5, failed: 5 }]);
    expect(again.stderr).toBe(
      `passk: The journal ${path.join(cwd, '.passk/journal/run.journal')} is of a run that has ended; its trials reach the real world, so all of them run anew.\n`,
    );
  });

  test('say that the results of a repeatable run that has ended are those of the journal', async () => {
    const cwd = aSuite(10);
    const first = await runPassk(['run', 'a.toml', '--resume', '--json'], { cwd });
    const again = await runPassk(['run', 'a.toml', '--resume', '--json'], { cwd });
    expect(untimed(again.stdout)).toEqual(untimed(first.stdout));
    expect(again.stderr).toBe('passk: The journal has all 10 trials; nothing was run again.\n');
  });

  test('refuse the journal of another run, saying what differs', async () => {
    const cwd = aSuite(10);
    await runPassk(['run', '.', '--resume'], { cwd });
    const { status, stdout, stderr } = await runPassk(['run', '.', '--resume', '--seed', '7', '-k', '20'], { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/is of another run: its seed is 0, not 7; it has 10 trials of "greeting", not 20/);
  });

  test.each([
    ['in the place of a file', 'a.toml', 'the journal cannot be written'],
    ['where no folder can be made', '/proc/passk', 'the journal cannot be written'],
  ])('%s end before a trial has run', async (_, folder, message) => {
    const cwd = aSuite(1_000_000_000);
    const { status, stdout, stderr } = await runPassk(['run', '.', '--journal', folder], { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.toLowerCase()).toContain(message);
  });
});

test.runIf(existsSync('/dev/full'))('a standard output that takes nothing is said, with exit code 2', async () => {
  const cwd = aSuite(10);
  const { status, stderr } = spawnSync('sh', ['-c', `exec "$0" "$1" run . > /dev/full`, process.execPath, PASSK], {
    cwd,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'passk: Standard output cannot be written: the disk is full.\n',
  });
});

const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('tmpfs');
const onSmallDisk = describe.skipIf(!required && !canMount());

onSmallDisk('a disk that is full (needs tmpfs)', () => {
  /** A small disk of its own. */
  function aDisk(cwd: string, size: string): string {
    const folder = path.join(cwd, 'disk');
    mkdirSync(folder);
    mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder);
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    return folder;
  }

  const dice = faultDice('tmpfs');
  const sizes = Array.from({ length: faultPoints(3) }, () => `${64 + 4 * (dice() % 24)}k`);

  test.each(sizes)(
    'ends a run with a journal clearly at %s, and with more room it goes on to the same bytes',
    async (size) => {
      const cwd = aSuite();
      const disk = aDisk(cwd, size);
      // With --bail each block is a record of its own, so that some fit however fast the machine is.
      const args = ['run', 'a.toml', '--bail', '--json'];
      const full = await runPassk([...args, '--journal', 'disk/j'], { cwd });
      expect({ status: full.status, stdout: full.stdout }).toEqual({ status: 2, stdout: '' });
      expect(full.stderr).toContain('run.journal: the disk is full.');
      mount('-o', 'remount,size=8m', disk);
      const resumed = await runPassk([...args, '--journal', 'disk/j', '--resume'], { cwd });
      expect(resumed.stderr).toContain('trials are in the journal;');
      const whole = await runPassk(args, { cwd });
      expect(untimed(resumed.stdout)).toEqual(untimed(whole.stdout));
    },
    120_000,
  );

  test.skipIf(skipsRedis)(
    'ends a host with a journal clearly, and with more room it goes on to the same bytes (needs redis-server)',
    async () => {
      const redis = await aRedis();
      onTestFinished(() => redis.stop());
      aWorker({ url: redis.url });
      const cwd = aSuite();
      const disk = aDisk(cwd, `${64 + 4 * (dice() % 24)}k`);
      const args = ['run', 'a.toml', '--bail', '--json'];
      const env = { PASSK_QUEUE: redis.url };
      const full = await runPassk([...args, '--journal', 'disk/j'], { cwd, env });
      expect({ status: full.status, stdout: full.stdout }).toEqual({ status: 2, stdout: '' });
      expect(full.stderr).toContain('run.journal: the disk is full.');
      mount('-o', 'remount,size=8m', disk);
      const resumed = await runPassk([...args, '--journal', 'disk/j', '--resume'], { cwd, env });
      expect(resumed.stderr).toContain('trials are in the journal;');
      const whole = await runPassk(args, { cwd });
      expect(untimed(resumed.stdout)).toEqual(untimed(whole.stdout));
    },
    120_000,
  );

  test('leaves the old report as it was, and no draft', async () => {
    const cwd = aSuite(10);
    const disk = aDisk(cwd, '8k');
    writeFileSync(path.join(disk, 'report.json'), 'old');
    writeFileSync(path.join(disk, 'filler'), Buffer.alloc(4096));
    const { status, stderr } = await runPassk(['run', '.', '-r', 'json:disk/report.json'], { cwd });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'passk: The json report could not be written to disk/report.json: the disk is full.\n',
    });
    expect(readdirSync(disk).sort()).toEqual(['filler', 'report.json']);
    expect(readFileSync(path.join(disk, 'report.json'), 'utf8')).toBe('old');
  });

  test.each([
    ['--save-baseline', 'disk/base.json'],
    ['--history', 'disk/history'],
  ])('costs a run with %s no report', async (flag, place) => {
    const cwd = aSuite(10);
    const disk = aDisk(cwd, '8k');
    writeFileSync(path.join(disk, 'filler'), Buffer.alloc(8192));
    const { status, stdout, stderr } = await runPassk(['run', '.', '--json', flag, place], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'passk-report/3', summary: { loadErrors: 0 } });
    expect([status, stderr]).toEqual([2, expect.stringContaining('written')]);
    expect(stderr).toContain('the disk is full.');
  });
});

onSmallDisk('a folder that cannot be written (needs tmpfs)', () => {
  test.each([
    ['a journal', ['--journal', 'disk/j'], 'disk/j/run.journal: the file system is read-only.'],
    [
      'a report',
      ['-r', 'json:disk/report.json'],
      'The report cannot be written to disk/report.json: the file system is read-only.',
    ],
    ['a shard', ['--shard', '1/1', '--out', 'disk/x.shard'], 'the file system is read-only'],
  ])('takes %s nowhere: exit code 2 and the reason', async (_, args, message) => {
    const cwd = aSuite(10);
    const folder = path.join(cwd, 'disk');
    mkdirSync(folder);
    mount('-t', 'tmpfs', '-o', 'size=64k,ro', 'tmpfs', folder);
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    const { status, stderr } = await runPassk(['run', '.', ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Only root may, and not in every container. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = `/tmp/passk-mount-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]).status === 0;
  if (mounted) spawnSync('umount', [folder]);
  spawnSync('rmdir', [folder]);
  return mounted;
}

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
}

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { allGone, childrenOf } from '../support/processes.ts';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

const TRIALS = 8_000_000;
/** Faults of each kind of run; those of one journal follow each other until its run has come to its end. */
const SHARE = 8;
const JOURNAL = path.join('.passk', 'journal', 'run.journal');

/** A JSON report without what may differ between equal runs. */
function untimed(json: string): unknown {
  const { timing: _, ...report } = JSON.parse(json) as Record<string, unknown>;
  return report;
}

function aSuite(cwd: string): string {
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: TRIALS }));
  writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'other', trials: TRIALS, lastNode: 'greet' }));
  return cwd;
}

type Blow = 'kill -9' | 'SIGINT' | 'SIGINT twice';
const BLOWS: readonly Blow[] = ['kill -9', 'kill -9', 'SIGINT', 'SIGINT twice'];

/** How a run may end by each: between two Ctrl-C it may have ended by itself. */
const ENDS: Readonly<Record<Blow, readonly unknown[]>> = {
  'kill -9': ['SIGKILL'],
  SIGINT: [130],
  'SIGINT twice': ['SIGINT', 130],
};

interface Struck {
  readonly ended: Ended;
  /** Processes that the run had started. */
  readonly children: readonly number[];
}

/** Runs passk and disturbs it once its journal has grown by so many bytes. */
async function struck(
  cwd: string,
  args: readonly string[],
  { blow, bytes }: { blow: Blow; bytes: number },
): Promise<Struck> {
  const file = path.join(cwd, JOURNAL);
  const sizeOf = (): number => (existsSync(file) ? statSync(file).size : 0);
  const before = sizeOf();
  let children: readonly number[] = [];
  const ended = await runPassk(args, {
    cwd,
    meanwhile: (child) => {
      const timer = setInterval(() => {
        if (sizeOf() < before + bytes) return;
        clearInterval(timer);
        children = childrenOf(child.pid);
        child.kill(blow === 'kill -9' ? 'SIGKILL' : 'SIGINT');
        if (blow === 'SIGINT twice') setTimeout(() => child.kill('SIGINT'), bytes % 40);
      }, 2);
      child.on('exit', () => clearInterval(timer));
    },
  });
  return { ended, children };
}

let whole: unknown;
beforeAll(async () => {
  const cwd = aSuite(mkdtempSync(path.join(tmpdir(), 'passk-whole-')));
  whole = untimed((await runPassk(['run', '.', '--json'], { cwd })).stdout);
  rmSync(cwd, { recursive: true, force: true });
}, 60_000);

const REPORT = ['--json'];
describe.each([
  { mode: 'inline', flags: ['--workers', '0', ...REPORT] },
  { mode: 'pool', flags: ['--workers', '2', ...REPORT] },
  { mode: 'process', flags: ['--workers', '2', '--isolation', 'process', ...REPORT] },
  { mode: 'shard', flags: ['--workers', '2', '--shard', '1/1', '--out', 'x.shard'] },
])('a run with a journal, $mode', ({ mode, flags }) => {
  test(`goes on to the bytes of an undisturbed one, disturbed at ${faultPoints(SHARE)} seeded moments`, async () => {
    const dice = faultDice(`chain ${mode}`);
    for (let blows = 0; blows < faultPoints(SHARE); ) {
      const cwd = aSuite(aFolder());
      const args = ['run', '.', '--resume', ...flags];
      for (let runs = true; runs && blows < faultPoints(SHARE); ) {
        const blow = BLOWS[dice() % BLOWS.length] ?? 'kill -9';
        const { ended, children } = await struck(cwd, args, { blow, bytes: 1 + (dice() % 1500) });
        expect(await allGone(children)).toBe(true);
        // It came too late: what follows is the run that was undisturbed at last.
        runs = ended.status !== 0 && ended.status !== 1;
        if (!runs) break;
        blows++;
        expect(ENDS[blow]).toContain(ended.signal ?? ended.status);
        if (ended.signal === 'SIGKILL') expect(ended.stdout).toBe('');
      }
      const last = await runPassk(args, { cwd });
      const json = mode === 'shard' ? (await runPassk(['merge', 'x.shard', '--json'], { cwd })).stdout : last.stdout;
      expect(untimed(json)).toEqual(whole);
      expect(readdirSync(path.join(cwd, path.dirname(JOURNAL)))).toEqual(['run.journal']);
    }
  }, 240_000);
});

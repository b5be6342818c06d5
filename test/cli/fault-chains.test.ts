import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

const TRIALS = 12_000_000;
/** Faults that one journal survives before its run is let to its end. */
const CHAIN = 8;
const JOURNAL = path.join('.passk', 'journal', 'run.journal');

/** A JSON report without what may differ between equal runs. */
function untimed(json: string): unknown {
  const { timing: _, ...report } = JSON.parse(json) as Record<string, unknown>;
  return report;
}

function aSuite(): string {
  const cwd = aFolder();
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

function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    // One that has ended and that nobody has asked about yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

async function allGone(pids: readonly number[]): Promise<boolean> {
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (!pids.some(isAlive)) return true;
    await sleep(50);
  }
  return false;
}

const REPORT = ['--json'];
describe.each([
  { mode: 'inline', flags: ['--workers', '0', ...REPORT] },
  { mode: 'pool', flags: ['--workers', '2', ...REPORT] },
  { mode: 'process', flags: ['--workers', '2', '--isolation', 'process', ...REPORT] },
  { mode: 'shard', flags: ['--workers', '2', '--shard', '1/1', '--out', 'x.shard'] },
])('a run with a journal, $mode', ({ mode, flags }) => {
  test('goes on to the bytes of an undisturbed one, killed and interrupted at seeded moments', async () => {
    const dice = faultDice(`chain ${mode}`);
    for (let point = 0; point < faultPoints(CHAIN); point += CHAIN) {
      const cwd = aSuite();
      const args = ['run', '.', '--resume', ...flags];
      let blows = 0;
      for (let step = 0; step < CHAIN; step++) {
        const blow = BLOWS[dice() % BLOWS.length] ?? 'kill -9';
        const { ended, children } = await struck(cwd, args, { blow, bytes: 1 + (dice() % 1500) });
        expect(await allGone(children)).toBe(true);
        if (ended.status === 0 || ended.status === 1) break;
        blows++;
        expect(ENDS[blow]).toContain(ended.signal ?? ended.status);
        expect(existsSync(path.join(cwd, 'x.shard')) && mode !== 'shard').toBe(false);
      }
      console.log(mode, blows);
      expect(blows).toBeGreaterThan(0);
      const last = await runPassk(args, { cwd });
      const json = mode === 'shard' ? (await runPassk(['merge', 'x.shard', '--json'], { cwd })).stdout : last.stdout;
      const whole = await runPassk(['run', '.', '--json'], { cwd });
      expect(untimed(json)).toEqual(untimed(whole.stdout));
      expect(readdirSync(path.join(cwd, path.dirname(JOURNAL)))).toEqual(['run.journal']);
    }
  }, 240_000);
});

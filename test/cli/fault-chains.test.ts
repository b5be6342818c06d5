import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { allGone, childrenOf } from '../support/processes.ts';
import { faultDice, faultPoints } from '../support/fault-points.ts';
import { aWorker } from './a-worker.ts';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

const TRIALS = 4_000_000;
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

/** A scenario that reads a real file in each of its trials, every tenth of which fails. */
function aReader(cwd: string): string {
  writeFileSync(path.join(cwd, 'data.txt'), 'good');
  writeFileSync(
    path.join(cwd, 'a.toml'),
    `name = "reads"
trials = 1200
min_pass_rate = 0.5
[workflow]
inline = '''
name = "reads"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "Which file?" },
  { id = "read", type = "read_file", path_from = "ask.content" },
]
edges = [{ from = "ask", to = "read" }]
'''
[trigger]
kind = "manual"
[[intel.turns]]
variants = [{ content = "\${SCENARIO_DIR}/data.txt", weight = 9 }, { content = "\${SCENARIO_DIR}/gone.txt" }]
[policy.fs]
read = ["\${SCENARIO_DIR}/**"]
[expected]
status = "completed"
`,
  );
  return cwd;
}

type Blow = 'kill -9' | 'kill -9 and a spoilt journal' | 'SIGINT' | 'SIGINT twice' | 'stall';
const BLOWS: readonly Blow[] = ['kill -9', 'kill -9 and a spoilt journal', 'SIGINT', 'SIGINT twice', 'stall'];

/** How a run may end by each: between two Ctrl-C it may have ended by itself, and one that is stalled goes on. */
const ENDS: Readonly<Record<Blow, readonly unknown[]>> = {
  'kill -9': ['SIGKILL'],
  'kill -9 and a spoilt journal': ['SIGKILL'],
  SIGINT: [130],
  'SIGINT twice': ['SIGINT', 130],
  stall: [0, 1],
};

/** Changes a byte of the journal, or cuts its end off. */
function spoil(cwd: string, dice: () => number): void {
  const file = path.join(cwd, JOURNAL);
  const bytes = readFileSync(file);
  const at = dice() % bytes.length;
  if (dice() % 2 === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 + (dice() % 255));
  else bytes.fill(0, at);
  writeFileSync(file, dice() % 3 === 0 ? bytes.subarray(0, at) : bytes);
}

interface Struck {
  readonly ended: Ended;
  /** Processes that the run had started. */
  readonly children: readonly number[];
}

interface Strike {
  readonly blow: Blow;
  /** Once the journal has grown by so many. */
  readonly bytes: number;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs passk and disturbs it. */
async function struck(cwd: string, args: readonly string[], { blow, bytes, env }: Strike): Promise<Struck> {
  const file = path.join(cwd, JOURNAL);
  const sizeOf = (): number => (existsSync(file) ? statSync(file).size : 0);
  const before = sizeOf();
  let children: readonly number[] = [];
  const ended = await runPassk(args, {
    cwd,
    env,
    meanwhile: (child) => {
      const timer = setInterval(() => {
        if (sizeOf() < before + bytes) return;
        clearInterval(timer);
        children = childrenOf(child.pid);
        child.kill(blow === 'stall' ? 'SIGSTOP' : blow.startsWith('kill') ? 'SIGKILL' : 'SIGINT');
        if (blow === 'stall') setTimeout(() => child.kill('SIGCONT'), bytes);
        if (blow === 'SIGINT twice') setTimeout(() => child.kill('SIGINT'), bytes % 40);
      }, 2);
      child.on('exit', () => clearInterval(timer));
    },
  });
  return { ended, children };
}

const REPORT = ['--json'];
const READS = [...REPORT, '--allow-read=.', '--workers', '2'];
/** What undisturbed runs report, without their clocks. */
let whole: unknown;
let wholeReader: unknown;
let redis: ARedis | null = null;
beforeAll(async () => {
  if (!skipsRedis) redis = await aRedis();
  const cwd = aSuite(mkdtempSync(path.join(tmpdir(), 'passk-whole-')));
  whole = untimed((await runPassk(['run', '.', ...REPORT], { cwd })).stdout);
  const reader = aReader(mkdtempSync(path.join(tmpdir(), 'passk-whole-')));
  wholeReader = untimed((await runPassk(['run', '.', ...READS], { cwd: reader })).stdout);
  rmSync(reader, { recursive: true, force: true });
  rmSync(cwd, { recursive: true, force: true });
});

afterAll(() => redis?.stop());

describe.each(
  [
    { mode: 'inline', flags: ['--workers', '0', ...REPORT] },
    { mode: 'pool', flags: ['--workers', '2', ...REPORT] },
    { mode: 'process', flags: ['--workers', '2', '--isolation', 'process', ...REPORT] },
    { mode: 'shard', flags: ['--workers', '2', '--shard', '1/1', '--out', 'x.shard'] },
    { mode: 'queue (needs redis-server)', flags: REPORT },
    { mode: 'real files', flags: READS },
    { mode: 'real files, process', flags: ['--isolation', 'process', ...READS] },
    // Each begins where the one before it ends: together they have every kind of blow.
  ].map((one, index) => ({ ...one, first: index * faultPoints(SHARE) })),
)('a run with a journal, $mode', ({ mode, flags, first }) => {
  const isQueued = mode.startsWith('queue');
  const isReader = mode.startsWith('real files');
  test.skipIf(isQueued && skipsRedis)(
    `goes on to the bytes of an undisturbed one, disturbed at ${faultPoints(SHARE)} seeded moments`,
    async () => {
      const dice = faultDice(`chain ${mode}`);
      const env = isQueued && redis !== null ? { PASSK_QUEUE: redis.url } : {};
      if (isQueued && redis !== null) aWorker({ url: redis.url });
      for (let blows = 0; blows < faultPoints(SHARE); ) {
        const cwd = isReader ? aReader(aFolder()) : aSuite(aFolder());
        const args = ['run', '.', '--resume', ...flags];
        for (let runs = true; runs && blows < faultPoints(SHARE); ) {
          const blow = BLOWS[(first + blows) % BLOWS.length] ?? 'kill -9';
          const { ended, children } = await struck(cwd, args, { blow, bytes: 1 + (dice() % 1500), env });
          expect(await allGone(children)).toBe(true);
          runs = ended.status !== 0 && ended.status !== 1;
          // It came too late: what follows is the run that was undisturbed at last.
          if (!runs && blow !== 'stall') break;
          blows++;
          expect(ENDS[blow], `${blow}: ${ended.stderr}`).toContain(ended.signal ?? ended.status);
          if (ended.signal === 'SIGKILL') expect(ended.stdout).toBe('');
          if (blow === 'kill -9 and a spoilt journal') spoil(cwd, dice);
        }
        const last = await runPassk(args, { cwd, env });
        const json = mode === 'shard' ? (await runPassk(['merge', 'x.shard', '--json'], { cwd })).stdout : last.stdout;
        expect(untimed(json)).toEqual(isReader ? wholeReader : whole);
        // One whose beginning is damaged is put aside.
        const left = readdirSync(path.join(cwd, path.dirname(JOURNAL)));
        expect(left.filter((name) => name !== 'run.journal.damaged')).toEqual(['run.journal']);
      }
    },
    120_000 + 20_000 * faultPoints(SHARE),
  );
});
